// SPDX-License-Identifier: GPL-2.0
/* Allocate, configure, start and signal barrier gates: see gate.h. */
#include "arch/tofu/gate.h"
#include "arch/tofu/route.h"

#define ENDS_MASK	((1ull << TOFU_ENDS) - 1)
#define GATES_MASK	((1ull << TOFU_GATES) - 1)

void tofu_gates_init(struct tofu_gates *gates, u64 self, const struct tofu_gate_ops *ops,
		     void *context)
{
	memset(gates, 0, sizeof(*gates));
	gates->self = self;
	gates->ops = ops;
	gates->context = context;
}

/* Return the number of an allocated gate of this TNI; TOFU_GATES if @vbg names no such gate. */
static u32 gate_number(const struct tofu_gates *gates, u64 vbg)
{
	u32 number = tofu_vbg_gate(vbg);

	if ((vbg ^ gates->self) & ~TOFU_VBG_GATE || number >= TOFU_GATES ||
	    !(gates->used >> number & 1))
		return TOFU_GATES;
	return number;
}

/* Clear the setting, stored data and the running operation of a gate. */
static void gate_clear(struct tofu_gates *gates, u32 number)
{
	memset(&gates->gate[number], 0, sizeof(gates->gate[number]));
	if (number < TOFU_ENDS)
		memset(&gates->end[number], 0, sizeof(gates->end[number]));
}

/*
 * Discard the data that the gates of a TNI store, and their running operations.
 *
 * The gates stay allocated and set. A member that left a chain stays recorded as left.
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

/*
 * Allocate the gates of a chain: one end gate, then relays.
 *
 * @count: number of gates, 1 to TOFU_GATES
 * @vbgs: [out] VBG IDs of the gates, in that order
 *
 * Return: TOFU_GATE_FINE; TOFU_GATE_FULL, and no gate is allocated.
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

/*
 * Free a gate, and discard its stored data and its running operation.
 *
 * Return: TOFU_GATE_FINE; TOFU_GATE_BAD_ID if @vbg is not allocated.
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

/*
 * Validate a setting without applying it.
 *
 * Return: the result that tofu_gates_set() would return.
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

/*
 * Configure the sources and destinations of a gate.
 *
 * @setting: the gate and at least one source; destinations may be TOFU_VBG_NULL. The gate and
 *     its local sources and destinations must be allocated.
 *
 * The caller checks who owns the local gates. The data that the gate stored and the operation
 * that it ran are discarded. Members start a chain when all members have set their gates,
 * because a packet for a gate that is not set is dropped.
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

/*
 * Complete the running operation of an end gate, if data from all the gate's sources has arrived.
 */
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

/*
 * Record a signal or packet at a gate.
 *
 * @fires: [out] whether all sources have arrived, so that the gate (a relay) must fire
 */
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

/*
 * Fire a gate. If its signal was the last source that another gate waited for, fire that gate, and
 * so on.
 */
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

/* Check whether gate @number would fire if gate @source signalled it now. */
static bool gate_would_fire(const struct tofu_gates *gates, u32 number, u64 source)
{
	const struct tofu_gate *gate = &gates->gate[number];

	return number >= TOFU_ENDS && gate->source[TOFU_LOCAL] == source &&
	       gate->awaited >> TOFU_LOCAL & 1 && !(gate->arrived >> TOFU_LOCAL & 1) &&
	       (gate->arrived | 1u << TOFU_LOCAL) == gate->awaited;
}

/*
 * Check that all gates that fire when an operation starts have space for their packets. A gate
 * has one source of signals, so this walk visits each gate at most once.
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

/* Fail a start gate's operation because its signal reached no gate that waits for it. */
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

/* Check whether a gate's next operation must end without a result because a member left. */
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
 * Check whether a gate must record the departure of @node in place of the departure that it has
 * recorded. Criteria, in this order: fewer operations that still end normally (@most), the earlier
 * moment (@when), the smaller node index.
 */
static bool leave_is_news(const struct tofu_gate *gate, u32 node, u64 most, u64 when)
{
	if (!gate->left || gate->most != most)
		return !gate->left || most < gate->most;
	return when == gate->when ? node + 1 < gate->left : when < gate->when;
}

