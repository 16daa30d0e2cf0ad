/* SPDX-License-Identifier: GPL-2.0 */
/* Transports by torus packets and by torus messages, with one context per rank. */
#ifndef TORUS_PERF_COMPARE_TORUS_H
#define TORUS_PERF_COMPARE_TORUS_H

#include "perf.h"

int torus_join(struct perf_rank *rank);
void torus_leave(struct perf_rank *rank);
int torus_ranks_fit(const struct call *call, struct torus_fabric_info *info);
int torus_tune(struct perf_rank *rank);
int torus_packets_send(struct perf_rank *rank, unsigned int to, size_t bytes);
int torus_packets_send_many(struct perf_rank *rank, unsigned int to, size_t bytes,
			    unsigned int count);
int torus_packets_receive(struct perf_rank *rank, unsigned int *from, size_t bytes);
int torus_messages_send(struct perf_rank *rank, unsigned int to, size_t bytes);
int torus_messages_receive(struct perf_rank *rank, unsigned int *from, size_t bytes);

#endif
