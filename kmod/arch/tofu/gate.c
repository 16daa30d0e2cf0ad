// SPDX-License-Identifier: GPL-2.0
/* Barrier gates: allocated, set, started, signalled: see gate.h. */
#include "arch/tofu/gate.h"
#include "arch/tofu/route.h"

#define ENDS_MASK	((1ull << TOFU_ENDS) - 1)
#define GATES_MASK	((1ull << TOFU_GATES) - 1)

/**
 * tofu_gates_init() - gates of which none is allocated
 * @gates: the gates of a TNI
 * @self: VBG id of its gate 0
 * @ops: what they ask of the machine
 * @context: for @ops
 */
void tofu_gates_init(struct tofu_gates *gates, u64 self, const struct tofu_gate_ops *ops,
		     void *context)
{
	memset(gates, 0, sizeof(*gates));
	gates->self = self;
	gates->ops = ops;
	gates->context = context;
}

/* A gate of this TNI that somebody has; TOFU_GATES if it is none. */
static u32 gate_number(const struct tofu_gates *gates, u64 vbg)
{
	u32 number = tofu_vbg_gate(vbg);

	if ((vbg ^ gates->self) & ~TOFU_VBG_GATE || number >= TOFU_GATES ||
	    !(gates->used >> number & 1))
		return TOFU_GATES;
	return number;
}

/* Nothing is awaited, held, running. */
static void gate_clear(struct tofu_gates *gates, u32 number)
{
	memset(&gates->gate[number], 0, sizeof(gates->gate[number]));
	if (number < TOFU_ENDS)
		memset(&gates->end[number], 0, sizeof(gates->end[number]));
}

/**
 * tofu_gates_reset() - what the gates hold and run is forgotten
 * @gates: the gates of a TNI
 *
 * They stay allocated and set.  A member that left a chain has left it for good.
 */
void tofu_gates_reset(struct tofu_gates *gates)
{
	u32 i;

	for (i = 0; i < TOFU_GATES; i++) {
		gates->gate[i].arrived = 0;
		gates->gate[i].over = 0;
		gates->gate[i].most = 0;
	}
	memset(gates->end, 0, sizeof(gates->end));
	memset(gates->queued, 0, sizeof(gates->queued));
}

/**
 * tofu_gates_alloc() - gates for a chain
 * @gates: the gates of a TNI
 * @count: how many, 1 to TOFU_GATES
 * @vbgs: gets their VBG ids: first one that starts and ends a chain, then relays
 *
 * Return: TOFU_GATE_FINE, or TOFU_GATE_FULL and none is taken.
 */
u32 tofu_gates_alloc(struct tofu_gates *gates, u32 count, u64 *vbgs)
{
	u64 ends = ~gates->used & ENDS_MASK, relays = ~gates->used & GATES_MASK & ~ENDS_MASK;
	u32 i;

	if (!count || !ends || count - 1 > torus_popcount(relays))
		return TOFU_GATE_FULL;
	for (i = 0; i < count; i++) {
		u32 number = torus_ctz(i ? relays : ends);

		relays &= ~(1ull << number);
		gates->used |= 1ull << number;
		vbgs[i] = gates->self | number;
	}
	return TOFU_GATE_FINE;
}

/**
 * tofu_gates_free() - give a gate back
 * @gates: the gates of a TNI
 * @vbg: VBG id of one that is allocated; what it holds or runs is forgotten
 *
 * Return: TOFU_GATE_FINE or TOFU_GATE_BAD_ID.
 */
u32 tofu_gates_free(struct tofu_gates *gates, u64 vbg)
{
	u32 number = gate_number(gates, vbg);

	if (number == TOFU_GATES)
		return TOFU_GATE_BAD_ID;
	gate_clear(gates, number);
	gates->used &= ~(1ull << number);
	return TOFU_GATE_FINE;
}

static bool gate_elsewhere(u64 vbg)
{
	u32 coords[TOFU_AXES];

	return vbg == TOFU_VBG_NULL ||
	       (tofu_vbg_coords(vbg, coords) && tofu_vbg_gate(vbg) < TOFU_GATES);
}

/**
 * tofu_gates_judge() - may a gate be set so?
 * @gates: the gates of a TNI
 * @setting: as for tofu_gates_set()
 *
 * Return: what tofu_gates_set() would.
 */
