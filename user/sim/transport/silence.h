/* SPDX-License-Identifier: GPL-2.0 */
/* Ranks that say nothing: what a wire knows of that. */
#ifndef TORUS_SIM_SILENCE_H
#define TORUS_SIM_SILENCE_H

#include <stdbool.h>
#include <stdint.h>

struct sim_wire;

/**
 * struct sim_silence - when each rank has said something; all zero where none is given up
 * @began_ms: when this rank began to wait: before, it did not listen
 * @told_ms: when it last said something
 * @heard_ms: when each of the others did
 */
struct sim_silence {
	uint64_t began_ms;
	uint64_t told_ms;
	uint64_t *heard_ms;
};

bool sim_silence_init(struct sim_silence *silence, uint32_t ranks);
void sim_silence_free(struct sim_silence *silence);
void sim_silence_begin(struct sim_silence *silence, const struct sim_wire *wire);
void sim_silence_heard(struct sim_silence *silence, const struct sim_wire *wire, uint32_t rank);
bool sim_silence_due(struct sim_silence *silence, const struct sim_wire *wire);
bool sim_silence_found(const struct sim_silence *silence, const struct sim_wire *wire);

#endif /* TORUS_SIM_SILENCE_H */
