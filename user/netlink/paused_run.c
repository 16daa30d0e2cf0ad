// SPDX-License-Identifier: GPL-2.0
/* Run a paused fabric to a tick, or to an event. */
#include <errno.h>

#include "paused_run.h"

/**
 * torus_nl_run_begin - pause a fabric, and begin a run
 * @fabric: name of the fabric
 * @run: the run
 *
 * The run ends with the session, or when torus_nl_run_next() reports that it is done. The fabric
 * stays paused.
 *
 * Return: 0 or a negative errno; -EBUSY if another client runs the fabric.
 */
int torus_nl_run_begin(struct torus_nl *nl, const char *fabric, const struct torus_nl_run *run)
{
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_RUN_BEGIN, fabric);

	if (msg && ((run->ticks && nla_put_u64(msg, TORUS_A_VALUE, run->ticks)) ||
		    (run->has_tick && nla_put_u64(msg, TORUS_A_CLOCK, run->tick)) ||
		    (run->event && nla_put_string(msg, TORUS_A_STOP_EVENT, run->event)) ||
		    (run->cause && nla_put_string(msg, TORUS_A_STOP_CAUSE, run->cause)) ||
		    (run->reg && nla_put_string(msg, TORUS_A_REG_NAME, run->reg)) ||
		    (run->has_value && nla_put_u32(msg, TORUS_A_REG_VALUE, run->value)) ||
		    (run->nnodes && nla_put(msg, TORUS_A_STOP_NODES,
					    (int)(run->nnodes * sizeof(*run->nodes)),
					    run->nodes)) ||
		    (run->record && nla_put_flag(msg, TORUS_A_RECORD)))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return torus_nl_do(nl, msg, NULL, NULL);
}

static int piece_parse(const struct torus_nl_reply *reply, void *item)
{
	struct torus_nl_piece *piece = item;
	size_t bytes;

	bytes = torus_nl_binary(reply, TORUS_A_RECORDS, piece->events, sizeof(piece->events));
	if (bytes > sizeof(piece->events) || bytes % sizeof(piece->events[0]))
		return -EBADMSG;
	piece->count = bytes / sizeof(piece->events[0]);
	piece->clock = torus_nl_u64(reply, TORUS_A_CLOCK);
	piece->left = torus_nl_u64(reply, TORUS_A_VALUE);
	piece->lost = torus_nl_u64(reply, TORUS_A_LOST);
	piece->done = torus_nl_has(reply, TORUS_A_DONE);
	piece->early = torus_nl_has(reply, TORUS_A_EARLY);
	torus_nl_string(reply, TORUS_A_TEXT, piece->why, sizeof(piece->why));
	torus_nl_string(reply, TORUS_A_STOP_EVENT, piece->event, sizeof(piece->event));
	torus_nl_string(reply, TORUS_A_STOP_CAUSE, piece->cause, sizeof(piece->cause));
	torus_nl_string(reply, TORUS_A_REG_NAME, piece->reg, sizeof(piece->reg));
	piece->node = torus_nl_u32(reply, TORUS_A_NODE);
	piece->value = torus_nl_u32(reply, TORUS_A_REG_VALUE);
	return 0;
}

/**
 * torus_nl_run_next - continue a run, or read the events that were recorded
 * @fabric: name of the fabric
 * @piece: [out] the piece
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_run_next(struct torus_nl *nl, const char *fabric, struct torus_nl_piece *piece)
{
	piece->why[0] = '\0';
	piece->event[0] = '\0';
	piece->cause[0] = '\0';
	piece->reg[0] = '\0';
	return torus_nl_do(nl, torus_nl_message(nl, TORUS_CMD_RUN_NEXT, fabric), piece_parse,
			   piece);
}
