// SPDX-License-Identifier: GPL-2.0
/* Report nodes' interrupts to the fabric's owner, and errors to the machine. */
#include "core/state/interrupt.h"
#include "core/state/domain.h"
#include "core/state/stop.h"

void torus_interrupt_listen(struct torus_fabric *f,
			    void (*report)(struct torus_fabric *f, u32 node, u32 cause),
			    void *owner)
{
	f->interrupt = report;
	f->owner = owner;
}

void *torus_interrupt_owner(const struct torus_fabric *f)
{
	return f->owner;
}

void torus_interrupt_raise(struct torus_fabric *f, u32 node, u32 cause)
{
	if (torus_unlikely(f->stop))
		torus_stop_note(torus_domain_of(f, node), TORUS_STOP_INTERRUPT, node, cause);
	if (f->interrupt)
		f->interrupt(f, node, cause);
}

void torus_error_raise(struct torus_fabric *f, u32 node, enum torus_hw_error what, u32 dir, u32 vc)
{
	if (f->arch->error)
		f->arch->error(f, node, what, dir, vc);
}
