// SPDX-License-Identifier: GPL-2.0
/*
 * Check that the ranks of an MPI job have used the fabric, and report its messages and packets.
 * Ranks that were killed count, too: the module counts packets and attachments, which are read
 * before and after the job. The ranks count messages and bytes in a file that outlives them.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/rank_traffic.h"
#include "../netlink/counter.h"
#include "endpoints.h"
#include "log.h"
#include "mpirun.h"
#include "provider.h"
#include "run.h"

#define NAMED_MAX	8	/* maximum number of ranks that a message names */
#define CAUSE_BYTES	(RUN_PATH_MAX + 80)

/* Read the number of the last attachment to each rank's place. */
static uint32_t *holders_read(const struct run_env *env)
{
	const struct run_fabric_info *machine = env->machine;
	uint32_t *all, *mine = NULL;
	struct torus_group *groups;
	struct parse_error why;
	size_t count, i, rank;

	if (!query_holders(machine->device, &machine->fabric, &groups, &all, &count, &why)) {
		run_log("%s", why.text);
		return NULL;
	}
	mine = calloc(env->places.count, sizeof(*mine));
	for (i = 0; mine && i < count; i++)
		for (rank = 0; rank < env->places.count; rank++)
			if (groups[i].node == env->places.at[rank].node &&
			    groups[i].group == env->places.at[rank].group)
				mine[rank] = all[i];
	if (!mine)
		run_log("out of memory for %zu ranks", env->places.count);
	free(groups);
	free(all);
	return mine;
}

/* Read the counters of the fabric. Return false if this user may not read them. */
static bool counters_read(const struct run_env *env, struct torus_fabric_counters *counters)
{
	struct torus_nl *nl = torus_nl_new();
	bool good = nl && !torus_nl_connect(nl) &&
		    !torus_nl_counter_get(nl, env->machine->fabric.name, counters);

	torus_nl_free(nl);
	return good;
}

/**
 * run_endpoints_begin - read the state of the fabric before a job, and create its counters
 * @endpoints: [out] the state, released by run_endpoints_end()
 * @env: [in, out] environment of the ranks; its @traffic is set
 *
 * Return: true, or false after an error message.
 */
bool run_endpoints_begin(struct run_endpoints *endpoints, struct run_env *env)
{
	*endpoints = (struct run_endpoints){
		.traffic = torus_rank_traffic_open(env->key, env->places.count),
	};
	if (endpoints->traffic < 0) {
		run_log("cannot create a file in memory for %zu ranks: %s", env->places.count,
			strerror(errno));
		return false;
	}
	torus_rank_traffic_path(endpoints->traffic, env->traffic, sizeof(env->traffic));
	endpoints->holders = holders_read(env);
	endpoints->counted = counters_read(env, &endpoints->counters);
	return endpoints->holders;
}

/* Name the ranks that have not attached, at most NAMED_MAX of them. Return the number of all. */
static size_t ranks_without(const struct run_endpoints *endpoints, const struct run_env *env,
			    const uint32_t *now, char *text, size_t size)
{
	size_t rank, count = 0, used = 0;

	*text = '\0';
	for (rank = 0; rank < env->places.count; rank++) {
		if (now[rank] != endpoints->holders[rank])
			continue;
		if (count++ < NAMED_MAX)
			used += snprintf(text + used, size - used, "%s%zu", used ? ", " : "", rank);
	}
	if (count > NAMED_MAX)
		snprintf(text + used, size - used, " and %zu more", count - NAMED_MAX);
	return count;
}

static void report_messages(const struct run_endpoints *endpoints, const struct run_env *env)
{
	struct torus_rank_traffic sum;

	if (torus_rank_traffic_sum(endpoints->traffic, env->places.count, &sum))
		run_log("fabric %s: %" PRIu64 " messages, %" PRIu64 " bytes",
			env->machine->fabric.name, sum.messages, sum.bytes);
}

static void report_packets(const struct run_endpoints *endpoints, const struct run_env *env)
{
	const struct torus_fabric_counters *before = &endpoints->counters;
	struct torus_fabric_counters now;
	uint64_t dropped = 0;
	unsigned int i;

	if (!endpoints->counted || !counters_read(env, &now))
		return;
	for (i = 0; i < TORUS_DROP_MAX; i++)
		dropped += now.dropped[i] - before->dropped[i];
	run_log("fabric %s: %" PRIu64 " packets injected, %" PRIu64 " delivered, %" PRIu64
		" dropped", env->machine->fabric.name,
		(uint64_t)(now.injected - before->injected),
		(uint64_t)(now.delivered - before->delivered), dropped);
}

/**
 * run_endpoints_end - check that all ranks have opened an endpoint, and report their traffic
 * @endpoints: from run_endpoints_begin(); its memory is freed
 * @env: environment of the ranks
 * @mpirun: the provider that the ranks have used
 * @status: exit status of the job
 *
 * A job that torus-run or a signal has ended is not checked.
 *
 * Return: @status, or RUN_REFUSED after an error message if a rank of a job that succeeded has not
 * used the fabric.
 */
int run_endpoints_end(struct run_endpoints *endpoints, const struct run_env *env,
		      const struct run_mpirun *mpirun, int status)
{
	uint32_t *now = status < RUN_TIMED_OUT ? holders_read(env) : NULL;
	char ranks[NAMED_MAX * 12 + 32], text[CAUSE_BYTES];
	const char *cause;
	size_t count = now ? ranks_without(endpoints, env, now, ranks, sizeof(ranks)) : 0;

	if (count) {
		cause = run_provider_fault(mpirun, text, sizeof(text));
		run_log("rank%s %s opened no endpoint on fabric %s by pml cm and mtl ofi%s%s",
			count > 1 ? "s" : "", ranks, env->machine->fabric.name,
			cause ? ": " : status ? "" : ": the program must use MPI, and must not "
						     "select another pml",
			cause ? cause : "");
		if (!status)
			status = RUN_REFUSED;
	}
	report_messages(endpoints, env);
	report_packets(endpoints, env);
	close(endpoints->traffic);
	free(now);
	free(endpoints->holders);
	endpoints->holders = NULL;
	return status;
}
