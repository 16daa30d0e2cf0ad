// SPDX-License-Identifier: GPL-2.0
/* Ticks as a NIC's clients know them. */
#include "core/nic/clock.h"

void torus_nic_wake(struct torus_fabric *f, u32 node, u64 at)
{
	struct torus_domain *d = torus_domain_of(f, node);
	/* a fresh wheel stands just before tick 0 */
	u64 first = d->wheel.now + 1;

	torus_wheel_push(&d->wheel, at > first ? at : first, (struct torus_event){
		.kind = TORUS_EV_SOURCE, .node = node,
	});
}

u64 torus_nic_clock(struct torus_fabric *f, u32 node)
{
	return torus_domain_of(f, node)->now;
}

/* -------------------------------------------------------------- a group that was left */

static u32 left_pull(void *client, u32 fifo, u32 room, u8 *bytes, u32 *number)
{
	return 0;
}

static bool left_push(void *client, u32 fifo, const u8 *bytes, u32 chunks)
{
	return true;
}

static void left_refused(void *client, u32 fifo, u32 code)
{
}

static void left_accepted(void *client, u32 fifo)
{
}

static void left_notify(void *client)
{
}

static const struct torus_nic_ops left_ops = {
	.pull = left_pull,
	.refused = left_refused,
	.accepted = left_accepted,
	.push = left_push,
	.notify = left_notify,
};

void torus_clock_forsake(struct torus_fabric *f, u32 node, u32 group)
{
	struct torus_nic *nic = torus_nic_get(f, node, group);

	nic->ops = &left_ops;
	nic->client = NULL;
	nic->clock = NULL;
}

void torus_clock_reset(struct torus_fabric *f)
{
	u32 i;

	for (i = f->nattached; i--; ) {
		struct torus_nic *nic = f->nic[f->attached[i]];

		if (nic->ops == &left_ops)
			torus_nic_detach(f, nic->node, nic->group);
	}
}