u32 tofu_gates_judge(const struct tofu_gates *gates, const struct tofu_gate_setting *setting)
{
	bool awaits = setting->local_source != TOFU_VBG_NULL ||
		      setting->remote_source != TOFU_VBG_NULL;

	if (gate_number(gates, setting->gate) == TOFU_GATES || !awaits ||
	    !gate_elsewhere(setting->remote_source) || !gate_elsewhere(setting->remote_dest))
		return TOFU_GATE_BAD_ID;
	if (setting->local_source != TOFU_VBG_NULL &&
	    gate_number(gates, setting->local_source) == TOFU_GATES)
		return TOFU_GATE_BAD_ID;
	if (setting->local_dest != TOFU_VBG_NULL &&
	    gate_number(gates, setting->local_dest) == TOFU_GATES)
		return TOFU_GATE_BAD_ID;
	if (setting->path >= TOFU_PATHS && setting->path != TOFU_GATE_PATH_DEFAULT)
		return TOFU_GATE_BAD_PATH;
	return TOFU_GATE_FINE;
}

/**
 * tofu_gates_set() - tell a gate what to wait for and where to send
 * @gates: the gates of a TNI
 * @setting: the gate, allocated; at least one source; local ones allocated, too.  Destinations
 *	may be null
 *
 * Whose the local gates are is the caller's to know.  What the gate held or ran is forgotten.
 * Members of a chain start it when all have set their gates: a packet for a gate that is not
 * set is dropped.
 *
 * Return: TOFU_GATE_FINE, TOFU_GATE_BAD_ID or TOFU_GATE_BAD_PATH.
 */
u32 tofu_gates_set(struct tofu_gates *gates, const struct tofu_gate_setting *setting)
{
	u32 number = gate_number(gates, setting->gate), verdict = tofu_gates_judge(gates, setting);
	struct tofu_gate *gate;

	if (verdict)
		return verdict;
	gate_clear(gates, number);
	gates->turn[number]++;
	gate = &gates->gate[number];
	gate->source[TOFU_LOCAL] = setting->local_source;
	gate->source[TOFU_REMOTE] = setting->remote_source;
	gate->dest[TOFU_LOCAL] = setting->local_dest;
	gate->dest[TOFU_REMOTE] = setting->remote_dest;
	gate->path = setting->path;
	gate->awaited = (u8)((setting->local_source != TOFU_VBG_NULL) << TOFU_LOCAL |
			     (setting->remote_source != TOFU_VBG_NULL) << TOFU_REMOTE);
	return TOFU_GATE_FINE;
}

/* An end gate's sources have arrived, if they have, for the operation that runs, if one does. */
static void end_settle(struct tofu_gates *gates, u32 number)
{
	struct tofu_gate *gate = &gates->gate[number];
	struct tofu_end *end = &gates->end[number];

	if (end->state != TOFU_END_RUNNING || gate->arrived != gate->awaited)
		return;
	end->result = gate->held;
	if (!end->result.outcome && (end->result.op != end->op || end->result.count != end->count))
		tofu_reduce_spoil(&end->result, TOFU_OUTCOME_MISMATCH);
	end->state = TOFU_END_DONE;
	gate->arrived = 0;
	gate->over++;
	gates->ops->done(gates->context, number);
}

/* A signal or a packet comes to a gate; is the gate to fire? */
static u32 gate_arrive(struct tofu_gates *gates, u32 number, u32 side, u64 source,
		       const struct tofu_reduction *data, bool *fires)
{
	struct tofu_gate *gate = &gates->gate[number];

	*fires = false;
	if (!gate->awaited)
		return TOFU_GATE_UNSET;
	if (!(gate->awaited >> side & 1) || gate->source[side] != source)
		return TOFU_GATE_STRANGER;
	if (gate->arrived >> side & 1) {
		tofu_reduce_spoil(&gate->held, TOFU_OUTCOME_LOST);
		return TOFU_GATE_OVERRUN;
	}
	if (gate->arrived)
		tofu_reduce_combine(&gate->held, data);
	else
		gate->held = *data;
	gate->arrived |= (u8)(1u << side);
	if (number < TOFU_ENDS) {
		end_settle(gates, number);
	} else if (gate->arrived == gate->awaited) {
		gate->arrived = 0;
		gate->over++;
		*fires = true;
	}
	return TOFU_GATE_FINE;
}

