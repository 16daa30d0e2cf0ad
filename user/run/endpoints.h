/* SPDX-License-Identifier: GPL-2.0 */
/* Check that the ranks of an MPI job have used the fabric, and report messages and packets. */
#ifndef TORUS_RUN_ENDPOINTS_H
#define TORUS_RUN_ENDPOINTS_H

#include <linux/torus.h>
#include <stdbool.h>

#include "env.h"

struct run_mpirun;

/**
 * struct run_endpoints - state of the fabric before a job
 * @holders: by rank: number of the last attachment to the rank's place
 * @counters: counters of the fabric
 * @counted: true if this user may read the counters
 * @traffic: descriptor of the counters of messages; -1: none
 */
struct run_endpoints {
	uint32_t *holders;
	struct torus_fabric_counters counters;
	bool counted;
	int traffic;
};

bool run_endpoints_begin(struct run_endpoints *endpoints, struct run_env *env);
int run_endpoints_end(struct run_endpoints *endpoints, const struct run_env *env,
		      const struct run_mpirun *mpirun, int status);

#endif /* TORUS_RUN_ENDPOINTS_H */
