/* SPDX-License-Identifier: GPL-2.0 */
/* torusd: create fabrics from a file, and react to cables that fail while the fabrics run. */
#ifndef TORUSD_H
#define TORUSD_H

#include "../config/ctl.h"
#include "../netlink/fabric.h"

#define TORUSD_LOST	4	/* exit status after an error that occurred when torusd was ready */
/* default time in ms after which a cable that is out is declared dead */
#define TORUSD_HOLD_MS	1000u
#define TORUSD_DRAIN_MS	2000u	/* default time limit in ms for draining a network */

/**
 * struct torusd_cable - a cable that is out
 * @node: number of the node from which the cable leads in plus direction
 * @dir: direction of the cable at @node, always plus
 * @peer: number of the node at the other end
 * @since_ms: time since which the cable is out, by torusd_now_ms(); 0: its sender was dead before
 *    this torusd declared the cable dead
 * @seen: true if the cable was out at the last poll
 * @word: true if the cable is out, or was out when it was declared dead, only because an
 *    administrator has switched a sender off; torusd then does not change the senders
 * @dead: true if torusd has declared the cable dead
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
 * struct torusd_fabric - state of a monitored fabric
 * @name: name of the fabric
 * @cables: cables that are out
 * @count: number of entries in @cables
 * @retry_ms: time at which a failed change of tables is retried; 0: no retry
 * @there: true if the fabric existed at the last poll
 * @looked: true if the fabric's cables have been polled at least once
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
 * @ctl: session for requests
 * @file: name of the configuration file
 * @hold_ms: time in ms after which a cable that is out is declared dead
 * @drain_ms: time limit in ms for draining a network
 * @replace: change existing fabrics to the file
 * @fabrics: monitored fabrics
 * @count: number of entries in @fabrics
 * @blind: error of the last dump of fabrics, which has been logged; 0: no error
 * @events: session for events
 */
struct torusd {
	struct ctl *ctl;
	const char *file;
	uint64_t hold_ms;
	uint64_t drain_ms;
	bool replace;
	struct torusd_fabric *fabrics;
	size_t count;
	int blind;
	struct torus_nl *events;
};

#endif /* TORUSD_H */
