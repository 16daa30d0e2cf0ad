// SPDX-License-Identifier: GPL-2.0
/* Messages of several packets between nodes of a Cray XT, simulated by torus-sim replay. */
#include <stdlib.h>
#include <string.h>

#include "../replay/replay.h"
#include "../replay/run.h"
#include "core/base/random.h"
#include "gather.h"
#include "xt_messages.h"
#include "xt_work.h"

#define PARTNERS	16
#define TEXT_MAX	4096
#define FS_PER_S	1e15

/*
 * Bytes of a message that fills 32 packets. The replay adds eight bytes of its own to each packet.
 */
#define MESSAGE_BYTES	(PAPER_XT_MESSAGE_PACKETS * (PAPER_XT_DATA - 8))

static u32 common_divisor(u32 a, u32 b)
{
	return b ? common_divisor(b, a % b) : a;
}

/*
 * Draw a random factor of at least 2 for which (rank * factor + shift) % ranks is a permutation of
 * the ranks.
 */
static u32 draw_factor(u64 *random, u32 ranks)
{
	u32 factor;

	do {
		*random = torus_mix(*random + 1);
		factor = 2 + (u32)(*random % ranks);
	} while (common_divisor(factor, ranks) != 1);
	return factor;
}

/*
 * Write the log of messages. In round i, each rank sends a message to its i-th partner. At the end,
 * each rank waits for all its messages.
 */
static void write_log(const struct paper_xt *work, char *text)
{
	u32 ranks = work->dims[0] * work->dims[1] * work->dims[2], i;
	u64 random = torus_mix(work->seed);
	size_t used;

	used = (size_t)snprintf(text, TEXT_MAX, "arch xt shape %ux%ux%u\nset policy=%s\n",
				work->dims[0], work->dims[1], work->dims[2], work->policy);
	if (work->key)
		used += (size_t)snprintf(text + used, TEXT_MAX - used, "set %s=%s\n", work->key,
					 work->value);
	used += (size_t)snprintf(text + used, TEXT_MAX - used, "all {\n");
	for (i = 0; i < PARTNERS; i++) {
		u32 factor = draw_factor(&random, ranks);

		used += (size_t)snprintf(text + used, TEXT_MAX - used,
					 "isend (rank * %u + %u) %% size %u irecv any\n", factor,
					 (u32)(random >> 32) % ranks, MESSAGE_BYTES);
	}
	snprintf(text + used, TEXT_MAX - used, "waitall\n}\n");
}

static int messages_simulate(const struct paper_xt *work, struct paper_xt_run *run)
{
	struct replay_result result;
	char text[TEXT_MAX];
	int status;

	write_log(work, text);
	memset(run, 0, sizeof(*run));
	status = replay_measure("xt-gain", text, &result);
	if (status)
		return status;
	run->ticks = (double)result.end;
	run->rate = (double)result.counters.delivered * PAPER_XT_DATA * FS_PER_S /
		    ((double)result.end * (double)result.counters.tick_fs);
	run->cpu_s = result.cpu_s;
	return SIM_OK;
}

/**
 * paper_xt_messages - send messages of 32 packets from each node to 16 partners
 * @work: machine, policy, parameter, and the seed from which the partners are drawn; other
 *    members are ignored
 * @run: [out] time and rate until the last message has arrived, and CPU time; no balance
 *
 * Return: SIM_OK, or the exit status after an error message.
 */
int paper_xt_messages(const struct paper_xt *work, struct paper_xt_run *run)
{
	int status;

	if (paper_gather(run, sizeof(*run), &status))
		return status;
	return paper_gather_keep(run, sizeof(*run), messages_simulate(work, run));
}