/* A gate fires, and so does who waits for its signal alone, one after the other. */
static u32 gate_fire(struct tofu_gates *gates, u32 number, const struct tofu_reduction *data)
{
	struct tofu_gate_packet packet = { .data = *data };
	bool fires = true;
	u32 answer = TOFU_GATE_FINE;

	while (fires) {
		struct tofu_gate *gate = &gates->gate[number];

		packet.source = gates->self | number;
		packet.dest = gate->dest[TOFU_REMOTE];
		packet.path = gate->path;
		if (packet.dest != TOFU_VBG_NULL)
			gates->ops->send(gates->context, &packet);
		if (gate->dest[TOFU_LOCAL] == TOFU_VBG_NULL)
			break;
		number = tofu_vbg_gate(gate->dest[TOFU_LOCAL]);
		answer = gate_arrive(gates, number, TOFU_LOCAL, packet.source, &packet.data,
				     &fires);
		packet.data = gates->gate[number].held;
	}
	return answer;
}

/* Does a gate fire when a signal of @source reaches it? */
static bool gate_would_fire(const struct tofu_gates *gates, u32 number, u64 source)
{
	const struct tofu_gate *gate = &gates->gate[number];

	return number >= TOFU_ENDS && gate->source[TOFU_LOCAL] == source &&
	       gate->awaited >> TOFU_LOCAL & 1 && !(gate->arrived >> TOFU_LOCAL & 1) &&
	       (gate->arrived | 1u << TOFU_LOCAL) == gate->awaited;
}

/*
 * Can all gates that fire when an operation starts queue their packets?  A gate has one source of
 * signals, so this walk meets no gate twice.
 */
static bool start_fits(const struct tofu_gates *gates, u32 number)
{
	const struct tofu_gate *gate;
	u64 source;

	do {
		gate = &gates->gate[number];
		if (gate->dest[TOFU_REMOTE] != TOFU_VBG_NULL &&
		    gates->queued[number] >= TOFU_GATE_QUEUED)
			return false;
		if (gate->dest[TOFU_LOCAL] == TOFU_VBG_NULL)
			return true;
		source = gates->self | number;
		number = tofu_vbg_gate(gate->dest[TOFU_LOCAL]);
	} while (gate_would_fire(gates, number, source));
	return true;
}

/* What a start gate's own operation comes to if its signal finds no gate that waits for it. */
static void end_fail(struct tofu_gates *gates, u32 number)
{
	struct tofu_end *end = &gates->end[number];

	if (end->state != TOFU_END_RUNNING)
		return;
	end->result.outcome = TOFU_OUTCOME_FINE;
	tofu_reduce_spoil(&end->result, TOFU_OUTCOME_LOST);
	end->state = TOFU_END_DONE;
	gates->ops->done(gates->context, number);
}

/* Is the next operation of a gate one that ends without a result, since a member left? */
static bool gate_forsaken(const struct tofu_gate *gate)
{
	return gate->left && gate->over >= gate->most;
}

static void end_forsake(struct tofu_gates *gates, u32 number)
{
	gates->end[number].state = TOFU_END_LEFT;
	gates->ops->done(gates->context, number);
}

/*
 * Must a gate name this member instead of the one that it names?  The order is: fewer operations
 * that still end, the earlier moment, the smaller node.
 */
static bool leave_is_news(const struct tofu_gate *gate, u32 node, u64 most, u64 when)
{
	if (!gate->left || gate->most != most)
		return !gate->left || most < gate->most;
	return when == gate->when ? node + 1 < gate->left : when < gate->when;
}

/**
 * tofu_gates_leave() - record at a gate that a member left its chain
 * @gates: the gates of a TNI
 * @number: the gate
 * @node: index of the member's node
 * @most: number of operations, since the gate was set, that still end as if nobody had left
 * @when: moment when the member left; the order in which those of one moment are recorded makes no
 *	difference
 *
 * The operation that runs ends with TOFU_GATE_LEFT if it is beyond @most.
 *
 * Return: false if nothing has changed.
 */
bool tofu_gates_leave(struct tofu_gates *gates, u32 number, u32 node, u64 most, u64 when)
{
	struct tofu_gate *gate = &gates->gate[number];

	if (!leave_is_news(gate, node, most, when))
		return false;
	gate->left = node + 1;
	gate->most = most;
	gate->when = when;
	if (number < TOFU_ENDS && gates->end[number].state == TOFU_END_RUNNING &&
	    gate_forsaken(gate))
		end_forsake(gates, number);
	return true;
}

/**
 * tofu_gates_left() - the member for which an operation ended with TOFU_GATE_LEFT
 * @gates: the gates of a TNI
 * @vbg: VBG id of the gate that was polled
 *
 * Return: index of the member's node; TORUS_NONE: no member has left.
 */
