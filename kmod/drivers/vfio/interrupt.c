// SPDX-License-Identifier: GPL-2.0
/*
 * Interrupts of the node become MSI or MSI-X of the PCI function: event file descriptors of VFIO's
 * user, who injects a signal into the guest as a message.
 *
 * MSI-X has a vector for each cause, in the order of enum torus_port_cause; MSI has one for all
 * causes. The interrupt of a cause without a vector is kept, and sent when the vector is installed.
 */
#include <linux/err.h>
#include <linux/eventfd.h>
#include <linux/interrupt.h>
#include <linux/vfio.h>

#include "compat/vfio.h"
#include "interrupt.h"
#include "vfio.h"

/* Vector of a cause; @lock is locked. */
static struct eventfd_ctx *interrupt_vector(const struct torus_vfio_interrupts *i, u32 cause)
{
	return i->vector[i->index == VFIO_PCI_MSI_IRQ_INDEX ? 0 : cause];
}

/* Hard interrupt context. The guest acknowledges the cause. */
static irqreturn_t interrupt_handle(int irq, void *data)
{
	struct torus_vfio_line *line = data;
	struct torus_vfio_interrupts *i = &line->v->interrupts;
	u32 cause = line - i->line;
	struct eventfd_ctx *vector;

	spin_lock(&i->lock);
	vector = interrupt_vector(i, cause);
	if (!vector)
		i->pending |= 1u << cause;
	else if (READ_ONCE(line->v->master))
		torus_vfio_signal(vector);
	spin_unlock(&i->lock);
	return IRQ_HANDLED;
}

/**
 * torus_vfio_interrupts_free() - free the node's interrupts
 * @v: the function, which no guest has
 */
void torus_vfio_interrupts_free(struct torus_vfio *v)
{
	struct torus_vfio_line *line = v->interrupts.line;
	u32 cause;

	for (cause = 0; cause < TORUS_PORT_CAUSES; cause++)
		if (line[cause].irq)
			free_irq(line[cause].irq, &line[cause]);
}

/**
 * torus_vfio_interrupts_request() - request the node's interrupts
 * @v: the function; may sleep
 *
 * Return: 0, or a negative errno: no interrupt is requested.
 */
int torus_vfio_interrupts_request(struct torus_vfio *v)
{
	struct torus_vfio_line *line;
	u32 cause;
	int irq;

	for (cause = 0; cause < TORUS_PORT_CAUSES; cause++) {
		line = &v->interrupts.line[cause];
		line->v = v;
		irq = torus_device_irq(v->td, cause);
		if (irq < 0)
			goto err_free;
		line->irq = irq;
		irq = request_irq(irq, interrupt_handle, 0, "torus_vfio", line);
		if (irq) {
			line->irq = 0;
			goto err_free;
		}
	}
	return 0;

err_free:
	torus_vfio_interrupts_free(v);
	return irq;
}

/**
 * torus_vfio_interrupts_count() - number of vectors
 * @index: VFIO_PCI_INTX_IRQ_INDEX ..
 *
 * Return: 0 if the function has no interrupts of this kind.
 */
u32 torus_vfio_interrupts_count(u32 index)
{
	switch (index) {
	case VFIO_PCI_MSI_IRQ_INDEX:
	case VFIO_PCI_REQ_IRQ_INDEX:
		return 1;
	case VFIO_PCI_MSIX_IRQ_INDEX:
		return TORUS_PORT_CAUSES;
	}
	return 0;
}

/* Send the interrupts that were kept and have a vector now; @lock is locked. */
static void interrupt_catch_up(struct torus_vfio *v)
{
	struct torus_vfio_interrupts *i = &v->interrupts;
	u32 cause;

	for (cause = 0; cause < TORUS_PORT_CAUSES; cause++) {
		if (!(i->pending & 1u << cause) || !interrupt_vector(i, cause))
			continue;
		i->pending &= ~(1u << cause);
		if (READ_ONCE(v->master))
			torus_vfio_signal(interrupt_vector(i, cause));
	}
}

/* Replace an event by @event, which may be NULL; it owns the reference. */
static void interrupt_install(struct torus_vfio *v, struct eventfd_ctx **at,
			      struct eventfd_ctx *event)
{
	struct eventfd_ctx *old;

	spin_lock_irq(&v->interrupts.lock);
	old = *at;
	*at = event;
	interrupt_catch_up(v);
	spin_unlock_irq(&v->interrupts.lock);
	if (old)
		eventfd_ctx_put(old);
}

