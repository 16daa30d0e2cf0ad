// SPDX-License-Identifier: GPL-2.0
/*
 * Registers 4A-4C: pointers of the resend FIFOs.
 *
 * A pointer is the number of chunks that a link's counters show, minus a base. The base of a link
 * is not 0 after a reset of its pointers, or after a reset of the fabric's counters. Few fabrics
 * need a base, so the first such reset allocates memory for the bases of all nodes.
 */
#include "core/link/link.h"
#include "core/run/report.h"
#include "core/state/snapshot.h"
#include "registers_resend.h"

/*
 * Return the number of chunks that have entered a sender's resend FIFO since the last reset of the
 * counters, modulo 256. Retransmissions do not count.
 *
 * @node: the sender
 * @dir: direction of its link
 */
static u8 bgl_resend_counted(struct torus_fabric *f, u32 node, u32 dir)
{
	struct torus_link_counters c;
	u64 chunks = 0;
	u32 vc;

	torus_link_counters(f, node, dir, &c);
	for (vc = 0; vc < f->vcs; vc++)
		chunks += c.chunks[vc];
	return (u8)chunks;
}

static u8 bgl_resend_base(struct torus_fabric *f, u32 node, u32 dir)
{
	const struct bgl_machine *m = bgl_machine(f);

	return m->resend_base ? m->resend_base[node][dir] : 0;
}

/*
 * Return the begin and end pointers of a resend FIFO. End minus begin, modulo 256, is the number of
 * chunks in a live link's resend FIFO, at most 64. A link that is not live has no errors, so its
 * FIFO is shown as empty.
 */
static u32 bgl_resend_pointers(struct torus_fabric *f, u32 node, u32 dir)
{
	struct torus_domain *d = torus_domain_of(f, node);
	u8 end = (u8)(bgl_resend_counted(f, node, dir) - bgl_resend_base(f, node, dir));
	u8 begin = end;

	if (d->links && torus_link_at(d, node, dir)->live)
		begin = (u8)(end - torus_link_at(d, node, dir)->bytes / BGL_CHUNK_BYTES);
	return (u32)begin << 8 | end;
}

/* Return the value of one of the registers. */
u32 bgl_resend_read(struct torus_fabric *f, u32 node, u32 offset)
{
	u32 dir = 2 * (offset - REG_RESEND);

	return bgl_resend_pointers(f, node, dir) << 16 | bgl_resend_pointers(f, node, dir + 1);
}

/*
 * Allocate the bases of all nodes if necessary.
 *
 * @f: the fabric, locked
 *
 * Return: 0 or -ENOMEM.
 */
int bgl_resend_own(struct torus_fabric *f, struct torus_error *err)
{
	struct bgl_machine *m = bgl_machine(f);

	if (!m->resend_base)
		m->resend_base = torus_alloc((size_t)f->nodes * sizeof(*m->resend_base));
	return m->resend_base ? 0 : torus_fail(err, ENOMEM,
					       "no memory for the resend pointers of %u nodes",
					       f->nodes);
}

/* Reset the pointers of a link to 0. bgl_resend_own() must have succeeded. */
void bgl_resend_reset(struct torus_fabric *f, u32 node, u32 dir)
{
	bgl_machine(f)->resend_base[node][dir] = bgl_resend_counted(f, node, dir);
}

/* Reset a node's bases with its counters, when the fabric is created or restarted. */
void bgl_resend_boot(struct torus_fabric *f, u32 node)
{
	struct bgl_machine *m = bgl_machine(f);

	if (m->resend_base)
		memset(m->resend_base[node], 0, sizeof(m->resend_base[node]));
}

/*
 * Keep the pointers of all links when the fabric's counters are about to be reset: software reads
 * the pointers, and does not know of the counters. Without memory, the pointers restart with the
 * counters.
 */
void bgl_resend_counters_reset(struct torus_fabric *f)
{
	struct bgl_machine *m = bgl_machine(f);
	u32 node, dir;

	for (node = 0; node < f->nodes; node++) {
		for (dir = 0; dir < BGL_DIRS; dir++) {
			u8 counted = bgl_resend_counted(f, node, dir);

			if (counted && bgl_resend_own(f, NULL))
				return;
			if (counted)
				m->resend_base[node][dir] -= counted;
		}
		if (!(node & 1023))
			torus_yield();
	}
}

/* Free the bases of all nodes. */
void bgl_resend_free(struct torus_fabric *f)
{
	struct bgl_machine *m = bgl_machine(f);

	torus_free(m->resend_base, (size_t)f->nodes * sizeof(*m->resend_base));
	m->resend_base = NULL;
}

/* Check whether a link of a node has a base that is not 0. */
bool bgl_resend_based(struct torus_fabric *f, u32 node)
{
	u32 dir;

	for (dir = 0; dir < BGL_DIRS; dir++)
		if (bgl_resend_base(f, node, dir))
			return true;
	return false;
}

/* Save or restore a node's bases; to save, bgl_resend_based() must be true. */
void bgl_resend_snapshot(struct torus_snapshot *snap, struct torus_fabric *f, u32 node)
{
	if (bgl_resend_own(f, NULL))
		torus_snapshot_no_memory(snap);
	else
		SNAPSHOT_FIELD(snap, bgl_machine(f)->resend_base[node]);
}
