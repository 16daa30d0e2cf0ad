/* SPDX-License-Identifier: GPL-2.0 */
/* Run a synthetic workload in the module, and read its progress and its result. */
#ifndef TORUS_NL_TRAFFIC_H
#define TORUS_NL_TRAFFIC_H

#include "session.h"

/**
 * struct torus_nl_progress - progress of a workload
 * @has_share: true if the module sent @share
 * @share: completed fraction of the workload, in units of 2^-16
 * @has_traffic: true if the module sent @traffic
 * @traffic: parameters of the workload
 * @result: measurements so far
 */
struct torus_nl_progress {
	bool done;
	bool has_share;
	uint64_t share;
	bool has_traffic;
	struct torus_traffic traffic;
	struct torus_result result;
};

int torus_nl_traffic_start(struct torus_nl *nl, const char *fabric,
			   const struct torus_traffic *traffic, const uint64_t *seed);
int torus_nl_traffic_pairs(struct torus_nl *nl, const char *fabric,
			   const struct torus_pair *pairs, uint32_t count);
int torus_nl_traffic_get(struct torus_nl *nl, const char *fabric,
			 struct torus_nl_progress *progress);
int torus_nl_traffic_stop(struct torus_nl *nl, const char *fabric);

#endif /* TORUS_NL_TRAFFIC_H */