u32 tofu_gates_left(const struct tofu_gates *gates, u64 vbg)
{
	u32 number = gate_number(gates, vbg);

	return number < TOFU_GATES ? gates->gate[number].left - 1 : TORUS_NONE;
}

/**
 * tofu_gates_start() - start an operation
 * @gates: the gates of a TNI
 * @vbg: VBG id of a gate that starts and ends a chain
 * @op: enum tofu_op
 * @values: this member's integers, or the bits of its doubles
 * @count: how many
 *
 * Returns at once; tofu_gates_poll() has the result.
 *
 * Return: TOFU_GATE_FINE; TOFU_GATE_BAD_ID, TOFU_GATE_BAD_OP, TOFU_GATE_BAD_COUNT;
 * TOFU_GATE_UNSET before tofu_gates_set(); TOFU_GATE_BUSY until the last operation's result
 * is taken, and while a gate that would fire has TOFU_GATE_QUEUED packets that wait to leave.
 */
u32 tofu_gates_start(struct tofu_gates *gates, u64 vbg, u32 op, const u64 *values, u32 count)
{
	u32 number = gate_number(gates, vbg), refusal;
	struct tofu_reduction own = { .outcome = TOFU_OUTCOME_FINE };
	struct tofu_end *end;

	if (number >= TOFU_ENDS)
		return TOFU_GATE_BAD_ID;
	if (!gates->gate[number].awaited)
		return TOFU_GATE_UNSET;
	end = &gates->end[number];
	if (end->state != TOFU_END_IDLE)
		return TOFU_GATE_BUSY;
	refusal = tofu_reduce_set(&own, op, values, count);
	if (refusal)
		return refusal == TOFU_REDUCE_BAD_OP ? TOFU_GATE_BAD_OP : TOFU_GATE_BAD_COUNT;
	if (gate_forsaken(&gates->gate[number])) {
		end_forsake(gates, number);
		return TOFU_GATE_FINE;
	}
	if (!start_fits(gates, number))
		return TOFU_GATE_BUSY;
	end->state = TOFU_END_RUNNING;
	end->op = (u8)op;
	end->count = (u8)count;
	if (gate_fire(gates, number, &own))
		end_fail(gates, number);
	end_settle(gates, number);
	return TOFU_GATE_FINE;
}

/**
 * tofu_gates_poll() - take the result of an operation
 * @gates: the gates of a TNI
 * @vbg: VBG id of the gate that has started it
 * @result: gets it when the answer is TOFU_GATE_FINE
 *
 * Return: TOFU_GATE_FINE, TOFU_GATE_MISMATCH, TOFU_GATE_LOST or TOFU_GATE_LEFT (see
 * tofu_gates_left()), and the gate is free for the next operation; TOFU_GATE_RUNNING while
 * sources are missing, TOFU_GATE_IDLE when nothing was started, TOFU_GATE_BAD_ID.
 */
u32 tofu_gates_poll(struct tofu_gates *gates, u64 vbg, struct tofu_reduction *result)
{
	u32 number = gate_number(gates, vbg);
	struct tofu_end *end;

	if (number >= TOFU_ENDS)
		return TOFU_GATE_BAD_ID;
	end = &gates->end[number];
	if (end->state == TOFU_END_IDLE || end->state == TOFU_END_RUNNING)
		return end->state == TOFU_END_IDLE ? TOFU_GATE_IDLE : TOFU_GATE_RUNNING;
	if (end->state == TOFU_END_LEFT) {
		end->state = TOFU_END_IDLE;
		return TOFU_GATE_LEFT;
	}
	end->state = TOFU_END_IDLE;
	if (end->result.outcome == TOFU_OUTCOME_MISMATCH)
		return TOFU_GATE_MISMATCH;
	if (end->result.outcome)
		return TOFU_GATE_LOST;
	*result = end->result;
	return TOFU_GATE_FINE;
}

/**
 * tofu_gates_deliver() - a barrier packet has arrived
 * @gates: the gates of the TNI that it is for
 * @packet: the packet; its path is not looked at
 *
 * Gates may fire, and so call their machine's operations.
 *
 * Return: TOFU_GATE_FINE, and the packet may be held until it is its turn; or why it, or the
 * signal of a gate that fired for it, is dropped: TOFU_GATE_BAD_ID, TOFU_GATE_UNSET,
 * TOFU_GATE_STRANGER, TOFU_GATE_OVERRUN.
 */
