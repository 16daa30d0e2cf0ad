// SPDX-License-Identifier: GPL-2.0
/*
 * Orphaned FIFO groups: the program has left virtual time, and its groups stay attached until a
 * reset.
 */
#include "core/nic/vtime_client.h"
#include "core/nic/record.h"

static u32 orphan_pull(void *client, u32 fifo, u32 room, u8 *bytes, u32 *number)
{
	return 0;
}

static bool orphan_push(void *client, u32 fifo, const u8 *bytes, u32 chunks)
{
	return true;
}

static void orphan_refused(void *client, u32 fifo, u32 code)
{
}

static void orphan_accepted(void *client, u32 fifo)
{
}

static void orphan_notify(void *client)
{
}

static const struct torus_nic_ops orphan_ops = {
	.pull = orphan_pull,
	.refused = orphan_refused,
	.accepted = orphan_accepted,
	.push = orphan_push,
	.notify = orphan_notify,
};

void torus_vtime_client_orphan(struct torus_fabric *f, u32 node, u32 group)
{
	struct torus_nic *nic = torus_nic_get(f, node, group);

	/* the client has left the group, so the group gets no more records */
	torus_nic_record_end(nic);
	nic->ops = &orphan_ops;
	nic->client = NULL;
	nic->vtime = NULL;
}

void torus_vtime_client_free_orphans(struct torus_fabric *f)
{
	u32 i;

	for (i = f->nattached; i--; ) {
		struct torus_nic *nic = f->nic[f->attached[i]];

		if (nic->ops == &orphan_ops)
			torus_nic_detach(f, nic->node, nic->group);
	}
}
