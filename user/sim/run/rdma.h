/* SPDX-License-Identifier: GPL-2.0 */
/* torus-sim run --op put|get: operations on the memory of other nodes. */
#ifndef TORUS_SIM_RUN_RDMA_H
#define TORUS_SIM_RUN_RDMA_H

#include "../cmdline/run_config.h"
#include "../cmdline/cmdline.h"

int sim_rdma_run(const struct sim_run_config *options, const struct sim_cmdline *typed);

#endif /* TORUS_SIM_RUN_RDMA_H */
