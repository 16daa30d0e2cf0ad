// SPDX-License-Identifier: GPL-2.0
/* Start and stop synthetic workloads in the module, and read their progress. */
#include <errno.h>

#include "traffic.h"

#define CHUNK_PAIRS	512	/* number of pairs in one request: 8 KB of the request's 16 KB */

/**
 * torus_nl_traffic_start - start a workload
 * @fabric: name of the fabric, which must have no programs and no running workload. It is reset
 *    unless it is unused
 * @seed: seed of the workload's random streams; NULL: the fabric's seed
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_traffic_start(struct torus_nl *nl, const char *fabric,
			   const struct torus_traffic *traffic, const uint64_t *seed)
{
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_TRAFFIC_START, fabric);

	if (msg && (nla_put(msg, TORUS_A_TRAFFIC, sizeof(*traffic), traffic) ||
		    (seed && nla_put_u64(msg, TORUS_A_SEED, *seed)))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return torus_nl_do(nl, msg, NULL, NULL);
}

static int traffic_pairs_begin(struct torus_nl *nl, const char *fabric, uint32_t count)
{
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_TRAFFIC_PAIRS, fabric);

	if (msg && nla_put_u64(msg, TORUS_A_VALUE, count)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return torus_nl_do(nl, msg, NULL, NULL);
}

static int traffic_pairs_add(struct torus_nl *nl, const char *fabric,
			     const struct torus_pair *pairs, uint32_t count)
{
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_TRAFFIC_PAIRS, fabric);

	if (msg && nla_put(msg, TORUS_A_PAIRS, (int)(count * sizeof(*pairs)), pairs)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return torus_nl_do(nl, msg, NULL, NULL);
}

/**
 * torus_nl_traffic_pairs - load the pair list for the next workload
 * @fabric: name of the fabric
 * @pairs: pairs of source and destination
 *
 * The workload must then be started in the same session.
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_traffic_pairs(struct torus_nl *nl, const char *fabric,
			   const struct torus_pair *pairs, uint32_t count)
{
	int error = traffic_pairs_begin(nl, fabric, count);
	uint32_t some;

	for (; count && !error; count -= some, pairs += some) {
		some = count < CHUNK_PAIRS ? count : CHUNK_PAIRS;
		error = traffic_pairs_add(nl, fabric, pairs, some);
	}
	return error;
}

static int traffic_parse(const struct torus_nl_reply *reply, void *item)
{
	struct torus_nl_progress *progress = item;

	if (!torus_nl_binary(reply, TORUS_A_RESULT, &progress->result, sizeof(progress->result)))
		return -EBADMSG;
	progress->has_traffic = torus_nl_binary(reply, TORUS_A_TRAFFIC, &progress->traffic,
						sizeof(progress->traffic));
	progress->done = torus_nl_has(reply, TORUS_A_DONE) || progress->result.done;
	progress->has_share = torus_nl_has(reply, TORUS_A_VALUE);
	progress->share = torus_nl_u64(reply, TORUS_A_VALUE);
	return 0;
}

/**
 * torus_nl_traffic_get - read the progress of a workload
 * @fabric: name of the fabric
 * @progress: [out] the progress
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_traffic_get(struct torus_nl *nl, const char *fabric,
			 struct torus_nl_progress *progress)
{
	return torus_nl_do(nl, torus_nl_message(nl, TORUS_CMD_TRAFFIC_GET, fabric),
			   traffic_parse, progress);
}

/**
 * torus_nl_traffic_stop - stop a workload early, or discard the result of one that has ended
 * @fabric: name of the fabric
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_traffic_stop(struct torus_nl *nl, const char *fabric)
{
	return torus_nl_do(nl, torus_nl_message(nl, TORUS_CMD_TRAFFIC_STOP, fabric), NULL, NULL);
}
