// SPDX-License-Identifier: GPL-2.0
/* How much of a run is simulated at a time. */
#include "core/state/config.h"
#include "piece.h"

#define PIECE_NODE_TICKS	(1ull << 24)
#define WINDOW_TICKS_LONE	256	/* of a window with one domain, and with many */
#define WINDOW_TICKS		16

/**
 * sim_piece_windows - the length of a piece of a run
 * @config: of the fabric
 *
 * Between two pieces, progress is told and Ctrl-C is heard: a piece takes a fraction of a second.
 * Its length follows from the fabric alone, so that a run that is repeated takes the same path.
 *
 * Return: windows, at least one: the budget of torus_fabric_run().
 */
u64 sim_piece_windows(const struct torus_config *config)
{
	u64 ticks = PIECE_NODE_TICKS / config->geo.nodes;
	u64 windows = ticks / (torus_config_parts(config) > 1 ? WINDOW_TICKS : WINDOW_TICKS_LONE);

	return windows ? windows : 1;
}
