// SPDX-License-Identifier: GPL-2.0
/* Create, reset and free a domain, and count its memory. */
#include "core/run/domain.h"
#include "core/link/link.h"
#include "core/workload/processor.h"
#include "core/workload/workload.h"
#include "core/nic/inject_queue.h"
#include "core/state/mail.h"

/* Capacity of d->touched, the list of nodes touched in a tick (see torus_touch()). */
static size_t domain_touched_cap(const struct torus_domain *d)
{
	return (size_t)d->count * 2 + 2;
}

/* Bytes of the lists d->touched and d->again (for the next tick), in whole cache lines. */
static size_t domain_lists_bytes(const struct torus_domain *d)
{
	size_t numbers = domain_touched_cap(d) + d->count + 2;

	return (numbers * sizeof(u32) + 63) & ~(size_t)63;
}

/*
 * Size in bytes of the allocation for both lists and the scratch buffer. One allocation for all
 * three saves pages in a small fabric.
 */
static size_t domain_room_bytes(const struct torus_domain *d)
{
	return domain_lists_bytes(d) + 2 * TORUS_SCRATCH_BYTES;
}

void torus_domain_free(struct torus_domain *d)
{
	struct torus_fabric *f = d->f;
	u32 i, j;

	torus_wheel_free(&d->wheel);
	torus_pool_free(&d->pool);
	torus_bodies_free(&d->bodies);
	torus_free(d->touched, domain_room_bytes(d));
	torus_free(d->received, (size_t)d->received_cap * sizeof(*d->received));
	torus_free(d->later, (size_t)d->later_cap * sizeof(*d->later));
	torus_free(d->folded, (size_t)d->count * f->dirs * f->fold_stride * sizeof(u64));
	torus_free(d->stalls, torus_stalls_bytes(d));
	torus_lost_packets_free(d);
	torus_latencies_free(d->latencies);
	for (i = 0; i < 2; i++) {
		for (j = 0; d->outbox[i] && j < f->ndomains; j++) {
			struct torus_mailbox *box = &d->outbox[i][j];

			torus_free(box->mail, box->mail_cap * sizeof(*box->mail));
			torus_free(box->packets, box->packet_cap * sizeof(*box->packets));
			torus_free(box->bodies, (size_t)box->body_cap * d->bodies.stride);
		}
		torus_free(d->outbox[i], f->ndomains * sizeof(*d->outbox[i]));
	}
}

/* On a saturated machine, about one of this number of nodes starts a hop in a tick. */
#define NODES_A_HOP	50

/*
 * Return the number of events in a block of the wheel, so that a block is whole cache lines. With
 * several domains, blocks can be smaller, because each domain has fewer events per tick.
 */
static u32 domain_block_events(const struct torus_domain *d)
{
	u32 hops = d->count / NODES_A_HOP;

	if (d->f->ndomains == 1)
		return TORUS_BLOCK_EVENTS;
	return hops < 3 ? 3 : hops < 15 ? 15 : TORUS_BLOCK_EVENTS;
}

int torus_domain_init(struct torus_domain *d)
{
	struct torus_fabric *f = d->f;

	torus_wheel_init(&d->wheel, domain_block_events(d));
	torus_bodies_init(&d->bodies, f->arch->packet_chunks_max * f->arch->chunk_bytes);
	d->machine = f->machine;
	d->node_bytes = f->node_bytes;
	d->nodes = f->node;
	d->hot = f->hot;
	d->touched = torus_alloc(domain_room_bytes(d));
	d->outbox[0] = torus_alloc(f->ndomains * sizeof(*d->outbox[0]));
	d->outbox[1] = torus_alloc(f->ndomains * sizeof(*d->outbox[1]));
	if (torus_pool_init(&d->pool) || !d->touched || !d->outbox[0] || !d->outbox[1])
		return -ENOMEM;
	d->again = d->touched + domain_touched_cap(d);
	d->scratch = (u8 *)d->touched + domain_lists_bytes(d);
	if (f->crc_full)
		torus_pool_widen(&d->pool);
	return 0;
}

static void domain_mailbox_clear(struct torus_mailbox *box)
{
	box->mails = 0;
	box->npackets = 0;
	box->nbodies = 0;
}

/* Reset a domain to tick 0. Buffers that each domain needs stay allocated. */
void torus_domain_start(struct torus_domain *d)
{
	struct torus_fabric *f = d->f;
	size_t links = (size_t)d->count * f->dirs;
	u32 i;

	torus_wheel_free(&d->wheel);
	torus_pool_clear(&d->pool);
	torus_bodies_free(&d->bodies);
	torus_bodies_init(&d->bodies, f->arch->packet_chunks_max * f->arch->chunk_bytes);
	torus_free(d->folded, links * f->fold_stride * sizeof(u64));
	d->folded = NULL;
	torus_free(d->stalls, torus_stalls_bytes(d));
	d->stalls = NULL;
	torus_processors_reset(d);
	torus_queues_reset(d);
	for (i = 0; i < f->ndomains; i++) {
		domain_mailbox_clear(&d->outbox[0][i]);
		domain_mailbox_clear(&d->outbox[1][i]);
	}
	memset(&d->stats, 0, sizeof(d->stats));
	torus_latencies_free(d->latencies);
	d->latencies = NULL;
	d->far[0] = 0;
	d->far[1] = 0;
	d->ntouched = 0;
	d->nagain = 0;
	d->nreceived = 0;
	d->nlater = 0;
	d->faults_pending = 0;
	d->links_parked = 0;
	d->tokens_waiting = 0;
	d->now = 0;
	d->done = 0;
	d->parity = 0;
	d->failed = false;
	d->again_at = ~0ull;
	d->mail_at = ~0ull;
	d->look_at = TORUS_LOOK_EVENTS;
	d->wheel.now = ~0ull;	/* one tick before tick 0 */
}

static u64 domain_mailboxes_bytes(const struct torus_domain *d, const struct torus_mailbox *box)
{
	u64 bytes = 0;
	u32 i;

	for (i = 0; box && i < d->f->ndomains; i++)
		bytes += box[i].mail_cap * sizeof(*box->mail) +
			 box[i].packet_cap * sizeof(*box->packets) +
			 (u64)box[i].body_cap * d->bodies.stride;
	return bytes;
}

/*
 * Return the bytes that a domain has allocated in addition to those of torus_config_bytes(),
 * without its scratch buffer.
 */
u64 torus_domain_bytes(const struct torus_domain *d)
{
	const struct torus_fabric *f = d->f;
	size_t links = (size_t)d->count * f->dirs;
	u64 bytes = torus_wheel_bytes(&d->wheel) + torus_bodies_bytes(&d->bodies) +
		    torus_pool_bytes(&d->pool) + domain_mailboxes_bytes(d, d->outbox[0]) +
		    domain_mailboxes_bytes(d, d->outbox[1]);

	bytes += d->stalls ? torus_stalls_bytes(d) : 0;

	bytes += d->folded ? links * f->fold_stride * sizeof(u64) : 0;
	bytes += torus_latencies_bytes(d->latencies);
	bytes += d->received_cap * sizeof(*d->received);
	bytes += (u64)d->later_cap * sizeof(*d->later);
	bytes += (u64)d->lost_packets.cap * sizeof(*d->lost_packets.list);
	return bytes;
}
