/* SPDX-License-Identifier: GPL-2.0 */
/* Operations of a machine's router for the rest of the core. */
#ifndef TORUS_CORE_ROUTER_OPS_H
#define TORUS_CORE_ROUTER_OPS_H

#include "core/platform.h"

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
 * @vcs: number of virtual channels of a link
 * @vc_names: names of the VCs
 * @node_bytes: size of a node in the hot loop
 * @cold_bytes: memory per node of the router's enabled options, outside of the hot loop's nodes
 * @tokens: get the tokens that a packet takes from a VC's buffer
 * @inject: put a packet into the slot of an injection FIFO that has space
 * @refill: fill a node's injection FIFOs in the next tick
 * @inject_room: get the free chunks of the injection slot that a FIFO feeds
 * @inject_slots: number of injection slots; 0: one for each injection FIFO
 * @inject_slot: get the slot that injection FIFO i feeds, i counts through all groups; NULL: FIFO i
 *   feeds slot i
 * @ports: number of reception ports; each has an injection slot and a TNI with counters
 *   (state/tni.h); 0: none
 * @port: get the reception port of a packet; NULL if there are no ports
 * @discard: discard the packet in a VC buffer, if it is still there; true if it was
 * @run: hot loop: process all events of the domain before @until
 * @interrupts: @run may return in the middle of tick 0, and continue there at the next call. The
 *   window that begins at tick 0 then has only that tick
 * @touch: arbitrate a node again in the next tick
 * @place: put a packet into a VC buffer directly, for tests and demonstrations
 * @link_state: allow or forbid the sender of (@node, @dir) to start new packets
 * @link_live: start or stop the simulation of a link's protocol
 * @link_busy: check whether a link cannot start a new packet
 * @freed: report freed space of a VC buffer to its sender (while events are applied)
 * @flush: drop the packets in a slot with a reason
 * @reroute: route the heads of a node's slots again, between two runs
 * @discard_link: drop the packets that wait for a dead link and have no other alternative
 * @reclaim_tokens: return tokens of the VC buffer at a link's other end to the sender
 * @reseed: reset a node's random stream
 * @loopback: connect all senders of a node to the node itself, or back to its neighbours
 * @backlog: get the ticks that a link needs for packets that it has counted and not sent yet; NULL:
 *   links count packets when they are sent
 * @waiting: add the number of packets and chunks that link (@node, @dir) has counted and not sent
 *   yet. @node TORUS_NONE: of all links that end in the domain. NULL: links count packets when they
 *   are sent
 * @acknowledge: with simulated control packets: schedule one for a packet of a live link
 * @owes: check whether a control packet waits for a live link
 * @controls: get the number of control packets that a link has sent
 * @occupancy: add the chunks in the domain's buffers, by VC; NULL: no buffers
 * @stalls: add the hot stall counters of a link to @stalls
 * @stalls_fold: add the hot stall counters of a node to 64-bit sums, and clear them; NULL: only
 *   clear them and the counts of control packets
 * @census: count the packets, tokens and buffer space of a domain
 * @head: get the packet at the head of slot @slot, or TORUS_NONE; @waits: [out] its alternatives if
 *   it waits for them, otherwise 0; @blocked: [out] no alternative has buffer space. With two
 *   stages, if the slot is empty: a packet of its input in a bank, and @waits is 0
 * @snapshot: write or read a node's state, see state/snapshot.h
 * @event: get the data that a snapshot has for an event, enum torus_event_load
 * @snapshot_tail: write or read the place of an event's packet that waits at the node; TORUS_NONE:
 *   the packet has left. NULL without live links
 * @verify: validate a restored node against its events; set the packets of tail events
 *
 * A router whose buffers cannot fill omits the operations for full buffers and live links, such as
 * @tokens, @link_live and @head. A router whose links make no errors omits @link_live. The core
 * rejects requests that need an omitted operation.
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
