/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Barrier gates of one TNI (Ajima et al. (2009), Integrated collective function, figure 6): a
 * gate waits for its sources, a signal from another gate of the TNI and a packet from a gate
 * elsewhere, combines their data, and signals and sends to its destinations.  No processor does
 * anything between the call that starts a chain of gates and the result at its end.
 *
 * Gates 0 to 15 start and end a chain.  A call makes such a gate fire with the caller's data;
 * the operation is done when its sources have arrived, and they bring the result.  The others
 * are relays, which fire when all their sources have arrived.
 *
 * A gate holds one arrival of each source, so that a packet of the next operation that comes
 * early waits for its turn.  More than one never comes in the chains that user/tofu/chain.h
 * builds.  Where p and q exchange, p's gate X signals p's next gate G and sends to q's next
 * gate H, and q's gate Y signals H and sends to G.  Y fires for the next operation after q has
 * left this one, and H, in q's own chain, has fired before; so X had sent, and in the same
 * instant signalled G, which from then on waits for Y's packet alone.  Y's next packet comes
 * behind that one, for a gate has one path and a path keeps the order: it finds G fired and
 * empty, and the one after it cannot leave before X has signalled G again.  A member of the
 * step before and after sends when it has the last result, which comes from a gate behind the
 * one that it sends to, and gets the next result for a packet that it sends when it has taken
 * the last.  (So a barrier packet must keep its gate's path: a fabric's policy of taking paths
 * in turns is not for it.)
 *
 * In a chain built otherwise a gate may send twice before the receiver took the first packet.
 * The second one is refused, and what was held becomes TOFU_OUTCOME_LOST, of which the ends of
 * the chain hear.  After that the gates of the chain have to be set anew.
 *
 * No signal runs in a circle for ever: a source names its gate, so each signal and packet has
 * one place to go and one that it comes from, and what is under way on any circle of gates
 * neither grows nor shrinks.  Gates begin empty, and a start gate adds one for each call and
 * takes it out at the end.
 */
#ifndef TORUS_ARCH_TOFU_GATE_H
#define TORUS_ARCH_TOFU_GATE_H

#include "arch/tofu/reduce.h"
#include "arch/tofu/gate_id.h"

#define TOFU_GATES	48u	/* of a TNI */
#define TOFU_ENDS	16u	/* of these the first start and end chains */
#define TOFU_GATE_QUEUED 4u	/* packets of a gate that may wait to leave */

/*
 * What a gate says, numbered as enum torus_gate_answer as far as programs hear it; the public
 * interface's code behind it.
 */
enum tofu_gate_answer {
	TOFU_GATE_FINE,			/* UTOFU_SUCCESS */
	TOFU_GATE_RUNNING,		/* poll: sources are missing; UTOFU_ERR_NOT_COMPLETED */
	TOFU_GATE_IDLE,			/* poll: nothing was started; UTOFU_ERR_NOT_PROCESSED */
	TOFU_GATE_BUSY,			/* start: the last result is not taken, or a gate would have
					 * more than TOFU_GATE_QUEUED packets; UTOFU_ERR_BUSY
					 */
	TOFU_GATE_FULL,			/* alloc: so many are not free; UTOFU_ERR_FULL */
	TOFU_GATE_BAD_ID,		/* no such gate, or of another TNI, or a relay where an end
					 * is needed; UTOFU_ERR_INVALID_VBG_ID
					 */
	TOFU_GATE_BAD_PATH,		/* UTOFU_ERR_INVALID_PATH */
	TOFU_GATE_BAD_OP,		/* UTOFU_ERR_INVALID_OP */
	TOFU_GATE_BAD_COUNT,		/* UTOFU_ERR_INVALID_NUMBER */
	TOFU_GATE_MISMATCH,		/* members disagree; UTOFU_ERR_BARRIER_MISMATCH */
	TOFU_GATE_LOST,			/* a packet was lost or none; UTOFU_ERR_BARRIER_OTHER */
	TOFU_GATE_UNSET,		/* start: the gate waits for nothing; told to who delivers
					 * a packet or signal, too, which is dropped
					 */
	TOFU_GATE_LEFT,			/* a member left the chain; UTOFU_ERR_BARRIER_OTHER */
	/* told to who delivers a packet or signal, which is dropped */
	TOFU_GATE_STRANGER,		/* from another gate than the one that is waited for */
	TOFU_GATE_OVERRUN,		/* a second one before the first was taken */
	TOFU_GATE_MALFORMED,		/* a head or data that no gate sends */
	TOFU_GATE_ANSWERS,
};