/* Remove all vectors; @v->lock is locked. */
static void interrupt_vectors_off(struct torus_vfio *v)
{
	u32 cause;

	for (cause = 0; cause < TORUS_PORT_CAUSES; cause++)
		interrupt_install(v, &v->interrupts.vector[cause], NULL);
	spin_lock_irq(&v->interrupts.lock);
	v->interrupts.index = VFIO_PCI_NUM_IRQS;
	spin_unlock_irq(&v->interrupts.lock);
}

/* Install events; a descriptor of -1 removes one. @v->lock is locked. */
static int interrupt_install_files(struct torus_vfio *v, struct eventfd_ctx **at, const s32 *files,
				   u32 count)
{
	struct eventfd_ctx *event;
	u32 n;

	for (n = 0; n < count; n++) {
		event = files[n] < 0 ? NULL : eventfd_ctx_fdget(files[n]);
		if (IS_ERR(event))
			return PTR_ERR(event);
		interrupt_install(v, at + n, event);
	}
	return 0;
}

/* Signal events, as a test; @chosen: one byte for each event, or NULL for all. */
static void interrupt_test(struct torus_vfio *v, struct eventfd_ctx **at, const u8 *chosen,
			   u32 count)
{
	u32 n;

	spin_lock_irq(&v->interrupts.lock);
	for (n = 0; n < count; n++)
		if (at[n] && (!chosen || chosen[n]))
			torus_vfio_signal(at[n]);
	spin_unlock_irq(&v->interrupts.lock);
}

/**
 * torus_vfio_interrupts_set() - VFIO_DEVICE_SET_IRQS
 * @v: the function; @v->lock is locked
 * @set: the request, which VFIO has checked
 * @data: its file descriptors or bytes
 *
 * Return: 0; -EINVAL if MSI and MSI-X would be on together; -ENOTTY for an action other than
 * TRIGGER; or an error of eventfd_ctx_fdget(): the events before this one are installed.
 */
int torus_vfio_interrupts_set(struct torus_vfio *v, const struct vfio_irq_set *set,
			      const void *data)
{
	struct torus_vfio_interrupts *i = &v->interrupts;
	bool unplug = set->index == VFIO_PCI_REQ_IRQ_INDEX;
	struct eventfd_ctx **at = unplug ? &i->unplug : &i->vector[set->start];

	if (!(set->flags & VFIO_IRQ_SET_ACTION_TRIGGER))
		return -ENOTTY;
	if (!unplug && i->index != VFIO_PCI_NUM_IRQS && i->index != set->index)
		return -EINVAL;
	if (set->flags & VFIO_IRQ_SET_DATA_EVENTFD) {
		if (!unplug) {
			spin_lock_irq(&i->lock);
			i->index = set->index;
			spin_unlock_irq(&i->lock);
		}
		return interrupt_install_files(v, at, data, set->count);
	}
	if (set->count)
		interrupt_test(v, at, set->flags & VFIO_IRQ_SET_DATA_BOOL ? data : NULL,
			       set->count);
	else if (unplug)
		interrupt_install(v, at, NULL);
	else
		interrupt_vectors_off(v);
	return 0;
}

/**
 * torus_vfio_interrupts_forget() - discard interrupts that were kept: the node was reset
 * @v: the function
 */
void torus_vfio_interrupts_forget(struct torus_vfio *v)
{
	spin_lock_irq(&v->interrupts.lock);
	v->interrupts.pending = 0;
	spin_unlock_irq(&v->interrupts.lock);
}

/**
 * torus_vfio_interrupts_off() - remove all events: the guest is gone
 * @v: the function; @v->lock is locked
 */
void torus_vfio_interrupts_off(struct torus_vfio *v)
{
	interrupt_vectors_off(v);
	interrupt_install(v, &v->interrupts.unplug, NULL);
	torus_vfio_interrupts_forget(v);
}

/**
 * torus_vfio_interrupts_unplug() - request that the guest gives the function up
 * @v: the function
 *
 * Return: false if VFIO's user has installed no event for it.
 */
bool torus_vfio_interrupts_unplug(struct torus_vfio *v)
{
	bool asked;

	spin_lock_irq(&v->interrupts.lock);
	asked = v->interrupts.unplug;
	if (asked)
		torus_vfio_signal(v->interrupts.unplug);
	spin_unlock_irq(&v->interrupts.lock);
	return asked;
}