/*
 * Record at a gate that a member left its chain.
 *
 * @number: the gate
 * @node: index of the member's node
 * @most: number of operations, since the gate was set, that still end normally
 * @when: moment when the member left; the result does not depend on the order of departures at one
 *   moment
 *
 * The running operation ends with TOFU_GATE_LEFT if its number exceeds @most.
 *
 * Return: false if the record of the gate did not change.
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

/*
 * Return the member whose leaving ended an operation with TOFU_GATE_LEFT.
 *
 * @vbg: VBG ID of the gate that was polled
 *
 * Return: index of the member's node; TORUS_NONE if no member has left.
 */
u32 tofu_gates_left(const struct tofu_gates *gates, u64 vbg)
{
	u32 number = gate_number(gates, vbg);

	return number < TOFU_GATES ? gates->gate[number].left - 1 : TORUS_NONE;
}

/*
 * Start an operation without waiting for its result, which tofu_gates_poll() returns.
 *
 * @vbg: VBG ID of a gate that starts and ends a chain
 * @op: enum tofu_op
 * @values: this member's integers, or the bits of its doubles
 * @count: number of @values
 *
 * Return: TOFU_GATE_FINE, TOFU_GATE_BAD_ID, TOFU_GATE_BAD_OP or TOFU_GATE_BAD_COUNT.
 * TOFU_GATE_UNSET: tofu_gates_set() was not called for the gate.
 * TOFU_GATE_BUSY: the last operation's result has not been taken, or a gate that would fire
 * already has TOFU_GATE_QUEUED packets that wait to leave.
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

/*
 * Take the result of an operation.
 *
 * @vbg: VBG ID of the gate that started the operation
 * @result: [out] the result, valid with TOFU_GATE_FINE
 *
 * Return: TOFU_GATE_FINE, TOFU_GATE_MISMATCH, TOFU_GATE_LOST or TOFU_GATE_LEFT (see
 * tofu_gates_left()); the gate is then free for the next operation.
 * TOFU_GATE_RUNNING: sources are missing. TOFU_GATE_IDLE: no operation was started.
 * TOFU_GATE_BAD_ID: not an end gate.
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

/*
 * Deliver a barrier packet to its gate.
 *
 * @packet: the packet; its path is not used
 *
 * The gate, and then further gates, may fire and call the machine's operations.
 *
 * Return: TOFU_GATE_FINE: the packet was accepted and may be stored until all sources have
 * arrived.
 * TOFU_GATE_BAD_ID, TOFU_GATE_UNSET, TOFU_GATE_STRANGER or TOFU_GATE_OVERRUN: the packet, or
 * the signal of a gate that fired for it, was dropped.
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

/*
 * Return the length of a barrier packet without the network's header: at most
 * TOFU_GATE_BYTES_MAX.
 */
u32 tofu_gate_packet_bytes(const struct tofu_gate_packet *packet)
{
	return TOFU_GATE_HEAD_BYTES + tofu_reduce_bytes(&packet->data);
}

/*
 * Serialize a barrier packet for the network.
 *
 * @bytes: [out] tofu_gate_packet_bytes() bytes, which follow the network's header
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

/*
 * Parse the bytes of a barrier packet.
 *
 * @packet: [out] the packet
 * @self: VBG ID of gate 0 of the TNI; byte TOFU_GATE_TNI_AT must name the same TNI
 * @bytes: bytes that follow the network's header
 * @length: number of @bytes; bytes after the data are padding
 *
 * Return: TOFU_GATE_FINE.
 * TOFU_GATE_LOST: the data is invalid; @packet is valid and its outcome is TOFU_OUTCOME_LOST.
 * TOFU_GATE_MALFORMED: the gate header is invalid.
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

/*
 * Parse a barrier packet that has arrived, and deliver it to its gate.
 *
 * @gates: gates of the TNI that byte TOFU_GATE_TNI_AT names
 * @bytes: bytes that follow the network's header
 * @length: number of @bytes; bytes after the data are padding
 *
 * A packet from the right gate with invalid data counts as arrived: the chain continues, and
 * its ends report TOFU_GATE_LOST.
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