#define TOFU_GATE_PATH_DEFAULT	0xffu

/**
 * struct tofu_gate_setting - what a gate waits for and where it sends
 * @gate: VBG id of the gate itself
 * @local_source: of a gate of the same TNI, also of itself; or TOFU_VBG_NULL
 * @remote_source: of any gate; or TOFU_VBG_NULL
 * @local_dest: of a gate of the same TNI; or TOFU_VBG_NULL
 * @remote_dest: of any gate; or TOFU_VBG_NULL
 * @path: packets' path, the relay's number in its group, or TOFU_GATE_PATH_DEFAULT
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
 * Behind the network's header: the source's VBG id, most significant byte first, the
 * destination's TNI and gate, two zero bytes.  With its data a barrier takes 16 bytes.
 */
#define TOFU_GATE_HEAD_BYTES	12u
#define TOFU_GATE_TNI_AT	8u
#define TOFU_GATE_BYTES_MAX	(TOFU_GATE_HEAD_BYTES + TOFU_REDUCE_BYTES_MAX)

/**
 * struct tofu_gate_packet - a barrier packet
 * @source: VBG id of the gate that sends it
 * @dest: VBG id of the gate that it is for
 * @path: its path, or TOFU_GATE_PATH_DEFAULT; not carried
 * @data: what it brings
 */
struct tofu_gate_packet {
	u64 source;
	u64 dest;
	u8 path;
	struct tofu_reduction data;
};

/**
 * struct tofu_gate_ops - what gates ask of their machine
 * @send: inject a packet; it must arrive once, and in order with others of its source
 * @done: an end gate has a result for tofu_gates_poll()
 *
 * Both are called with @context, and must not call the gates in turn.
 */
struct tofu_gate_ops {
	void (*send)(void *context, const struct tofu_gate_packet *packet);
	void (*done)(void *context, u32 gate);
};

enum tofu_gate_side { TOFU_LOCAL, TOFU_REMOTE };

/**
 * struct tofu_gate - one gate
 * @source: VBG ids by enum tofu_gate_side
 * @dest: likewise
 * @path: of its packets
 * @awaited: bit s: there is a source on side s; 0: the gate is not set
 * @arrived: bit s: it has arrived
 * @left: 1 + index of the node whose member left the chain; 0: all members are there
 * @held: what has arrived, combined
 * @over: operations since the gate was set: those for which a relay fired, or that brought an
 *        end gate its result
 * @most: with @left: number of operations that still end as if nobody had left
 * @when: with @left: moment when it left, as tofu_barrier_moment() counts
 * @link: VBG id, used by left.c while it walks the chain
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
 * struct tofu_end - what a gate has beside, that starts and ends a chain
 * @state: enum tofu_end_state
 * @op: of the operation that runs
 * @count: likewise
 * @result: what has arrived, once it is done
 */
struct tofu_end {
	u8 state;
	u8 op;
	u8 count;
	struct tofu_reduction result;
};

/**
 * struct tofu_gates - the barrier gates of a TNI: 15 KB, so for TNIs that have a chain alone
 * @self: VBG id of its gate 0
 * @used: bit i: gate i is allocated
 * @ops: the machine's
 * @context: for @ops
 * @gate: by their number
 * @end: of the first TOFU_ENDS
 * @turn: of each how often it was set: a packet for whoever had it before is told from one for
 *        who has it
 * @queued: number of packets of each gate that wait to leave; counted by the machine
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
