// SPDX-License-Identifier: GPL-2.0
/* Take packets from clients into injection FIFOs. */
#include "core/nic/group.h"
#include "core/nic/vtime_client.h"
#include "core/nic/fifo_status.h"
#include "core/nic/inject.h"
#include "core/nic/inject_queue.h"
#include "core/state/domain.h"
#include "core/state/packets.h"

static u32 inject_judge(struct torus_domain *d, struct torus_nic *nic, u32 fifo, const u8 *bytes,
			struct torus_packet *p)
{
	struct torus_fabric *f = d->f;
	u32 code = f->arch->check(f, nic->node, nic->group, fifo, nic->priority, bytes, p);

	if (code)
		return code;
	if (torus_fabric_partition(f, p->dst) != torus_fabric_partition(f, nic->node))
		return TORUS_REFUSE_PARTITION;
	p->seq = nic->sequence * f->arch->groups + nic->group;
	p->flags |= TORUS_PACKET_USER;
	code = f->arch->inject_route(f, nic->node, p);
	if (!code && !torus_fabric_stays_in_partition(f, nic->node, p))
		code = TORUS_REFUSE_ISOLATE;
	return code;
}

static void inject_refuse(struct torus_domain *d, struct torus_nic *nic, u32 fifo, u32 code)
{
	d->stats.refused++;
	nic->ops->refused(nic->client, fifo, code);
}

/*
 * Execute the client's command if @bytes are a command for the machine's own NIC; false: they are a
 * packet.
 */
static bool inject_command(struct torus_domain *d, struct torus_nic *nic, u32 fifo,
			   const u8 *bytes, u32 chunks)
{
	u32 code;

	if (torus_likely(!d->f->arch->command) ||
	    !d->f->arch->command(d, nic, fifo, bytes, chunks, &code))
		return false;
	if (code)
		inject_refuse(d, nic, fifo, code);
	else
		nic->ops->accepted(nic->client, fifo);
	return true;
}

/* Sign a packet, so that its completion is reported to its sender: core/state/completion.h. */
torus_inline void inject_sign(struct torus_domain *d, const struct torus_nic *nic, u32 fifo,
			      const struct torus_packet *p, u32 number)
{
	torus_body_at(&d->bodies, p->body)->sender = (struct torus_sender){
		.number = number,
		.generation = torus_group_generation(d->f, p->src, nic->group),
		.group = (u8)nic->group,
		.fifo = (u8)fifo,
	};
}

/* Inject a packet whose bytes are in @body; false if memory is exhausted. */
static bool inject_enter(struct torus_domain *d, struct torus_nic *nic, u32 fifo, u32 room,
			 struct torus_packet *p, u32 body, u32 number)
{
	struct torus_fabric *f = d->f;
	u32 index = nic->group * f->arch->inject_fifos + fifo, pkt = torus_pool_get(&d->pool);
	struct torus_packet *at;

	if (pkt == TORUS_NONE || body == TORUS_NONE) {
		d->failed = true;
		return false;
	}
	p->body = body;
	nic->sequence++;
	p->generation = p->flags & TORUS_PACKET_DEPOSIT ? f->epoch :
			torus_group_generation(f, p->dst, p->group);
	p->born = d->now;
	p->entered = d->now;
	p->next = TORUS_NONE;
	torus_pool_fill(&d->pool, pkt, p);
	at = torus_packet_at(d, pkt);
	nic->accepted++;
	inject_sign(d, nic, fifo, at, number);
	torus_stats_inject(d, at);
	torus_inject_put(d, nic->node, index, pkt);
	torus_fifo_injected(d, nic, fifo, f->arch->fifo_chunks - room, p,
			    torus_body_at(&d->bodies, body)->bytes);
	nic->ops->accepted(nic->client, fifo);
	return true;
}

/* Check whether a group has few packets in flight; true if completions are not counted. */
static bool inject_kept(const struct torus_fabric *f, const struct torus_nic *nic)
{
	const struct torus_completions *counts;

	if (!f->completions)
		return true;
	counts = &f->completions[torus_group_index(f, nic->node, nic->group)];
	return (u32)nic->accepted - torus_load(&counts->ended) < TORUS_PACKETS_KEPT;
}

/*
 * Copy the next packet of a client's ring into a body, and inject the packet or execute the
 * command.
 *
 * @more: [out] there may be another packet. Return: true if a packet or command was accepted or
 * rejected.
 */
