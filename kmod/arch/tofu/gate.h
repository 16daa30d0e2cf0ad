/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Barrier gates of one TNI (Ajima et al. (2009), Integrated collective function, figure 6).
 *
 * A gate waits for its sources: a signal from another gate of the TNI and a packet from a gate
 * elsewhere. It combines their data, then signals and sends to its destinations. Processors do
 * nothing between the call that starts a chain of gates and the result at its end.
 *
 * Gates 0 to 15 start and end a chain. A call makes such a gate fire with the caller's data.
 * The operation is done when the gate's sources have arrived, and their data is the result. The
 * other gates are relays, which fire when all their sources have arrived.
 *
 * A gate stores one arrival of each source, so a packet of the next operation may arrive early.
 * In the chains that user/tofu/chain.h builds, a second early packet is impossible:
 * - Let p and q exchange: p's gate X signals p's next gate G and sends to q's next gate H. q's
 *   gate Y signals H and sends to G.
 * - Y fires for the next operation only after q has finished this one, so H, in q's own chain,
 *   has fired before.
 * - So X had sent, and in the same instant signalled G. From then on G waits for Y's packet
 *   alone.
 * - Y's next packet arrives after that one, because a gate has one path and a path keeps the
 *   order. It finds G fired and empty. The packet after it cannot leave before X has signalled
 *   G again.
 * - A member of the steps before and after sends when it has the last result, which comes from
 *   a gate after the one that it sends to. It receives the next result for a packet that it
 *   sends after it has taken the last.
 * Therefore a barrier packet must keep its gate's path: the fabric's policy of alternating
 * paths does not apply to it.
 *
 * In a chain built otherwise, a gate may send twice before the receiver has used the first
 * packet. The second packet is rejected and the stored data becomes TOFU_OUTCOME_LOST, which is
 * reported to the ends of the chain. After that the gates of the chain must be set again.
 *
 * No signal circulates indefinitely. A source names its gate, so each signal and packet has one
 * origin and one destination. The number of signals and packets on any circle of gates
 * therefore stays constant. Gates start empty; a start gate adds one for each call and removes
 * it at the end.
 */
#ifndef TORUS_ARCH_TOFU_GATE_H
#define TORUS_ARCH_TOFU_GATE_H

#include "arch/tofu/reduce.h"
#include "arch/tofu/gate_id.h"

#define TOFU_GATES	48u	/* gates of a TNI */
#define TOFU_ENDS	16u	/* the first gates of a TNI start and end chains */
#define TOFU_GATE_QUEUED 4u	/* maximum packets of a gate that wait to leave */

/*
 * Results of gate calls, each with the public interface's (uTofu's) code. Results that programs
 * receive are numbered as in enum torus_gate_answer.
 */
enum tofu_gate_answer {
	TOFU_GATE_FINE,			/* UTOFU_SUCCESS */
	TOFU_GATE_RUNNING,		/* poll: sources are missing; UTOFU_ERR_NOT_COMPLETED */
	/* poll: no operation was started; UTOFU_ERR_NOT_PROCESSED */
	TOFU_GATE_IDLE,
	/*
	 * start: the last result has not been taken, or a gate would exceed TOFU_GATE_QUEUED
	 * packets; UTOFU_ERR_BUSY
	 */
	TOFU_GATE_BUSY,
	TOFU_GATE_FULL,			/* alloc: not enough free gates; UTOFU_ERR_FULL */
	/*
	 * no such gate, gate of another TNI, or a relay where an end gate is needed;
	 * UTOFU_ERR_INVALID_VBG_ID
	 */
	TOFU_GATE_BAD_ID,
	TOFU_GATE_BAD_PATH,		/* UTOFU_ERR_INVALID_PATH */
	TOFU_GATE_BAD_OP,		/* UTOFU_ERR_INVALID_OP */
	TOFU_GATE_BAD_COUNT,		/* UTOFU_ERR_INVALID_NUMBER */
	TOFU_GATE_MISMATCH,		/* members disagree; UTOFU_ERR_BARRIER_MISMATCH */
	TOFU_GATE_LOST,			/* a packet was lost or invalid; UTOFU_ERR_BARRIER_OTHER */
	/*
	 * start: the gate was not set, so it has no source. Deliver: the packet or signal is
	 * dropped.
	 */
	TOFU_GATE_UNSET,
	TOFU_GATE_LEFT,			/* a member left the chain; UTOFU_ERR_BARRIER_OTHER */
	/* Results for the caller that delivers a packet or signal, which is dropped: */
	TOFU_GATE_STRANGER,		/* the sender is not the gate's configured source */
	TOFU_GATE_OVERRUN,		/* a source sent twice before the first packet was used */
	TOFU_GATE_MALFORMED,		/* a header or data that no gate sends */
	TOFU_GATE_ANSWERS,
};

#define TOFU_GATE_PATH_DEFAULT	0xffu

/**
 * struct tofu_gate_setting - sources and destinations of a gate
 *
 * @gate: VBG ID of the gate itself
 * @local_source: VBG ID of a gate of the same TNI, possibly @gate; or TOFU_VBG_NULL
 * @remote_source: VBG ID of any gate; or TOFU_VBG_NULL
 * @local_dest: VBG ID of a gate of the same TNI; or TOFU_VBG_NULL
 * @remote_dest: VBG ID of any gate; or TOFU_VBG_NULL
 * @path: path of the gate's packets, i.e. the relay's number in its group, or
 *     TOFU_GATE_PATH_DEFAULT
 */
struct tofu_gate_setting {
	u64 gate;
	u64 local_source;
	u64 remote_source;
	u64 local_dest;
	u64 remote_dest;
	u8 path;
};