u32 tofu_gates_deliver(struct tofu_gates *gates, const struct tofu_gate_packet *packet)
{
	u32 number = tofu_vbg_gate(packet->dest), answer;
	bool fires;

	if ((packet->dest ^ gates->self) & ~TOFU_VBG_GATE || number >= TOFU_GATES)
		return TOFU_GATE_BAD_ID;
	answer = gate_arrive(gates, number, TOFU_REMOTE, packet->source, &packet->data, &fires);
	return fires ? gate_fire(gates, number, &gates->gate[number].held) : answer;
}

/**
 * tofu_gate_packet_bytes() - how long a barrier packet is behind the network's header
 * @packet: the packet
 *
 * Return: bytes, at most TOFU_GATE_BYTES_MAX.
 */
u32 tofu_gate_packet_bytes(const struct tofu_gate_packet *packet)
{
	return TOFU_GATE_HEAD_BYTES + tofu_reduce_bytes(&packet->data);
}

/**
 * tofu_gate_packet_pack() - a barrier packet as it travels
 * @packet: the packet
 * @bytes: gets tofu_gate_packet_bytes(), what follows the network's header
 */
void tofu_gate_packet_pack(const struct tofu_gate_packet *packet, u8 *bytes)
{
	u32 i;

	for (i = 0; i < sizeof(packet->source); i++)
		bytes[i] = (u8)(packet->source >> (56 - 8 * i));
	bytes[TOFU_GATE_TNI_AT] = (u8)tofu_vbg_tni(packet->dest);
	bytes[TOFU_GATE_TNI_AT + 1] = (u8)tofu_vbg_gate(packet->dest);
	bytes[TOFU_GATE_TNI_AT + 2] = 0;
	bytes[TOFU_GATE_TNI_AT + 3] = 0;
	tofu_reduce_pack(&packet->data, bytes + TOFU_GATE_HEAD_BYTES);
}

/**
 * tofu_gate_packet_unpack() - a barrier packet that has arrived
 * @packet: gets it
 * @self: VBG id of gate 0 of the TNI that byte TOFU_GATE_TNI_AT names
 * @bytes: what is behind the network's header
 * @length: how many; those behind the data are padding
 *
 * Return: TOFU_GATE_FINE; TOFU_GATE_LOST where the data makes no sense: then @packet brings
 * that; TOFU_GATE_MALFORMED where the head does not.
 */
u32 tofu_gate_packet_unpack(struct tofu_gate_packet *packet, u64 self, const u8 *bytes, u32 length)
{
	const u8 *to = bytes + TOFU_GATE_TNI_AT;
	u32 i;

	if (length < TOFU_GATE_HEAD_BYTES || to[0] != tofu_vbg_tni(self) || to[1] >= TOFU_GATES ||
	    to[2] || to[3])
		return TOFU_GATE_MALFORMED;
	packet->path = TOFU_GATE_PATH_DEFAULT;
	packet->dest = self | to[1];
	packet->source = 0;
	for (i = 0; i < sizeof(packet->source); i++)
		packet->source = packet->source << 8 | bytes[i];
	if (tofu_reduce_unpack(&packet->data, bytes + TOFU_GATE_HEAD_BYTES,
			       length - TOFU_GATE_HEAD_BYTES))
		return TOFU_GATE_FINE;
	packet->data = (struct tofu_reduction){ .outcome = TOFU_OUTCOME_LOST };
	return TOFU_GATE_LOST;
}

/**
 * tofu_gates_take() - a barrier packet has arrived, as bytes
 * @gates: the gates of the TNI that byte TOFU_GATE_TNI_AT names
 * @bytes: what is behind the network's header
 * @length: how many; those behind the data are padding
 *
 * A packet from the right gate whose data makes no sense counts as arrived: the chain goes
 * on, and its ends are told TOFU_GATE_LOST.
 *
 * Return: as tofu_gates_deliver(), or TOFU_GATE_MALFORMED.
 */
u32 tofu_gates_take(struct tofu_gates *gates, const u8 *bytes, u32 length)
{
	struct tofu_gate_packet packet;
	u32 sense = tofu_gate_packet_unpack(&packet, gates->self, bytes, length), answer;

	if (sense == TOFU_GATE_MALFORMED)
		return TOFU_GATE_MALFORMED;
	answer = tofu_gates_deliver(gates, &packet);
	return answer || !sense ? answer : TOFU_GATE_MALFORMED;
}
