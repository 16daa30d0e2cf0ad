// SPDX-License-Identifier: GPL-2.0
/*
 * Compute the length of a slice: the part of a run between two progress reports and checks for
 * Ctrl-C.
 */
#include "core/state/config.h"
#include "slice.h"

#define SLICE_NODE_TICKS	(1ull << 24)
/*
 * assumed ticks of a window if the fabric has one part; the next constant is for several parts
 */
#define WINDOW_TICKS_LONE	256
#define WINDOW_TICKS		16

/**
 * sim_slice_windows - the length of a slice of a run
 * @config: configuration of the fabric
 *
 * Progress is reported and Ctrl-C is handled between two slices, so a slice must take a fraction of
 * a second. The length depends only on the fabric, not on time, so that a repeated run has the same
 * slices.
 *
 * Return: the budget of torus_fabric_run(): number of windows, at least one.
 */
u64 sim_slice_windows(const struct torus_config *config)
{
	u64 ticks = SLICE_NODE_TICKS / config->geo.nodes;
	u64 windows = ticks / (torus_config_parts(config) > 1 ? WINDOW_TICKS : WINDOW_TICKS_LONE);

	return windows ? windows : 1;
}
