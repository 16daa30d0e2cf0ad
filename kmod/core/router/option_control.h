/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CONTROL: "Eight-byte acknowledgment (ack-only) packets or combined token-acknowledgment
 * (token-ack) packets are returned"; "the senders give highest priority" to them. All tokens and
 * acknowledgements that became due while a link was busy go into one control packet. If control
 * packets are charged to data packets instead, tokens take a fixed time.
 */
#include "core/link/event_order.h"
#include "core/link/receive.h"
#ifdef ROUTER_MEMBERS

#if ROUTER_CONTROL
/*
 * @owed: tokens of each buffer that have not been returned to its sender; @controls: number of
 * control packets sent on each link; @owing: links on which a control packet is due; @owing_ack:
 * links of @owing whose control packet must acknowledge a packet of a live link.
 */
#define ROUTER_CONTROL_MEMBERS	u32 controls[ROUTER_DIRS]; router_count_t owed[ROUTER_LINK_SLOTS]; \
				router_dirs_t owing, owing_ack;
#else
#define ROUTER_CONTROL_MEMBERS
#endif

#else

/* Check whether control packets are simulated. */
torus_inline bool router_controls(const machine_params_t *m)
{
#if ROUTER_CONTROL
	return torus_unlikely(machine_control_ticks(m));
#else
	return false;
#endif
}

#if ROUTER_CONTROL
/*
 * Schedule a control packet to the sender of a slot, with @tokens tokens; 0: only an
 * acknowledgement.
 */
torus_inline void router_owe(struct torus_domain *d, u32 node, u32 slot, u32 tokens)
{
	struct router_cold *cold = router_cold(d->machine, node);

	cold->owed[slot] = (router_count_t)(cold->owed[slot] + tokens);
	cold->owing |= ROUTER_DIR_BIT(TORUS_REVERSE(slot / ROUTER_VCS));
}
#endif

/* Return freed buffer space to its sender by a control packet. */
torus_inline void router_control_tokens(struct torus_domain *d, struct router_node *n, u32 node,
					u32 slot, u32 tokens)
{
#if ROUTER_CONTROL
	router_owe(d, node, slot, tokens);
	router_touch(d, n, node);
#endif
}

/* Schedule the acknowledgement of an arriving packet at the tick of the packet's last byte. */
torus_inline void router_control_head(struct torus_domain *d, const struct torus_event *ev)
{
#if ROUTER_CONTROL
	const machine_params_t *m = d->machine;
	u32 wire;

	if (!router_controls(m) || ev->kind != TORUS_EV_HEAD)
		return;
	wire = machine_wire_ticks(m, torus_packet_at(d, ev->pkt));
	torus_wheel_push(&d->wheel, d->now + wire, (struct torus_event){
		.kind = TORUS_EV_CONTROL_OWED, .node = ev->node, .queue = ev->queue,
		.dir = (u8)(ev->queue / ROUTER_VCS),
	});
#endif
}

/* Process an event of control packets; false if the event is of another kind. */
torus_inline bool router_control_event(struct torus_domain *d, const struct torus_event *ev)
{
#if ROUTER_CONTROL
	struct router_node *n = router_node(d, ev->node);

	switch (ev->kind) {
	case TORUS_EV_CONTROL_ACK:
		router_cold(d->machine, ev->node)->owing_ack |=
			ROUTER_DIR_BIT(TORUS_REVERSE(ev->dir));
		router_owe(d, ev->node, ev->queue, 0);
		break;
	case TORUS_EV_CONTROL_OWED:
		router_owe(d, ev->node, ev->queue, 0);
		break;
	case TORUS_EV_CONTROL_SENT:
		if (n->slow >> ev->dir & 1)
			torus_link_later(d, ev, ev->dir);
		else
			n->link |= ROUTER_DIR_BITS(ev->dir);
		break;
	default:
		return false;
	}
	router_touch(d, n, ev->node);
	return true;
#else
	return false;
#endif
}

#if ROUTER_CONTROL
static void router_control_send(struct torus_domain *d, struct router_node *n, u32 node, u32 dir)
{
	const machine_params_t *m = d->machine;
	struct router_cold *cold = router_cold(m, node);
	u32 from = TORUS_REVERSE(dir), vc;
	u64 acked = d->now + m->timing.ack_delay + machine_far(m, n, dir);

	cold->controls[dir]++;
	n->link &= ~ROUTER_DIR_BITS(dir);
	if (n->slow >> dir & 1)
		torus_link_occupy(d, node, dir);
	torus_wheel_push(&d->wheel, d->now + machine_control_ticks(m), (struct torus_event){
		.kind = TORUS_EV_CONTROL_SENT, .node = node, .dir = (u8)dir,
	});
	for (vc = 0; vc < ROUTER_VCS; vc++) {
		u32 i = from * ROUTER_VCS + vc;

		if (!cold->owed[i])
			continue;
		torus_send_event(d, acked, (struct torus_event){
			.kind = TORUS_EV_TOKEN, .node = n->peer[dir], .dir = (u8)from,
			.vc = (u8)vc, .tokens = cold->owed[i],
		});
		cold->owed[i] = 0;
	}
	if (cold->owing_ack >> dir & 1)
		torus_link_acknowledge(d, node, from, acked);
	cold->owing_ack &= (router_dirs_t)~ROUTER_DIR_BIT(dir);
}

static void router_control_all(struct torus_domain *d, struct router_node *n, u32 node)
{
	struct router_cold *cold = router_cold(d->machine, node);
	u32 dir;

	for (dir = 0; dir < ROUTER_DIRS; dir++) {
		if (!(cold->owing >> dir & 1) ||
		    (n->slow >> dir & 1 ? !torus_link_idle(d, node, dir) :
					  !(n->link >> (dir * ROUTER_VCS) & 1)))
			continue;
		cold->owing &= (router_dirs_t)~ROUTER_DIR_BIT(dir);
		router_control_send(d, n, node, dir);
	}
}
#endif

/* During arbitration, start the control packets that are due, before any data packet. */
torus_inline void router_control(struct torus_domain *d, struct router_node *n, u32 node)
{
#if ROUTER_CONTROL
	if (router_controls(d->machine))
		router_control_all(d, n, node);
#endif
}

/* Check whether a control packet waits for a link. */
torus_inline bool router_control_waits(struct torus_domain *d, u32 node, u32 dir)
{
#if ROUTER_CONTROL
	return router_controls(d->machine) && router_cold(d->machine, node)->owing >> dir & 1;
#else
	return false;
#endif
}

/* Tokens of a buffer that have not been returned to its sender. */
torus_inline u32 router_control_owed(struct torus_domain *d, u32 node, u32 slot)
{
#if ROUTER_CONTROL
	return router_controls(d->machine) ? router_cold(d->machine, node)->owed[slot] : 0;
#else
	return 0;
#endif
}

#endif
