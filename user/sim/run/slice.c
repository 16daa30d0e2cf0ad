// SPDX-License-Identifier: GPL-2.0
/* The length of a slice of a run, between two checks for progress and Ctrl-C. */
#include "core/state/config.h"
#include "slice.h"

#define SLICE_NODE_TICKS	(1ull << 24)
#define WINDOW_TICKS_LONE	256	/* of a window with one domain, and with many */
#define WINDOW_TICKS		16

/**
 * sim_slice_windows - the length of a slice of a run
 * @config: configuration of the fabric
 *
 * Between two slices, progress is reported and Ctrl-C is handled: a slice takes a fraction of a
 * second.  Its length depends on the fabric alone, so a repeated run takes the same path.
 *
 * Return: windows, at least one: the budget of torus_fabric_run().
 */
u64 sim_slice_windows(const struct torus_config *config)
{
	u64 ticks = SLICE_NODE_TICKS / config->geo.nodes;
	u64 windows = ticks / (torus_config_parts(config) > 1 ? WINDOW_TICKS : WINDOW_TICKS_LONE);

	return windows ? windows : 1;
}