/*
 * Gate header, which follows the network's header: the source's VBG ID, most significant byte
 * first, the destination's TNI and gate, two zero bytes. A barrier's gate header and data take 16
 * bytes.
 */
#define TOFU_GATE_HEAD_BYTES	12u
#define TOFU_GATE_TNI_AT	8u
#define TOFU_GATE_BYTES_MAX	(TOFU_GATE_HEAD_BYTES + TOFU_REDUCE_BYTES_MAX)

/**
 * struct tofu_gate_packet - a barrier packet
 *
 * @source: VBG ID of the sending gate
 * @dest: VBG ID of the destination gate
 * @path: path, or TOFU_GATE_PATH_DEFAULT; not part of the packet's bytes
 * @data: value to be combined
 */
struct tofu_gate_packet {
	u64 source;
	u64 dest;
	u8 path;
	struct tofu_reduction data;
};

/**
 * struct tofu_gate_ops - operations that the machine provides for gates
 *
 * @send: inject a packet; packets of one gate must arrive once and in order
 * @done: report that an end gate has a result for tofu_gates_poll()
 *
 * Both are called with @context, and must not call the gates.
 */
struct tofu_gate_ops {
	void (*send)(void *context, const struct tofu_gate_packet *packet);
	void (*done)(void *context, u32 gate);
};

enum tofu_gate_side { TOFU_LOCAL, TOFU_REMOTE };

/**
 * struct tofu_gate - one gate
 *
 * @source: VBG IDs of the sources, by enum tofu_gate_side
 * @dest: VBG IDs of the destinations, by enum tofu_gate_side
 * @path: path of the gate's packets
 * @awaited: bit s: the gate has a source on side s; 0: the gate is not set
 * @arrived: bit s: the source on side s has arrived
 * @left: 1 + index of the node whose member left the chain; 0: no member has left
 * @held: combined data of the arrived sources
 * @over: number of completed operations since the gate was set. A relay completes an operation when
 *   it fires, an end gate when it gets the result
 * @most: with @left: number of operations that still end normally
 * @when: with @left: moment when the member left, as tofu_barrier_moment() counts
 * @link: VBG ID of the next gate in the work list of left.c
 */
struct tofu_gate {
	u64 source[2];
	u64 dest[2];
	u8 path;
	u8 awaited;
	u8 arrived;
	u32 left;
	struct tofu_reduction held;
	u64 over;
	u64 most;
	u64 when;
	u64 link;
};

enum tofu_end_state {
	TOFU_END_IDLE,
	TOFU_END_RUNNING,
	TOFU_END_DONE,
	TOFU_END_LEFT,			/* a member left the chain: there is no result */
};

/**
 * struct tofu_end - additional state of an end gate, which starts and ends a chain
 *
 * @state: enum tofu_end_state
 * @op: operation code of the running operation
 * @count: number of values of the running operation
 * @result: combined data of the sources, valid in TOFU_END_DONE
 */
struct tofu_end {
	u8 state;
	u8 op;
	u8 count;
	struct tofu_reduction result;
};

/**
 * struct tofu_gates - the barrier gates of a TNI
 *
 * It takes 15 KB, so it is allocated only for TNIs that have a chain.
 *
 * @self: VBG ID of the TNI's gate 0
 * @used: bit i: gate i is allocated
 * @ops: operations of the machine
 * @context: argument for @ops
 * @gate: gates, by number
 * @end: state of the end gates, the first TOFU_ENDS
 * @turn: counter of the settings of each gate, which begins where freed channels ended. A packet
 *     records it, so packets for an earlier owner of the gate are recognized.
 * @queued: packets of each gate that wait to leave; the machine updates it
 */
struct tofu_gates {
	u64 self;
	u64 used;
	const struct tofu_gate_ops *ops;
	void *context;
	struct tofu_gate gate[TOFU_GATES];
	struct tofu_end end[TOFU_ENDS];
	u32 turn[TOFU_GATES];
	u8 queued[TOFU_GATES];
};

void tofu_gates_init(struct tofu_gates *gates, u64 self, const struct tofu_gate_ops *ops,
		     void *context);
void tofu_gates_reset(struct tofu_gates *gates);
u32 tofu_gates_alloc(struct tofu_gates *gates, u32 count, u64 *vbgs);
u32 tofu_gates_free(struct tofu_gates *gates, u64 vbg);
u32 tofu_gates_judge(const struct tofu_gates *gates, const struct tofu_gate_setting *setting);
u32 tofu_gates_set(struct tofu_gates *gates, const struct tofu_gate_setting *setting);
u32 tofu_gates_start(struct tofu_gates *gates, u64 vbg, u32 op, const u64 *values, u32 count);
u32 tofu_gates_poll(struct tofu_gates *gates, u64 vbg, struct tofu_reduction *result);
bool tofu_gates_leave(struct tofu_gates *gates, u32 number, u32 node, u64 most, u64 when);
u32 tofu_gates_left(const struct tofu_gates *gates, u64 vbg);
u32 tofu_gates_deliver(struct tofu_gates *gates, const struct tofu_gate_packet *packet);
u32 tofu_gates_take(struct tofu_gates *gates, const u8 *bytes, u32 length);

u32 tofu_gate_packet_bytes(const struct tofu_gate_packet *packet);
u32 tofu_gate_packet_unpack(struct tofu_gate_packet *packet, u64 self, const u8 *bytes, u32 length);
void tofu_gate_packet_pack(const struct tofu_gate_packet *packet, u8 *bytes);

#endif