static bool inject_one(struct torus_domain *d, struct torus_nic *nic, u32 fifo, bool *more)
{
	struct torus_fabric *f = d->f;
	u32 index = nic->group * f->arch->inject_fifos + fifo, room, chunks, code, body;
	u8 *bytes = d->scratch;
	struct torus_packet p;
	bool moved = true;
	u32 number = 0;

	*more = false;
	room = torus_fifo_room(f, nic->node, index);
	if (!room || (f->arch->command && f->arch->commands_full(d, nic, fifo)) ||
	    !torus_packets_supply(d, inject_kept(f, nic)))
		return false;
	body = torus_bodies_get(&d->bodies);
	if (body != TORUS_NONE)
		bytes = torus_body_at(&d->bodies, body)->bytes;
	chunks = nic->ops->pull(nic->client, fifo, room, bytes, &number);
	*more = chunks && !(chunks & TORUS_NIC_LAST);
	chunks &= ~TORUS_NIC_LAST;
	if (!chunks) {
		moved = false;
	} else if (!inject_command(d, nic, fifo, bytes, chunks)) {
		code = inject_judge(d, nic, fifo, bytes, &p);
		if (!code && p.chunks == chunks)
			return inject_enter(d, nic, fifo, room, &p, body, number);
		inject_refuse(d, nic, fifo, code ? code : TORUS_REFUSE_SIZE);
	}
	if (body != TORUS_NONE)
		torus_bodies_put(&d->bodies, body);
	return moved;
}

/*
 * Limits of one poll: packets per ring, and rejected packets per client. Rejected packets have a
 * limit because they take no free space.
 */
#define TAKE_MAX	256
#define REFUSE_MAX	64

bool torus_nic_take(struct torus_domain *d, struct torus_nic *nic)
{
	u64 refused = d->stats.refused;
	bool moved = false, more;
	u32 fifos = (1u << d->f->arch->inject_fifos) - 1, fifo, i;

	if (torus_unlikely(d->f->injection_held))
		return false;
	if (nic->ops->ready)
		fifos &= nic->ops->ready(nic->client);
	for (; fifos; fifos &= fifos - 1) {
		fifo = torus_ctz(fifos);
		more = true;
		for (i = 0; more && i < TAKE_MAX && d->stats.refused - refused < REFUSE_MAX; i++)
			moved |= inject_one(d, nic, fifo, &more);
		d->left |= more && i == TAKE_MAX;
	}
	d->left |= d->stats.refused - refused >= REFUSE_MAX;
	/*
	 * In virtual time no thread polls the ring, and rejected packets free no space that would
	 * cause a poll. Therefore request the next poll here.
	 */
	if (torus_unlikely(nic->vtime && d->stats.refused - refused >= REFUSE_MAX))
		torus_nic_wake(d->f, nic->node, d->now + 1);
	if (moved) {
		nic->ops->notify(nic->client);
		torus_vtime_client_wake(d, nic, TORUS_VTIME_EVENT_ROOM);
	}
	return moved;
}

void torus_nic_refill(struct torus_domain *d, u32 node)
{
	u32 group;

	for (group = 0; group < d->f->arch->groups; group++) {
		struct torus_nic *nic = torus_nic_get(d->f, node, group);

		if (!nic || !nic->ops)
			continue;
		torus_nic_take(d, nic);
		if (torus_unlikely(nic->marked))
			torus_fifo_drained(d, nic);
	}
}

/* Limit the tick of a requested poll to the range of the wheel. */
static u64 wake_tick(const struct torus_domain *d, u64 at)
{
	/* a new wheel's clock is ~0, one tick before tick 0 */
	u64 first = d->wheel.now + 1;

	if (at <= first)
		return first;
	return at - first < TORUS_WHEEL_FAR ? at : first + TORUS_WHEEL_FAR;
}

void torus_nic_wake(struct torus_fabric *f, u32 node, u64 at)
{
	struct torus_domain *d = torus_domain_of(f, node);

	torus_wheel_push(&d->wheel, wake_tick(d, at), (struct torus_event){
		.kind = TORUS_EV_SOURCE, .node = node,
	});
}

void torus_nic_wake_by(struct torus_fabric *f, u32 node, u64 at, u64 *asked)
{
	const struct torus_domain *d = torus_domain_of(f, node);
	u64 first = d->wheel.now + 1;

	at = wake_tick(d, at);
	if (*asked && *asked - 1 >= first && *asked - 1 <= at)
		return;
	*asked = at + 1;
	torus_nic_wake(f, node, at);
}

u32 torus_nic_inject_chunks(struct torus_fabric *f, u32 node, u32 group, u32 fifo)
{
	return f->arch->fifo_chunks -
	       torus_fifo_room(f, node, group * f->arch->inject_fifos + fifo);
}
