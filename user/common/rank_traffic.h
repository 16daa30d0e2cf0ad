/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages and bytes that the ranks of a job send. The ranks count, and torus-run reads the sums.
 * Programs that torus-run has not started count nothing.
 */
#ifndef TORUS_COMMON_RANK_TRAFFIC_H
#define TORUS_COMMON_RANK_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TORUS_TRAFFIC_VARIABLE	"TORUS_TRAFFIC"

/**
 * struct torus_rank_traffic - counters of a rank
 * @messages: messages that the rank has sent to other ranks
 * @bytes: bytes of these messages
 */
struct torus_rank_traffic {
	uint64_t messages;
	uint64_t bytes;
};

int torus_rank_traffic_open(uint32_t key, uint32_t ranks);
const char *torus_rank_traffic_path(int fd, char *text, size_t size);
bool torus_rank_traffic_sum(int fd, uint32_t ranks, struct torus_rank_traffic *sum);
struct torus_rank_traffic *torus_rank_traffic_map(uint32_t key, uint32_t rank);
void torus_rank_traffic_unmap(struct torus_rank_traffic *traffic);

#endif /* TORUS_COMMON_RANK_TRAFFIC_H */
