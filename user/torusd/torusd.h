/* SPDX-License-Identifier: GPL-2.0 */
/* torusd: fabrics from a file, and cables that die while they run. */
#ifndef TORUSD_H
#define TORUSD_H

#include "../config/ctl.h"
#include "../netlink/fabric.h"

#define TORUSD_LOST	3	/* exit status: it ran, and could not go on */
#define TORUSD_HOLD_MS	1000u	/* a cable that is out for so long is dead */
#define TORUSD_DRAIN_MS	2000u	/* a network that is not empty then goes on */

/**
 * struct torusd_cable - a cable that carries nothing
 * @node: number of one end
 * @dir: the direction in which it leaves there, a plus
 * @peer: number of the other end
 * @since_ms: since when, as torusd_now_ms(); 0: it was dead before this program began
 * @seen: it was out at the last look
 * @word: somebody has switched a sender off: it is left as it is
 * @dead: it is taken for dead
 */
struct torusd_cable {
	uint32_t node;
	uint32_t dir;
	uint32_t peer;
	uint64_t since_ms;
	bool seen;
	bool word;
	bool dead;
};

/**
 * struct torusd_fabric - a fabric that is watched
 * @name: its name
 * @cables: those that are out
 * @count: their number
 * @retry_ms: when a change of tables that could not be ended is tried again, 0: none
 * @there: it was there at the last look
 * @looked: its cables have been looked at
 */
struct torusd_fabric {
	char name[TORUS_NAME_MAX];
	struct torusd_cable *cables;
	size_t count;
	uint64_t retry_ms;
	bool there;
	bool looked;
};

/**
 * struct torusd - the agent
 * @ctl: the call, connected
 * @file: the configuration
 * @hold_ms: how long a cable is out before it is dead
 * @drain_ms: how long a network may take to be empty
 * @fabrics: that are watched
 * @count: their number
 * @blind: what the last look at them failed with, which has been told; else 0
 * @events: a second session, which tells of them
 */
struct torusd {
	struct ctl *ctl;
	const char *file;
	uint64_t hold_ms;
	uint64_t drain_ms;
	struct torusd_fabric *fabrics;
	size_t count;
	int blind;
	struct torus_nl *events;
};

#endif /* TORUSD_H */
