/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libtorus: hint bits that lead around dead nodes and links.
 *
 * Blue Gene/L's "hardware does not have the capability to route around dead nodes
 * or links.  However, software can set the hint bits appropriately so that such
 * nodes are avoided; full connectivity can be maintained when there are up to
 * three noncolinear faulty nodes."  (Adiga et al. (2005), Torus network.)
 *
 * A map stores the shape of a machine and its dead nodes and links.  For a pair of nodes it
 * returns the first of these that exists: hints whose deterministic path is clear; hints with
 * which no dynamic packet can be trapped; a relay node, whose software forwards the packet.
 *
 * Jobs (<torus/message.h>) use maps internally.  This interface is for programs that build
 * packets.  user/route/README.md describes the rules and why they hold.
 */
#ifndef TORUS_ROUTE_H
#define TORUS_ROUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>
#include <linux/torus.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TORUS_ROUTE_NONE	(~0u)		/* no such node */
#define TORUS_ROUTE_DIMS	3		/* dimensions of Blue Gene/L */

struct torus_context;
struct torus_route_map;

/**
 * enum torus_route_class - how packets reach a node from another one
 * @TORUS_ROUTE_BLOCKED: not at all
 * @TORUS_ROUTE_PATH: on a clear deterministic path
 * @TORUS_ROUTE_ADAPTIVE: by dynamic routing only
 * @TORUS_ROUTE_RELAY: through the software of one other node
 */
enum torus_route_class {
	TORUS_ROUTE_BLOCKED,
	TORUS_ROUTE_PATH,
	TORUS_ROUTE_ADAPTIVE,
	TORUS_ROUTE_RELAY,
};

/**
 * struct torus_route_leg - hints for one leg of a route; no software forwards a packet within a leg
 * @hints: TORUS_BGL_HINT_*
 * @deterministic: deterministic packets may use these hints
 * @dynamic: dynamic packets may use these hints
 * @hops: number of links
 */
struct torus_route_leg {
	__u8 hints;
	bool deterministic;
	bool dynamic;
	__u32 hops;
};

/**
 * struct torus_route_choice - a route from one node to another
 * @kind: enum torus_route_class
 * @relay: node that forwards the packets; TORUS_ROUTE_NONE: no relay
 * @leg: [0] to the relay, or to the destination if there is no relay; [1] from the relay to the
 *       destination
 * @hops: number of links of the whole route
 */
struct torus_route_choice {
	enum torus_route_class kind;
	__u32 relay;
	struct torus_route_leg leg[2];
	__u32 hops;
};

/**
 * struct torus_route_fault - a dead node or link
 * @node: the dead node, or the sender of the dead link
 * @dir: direction of the link; TORUS_ROUTE_NONE: the node itself is dead
 */
struct torus_route_fault {
	__u32 node;
	__u32 dir;
};

#define TORUS_ROUTE_IN_ORDER	(1u << 0)	/* deterministic packets only */
#define TORUS_ROUTE_DIRECT	(1u << 1)	/* no relay */

int torus_route_map_new(struct torus_route_map **map, const __u32 *dims, __u32 ndims, __u32 mesh);
void torus_route_map_free(struct torus_route_map *map);
int torus_route_kill_node(struct torus_route_map *map, __u32 node);
int torus_route_kill_link(struct torus_route_map *map, __u32 node, __u32 dir);
int torus_route_find_nodes(struct torus_route_map *map);
void torus_route_revive(struct torus_route_map *map);
bool torus_route_node_alive(const struct torus_route_map *map, __u32 node);
bool torus_route_link_alive(const struct torus_route_map *map, __u32 node, __u32 dir);
bool torus_route_intact(const struct torus_route_map *map);

bool torus_route_choose(struct torus_route_map *map, __u32 from, __u32 to, __u32 flags,
			const unsigned char *relays, struct torus_route_choice *choice);
int torus_route_blame(const struct torus_route_map *map, __u32 from, __u32 to, __u32 flags,
		      const unsigned char *relays, struct torus_route_fault *faults, size_t room);

/* Make the map of an attached fabric.  After an error, torus_error_text() returns the reason. */
int torus_route_learn(struct torus_context *context, struct torus_route_map **map);

#ifdef __cplusplus
}
#endif

#endif /* TORUS_ROUTE_H */
