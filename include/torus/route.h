/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libtorus: hint bits that lead around dead nodes and links.
 *
 * Blue Gene/L's "hardware does not have the capability to route around dead nodes
 * or links.  However, software can set the hint bits appropriately so that such
 * nodes are avoided; full connectivity can be maintained when there are up to
 * three noncolinear faulty nodes."  (Paper, Torus network.)
 *
 * A map is a machine's shape and what is dead in it.  For two nodes it gives, in
 * this order: hints whose deterministic path is clear; hints with which nothing
 * can trap a dynamic packet; a node whose software sends the packet on.
 *
 * Jobs (<torus/message.h>) do all this by themselves: this is for programs that
 * build packets.  user/route/README.md tells the rules and why they hold.
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
#define TORUS_ROUTE_DIMS	3		/* of Blue Gene/L */

struct torus_context;
struct torus_route_map;

/**
 * enum torus_route_class - how a pair of nodes is reached
 * @TORUS_ROUTE_BLOCKED: not at all
 * @TORUS_ROUTE_PATH: by a clear deterministic path
 * @TORUS_ROUTE_ADAPTIVE: by dynamic packets only
 * @TORUS_ROUTE_RELAY: through one node's software
 */
enum torus_route_class {
	TORUS_ROUTE_BLOCKED,
	TORUS_ROUTE_PATH,
	TORUS_ROUTE_ADAPTIVE,
	TORUS_ROUTE_RELAY,
};

/**
 * struct torus_route_leg - a way from one node to another without software between
 * @hints: TORUS_BGL_HINT_*
 * @deterministic: packets in dimension order may go by them
 * @dynamic: dynamic packets may
 * @hops: links
 */
struct torus_route_leg {
	__u8 hints;
	bool deterministic;
	bool dynamic;
	__u32 hops;
};

/**
 * struct torus_route_choice - how to get from one node to another
 * @kind: enum torus_route_class
 * @relay: the node that sends packets on, TORUS_ROUTE_NONE: none does
 * @leg: to the destination, or to the relay and from there to the destination
 * @hops: links of both legs
 */
struct torus_route_choice {
	enum torus_route_class kind;
	__u32 relay;
	struct torus_route_leg leg[2];
	__u32 hops;
};

/**
 * struct torus_route_fault - something dead
 * @node: a node, or the sender of a link
 * @dir: direction of the link, TORUS_ROUTE_NONE: the node itself is dead
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

/* Of an attached fabric; <torus/torus.h> tells errors. */
int torus_route_learn(struct torus_context *context, struct torus_route_map **map);

#ifdef __cplusplus
}
#endif

#endif /* TORUS_ROUTE_H */
