/* SPDX-License-Identifier: GPL-2.0 */
/* What the rest of the core asks of a machine's router: cold but for @run. */
#ifndef TORUS_CORE_ROUTER_OPS_H
#define TORUS_CORE_ROUTER_OPS_H

#include "core/env.h"

struct torus_snapshot;
struct torus_check;
struct torus_domain;
struct torus_event;
struct torus_fabric;
struct torus_moving;
struct torus_packet;
struct torus_snapshot_event;
struct torus_snapshot_events;

/**
 * struct torus_router_ops - a router, see core/router/ops.h
 * @vcs: virtual channels of a link
 * @vc_names: their names
 * @node_bytes: size of a node in the hot loop
 * @cold_bytes: size of what options that are on keep of a node besides
 * @tokens: tokens that a packet takes in a VC's buffer
 * @inject: put a packet into the slot of an injection FIFO, which has room
 * @refill: have its injection FIFOs filled in the next tick
 * @inject_room: free chunks of the injection slot that an injection FIFO leads to
 * @inject_slots: injection slots; 0: one for each injection FIFO
 * @inject_slot: the slot that injection FIFO i leads to, all groups' counted through;
 *               NULL: slot i
 * @ports: reception ports, each with an injection slot a TNI that counts (state/tni.h); 0: none
 * @port: the one that a packet goes through; NULL where there are none
 * @discard: take a packet out of a VC buffer if it is still there; true if it was
 * @run: the hot loop: every event of the domain before @until
 * @interrupts: @run may return in the middle of tick 0, to go on there when it is called again; a
 *              window that begins at tick 0 has that tick alone
 * @touch: have a node's arbitration looked at again in the next tick
 * @place: put a packet into a VC buffer by hand, for tests and demonstrations
 * @link_state: the sender of (@node, @dir) may (or may not) start new packets
 * @link_live: the protocol of the link is (not) simulated
 * @link_busy: no new packet can start on the link
 * @freed: space of a VC buffer is free again, its sender to be told (while events are applied)
 * @flush: drop what waits in a slot, for a reason
 * @reroute: have the heads of a node's slots routed anew, between two runs
 * @discard_link: drop the packets that wait for a dead link and have no other alternative
 * @reclaim_tokens: return tokens of a VC buffer at a link's other end to the sender
 * @reseed: a node's random numbers begin anew
 * @loopback: every sender of a node feeds the node itself, or its neighbour again
 * @backlog: ticks of packets counted on a link that it has still to carry; NULL: none
 * @waiting: add the packets, and their chunks, that are counted on link (@node, @dir), whose
 *           turn has not come; of all links, @node TORUS_NONE: those whose other end is
 *           the domain's; NULL: none
 * @acknowledge: where control packets are simulated: one is due for a live link's packet
 * @owes: a control packet waits for a live link
 * @controls: control packets that a link has carried
 * @occupancy: add the chunks that the domain's buffers hold, by VC; NULL: none
 * @stalls: add the hot stall counters of a link
 * @stalls_fold: add those of a node to 64-bit sums and clear them
 * @census: count packets, tokens and waiting buffers of a domain
 * @waits: what the packet at the head of a VC buffer waits for
 * @head: packet at the head of slot @slot of a node, or TORUS_NONE
 * @snapshot: write or read a node's state, see state/snapshot.h
 * @event: what a snapshot has of an event, enum torus_event_load
 * @snapshot_tail: NULL without live links; the place of an event's packet that waits at the node,
 *              TORUS_NONE: it has gone
 * @verify: check a node that has been read against its events; give those of tails their packets
 *
 * A machine without buffers that can fill has no @tokens, @discard, @place,
 * @link_state, @link_live, @link_busy and @head; core refuses what needs them.
 */
struct torus_router_ops {
	u32 vcs;
	const char *const *vc_names;
	size_t node_bytes;
	size_t cold_bytes;
	u32 (*tokens)(struct torus_fabric *f, const struct torus_packet *packet, u32 vc);
	void (*inject)(struct torus_domain *d, u32 node, u32 fifo, u32 pkt);
	void (*refill)(struct torus_fabric *f, u32 node);
	u32 (*inject_room)(struct torus_fabric *f, u32 node, u32 fifo);
	u32 inject_slots;
	u32 (*inject_slot)(u32 fifo);
	u32 ports;
	u32 (*port)(const struct torus_packet *p);
	bool (*discard)(struct torus_domain *d, u32 node, u32 slot);
	void (*run)(struct torus_domain *d, u64 until);
	bool interrupts;
	void (*touch)(struct torus_fabric *f, u32 node);
	int (*place)(struct torus_fabric *f, u32 node, u32 dir, u32 vc,
		     const struct torus_packet *packet);
	void (*link_state)(struct torus_fabric *f, u32 node, u32 dir, bool up);
	void (*link_live)(struct torus_fabric *f, u32 node, u32 dir, bool live);
	bool (*link_busy)(struct torus_fabric *f, u32 node, u32 dir);
	void (*freed)(struct torus_domain *d, u32 node, u32 slot, u32 tokens);
	void (*flush)(struct torus_fabric *f, u32 node, u32 slot, u32 reason);
	void (*reroute)(struct torus_fabric *f, u32 node);
	void (*discard_link)(struct torus_fabric *f, u32 node, u32 dir);
	void (*reclaim_tokens)(struct torus_fabric *f, u32 node, u32 slot, u32 tokens);
	void (*reseed)(struct torus_fabric *f, u32 node);
	void (*loopback)(struct torus_fabric *f, u32 node, bool on);
	u64 (*backlog)(struct torus_fabric *f, u32 node, u32 dir);
	void (*waiting)(struct torus_domain *d, u32 node, u32 dir, u64 *packets, u64 *chunks);
	void (*acknowledge)(struct torus_domain *d, u32 node, u32 dir, u64 at);
	bool (*owes)(struct torus_domain *d, u32 node, u32 dir);
	u32 (*controls)(struct torus_fabric *f, u32 node, u32 dir);
	void (*occupancy)(struct torus_domain *d, u64 *chunks);
	void (*stalls)(struct torus_fabric *f, u32 node, u32 dir, u64 *stalls);
	void (*stalls_fold)(struct torus_domain *d, u32 node, u64 *folded);
	void (*census)(struct torus_domain *d, struct torus_check *check);
	u32 (*head)(struct torus_fabric *f, u32 node, u32 slot, u64 *waits, bool *blocked);
	void (*snapshot)(struct torus_snapshot *snap, struct torus_domain *d, u32 node);
	u32 (*event)(struct torus_fabric *f, const struct torus_event *ev);
	void (*snapshot_tail)(struct torus_snapshot *snap, struct torus_domain *d,
			      const struct torus_snapshot_event *tail, u32 *pkt);
	void (*verify)(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
		       struct torus_snapshot_events *events, struct torus_moving *moving);
};

#endif /* TORUS_CORE_ROUTER_OPS_H */
