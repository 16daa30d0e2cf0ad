/* SPDX-License-Identifier: GPL-2.0 */
/* Nodes: their coordinates, owners, partitions and states. */
#ifndef TORUS_NL_NODE_H
#define TORUS_NL_NODE_H

#include "session.h"

#ifndef __SIZEOF_INT128__
#error "torusctl, torusd and torus-run are for 64-bit processors; libtorus is for both"
#endif

/* Set of attributes of a message, one bit per attribute. */
__extension__ typedef unsigned __int128 torus_nl_set;

#define TORUS_NL_HAS(attr)	((torus_nl_set)1 << (attr))

_Static_assert(TORUS_A_MAX < 128, "torus_nl_set has a bit for each attribute");

/**
 * struct torus_nl_node - a node
 * @present: set of attributes that the module sent, or that a request sends; for TORUS_NL_HAS()
 * @node: number of the node
 * @coords: coordinates
 * @ndims: number of coordinates; 0 if the module did not send them
 * @uid: user ID of the owner
 * @contexts: number of attached programs
 * @state: enum torus_node_state
 * @driver: 1: make groups of the node devices; 0: take the devices away; only in requests
 * @group: FIFO group that @driver is for; only in requests. Not present: all groups
 */
struct torus_nl_node {
	torus_nl_set present;
	uint32_t node;
	uint32_t coords[TORUS_DIMS_MAX];
	unsigned int ndims;
	uint32_t uid;
	uint32_t partition;
	uint32_t contexts;
	uint32_t state;
	uint32_t driver;
	uint32_t group;
};

/**
 * struct torus_nl_inject - a fault of a device
 * @fault: its name
 * @has_value: the request has a value
 * @value: the value
 * @group: FIFO group of the device
 */
struct torus_nl_inject {
	const char *fault;
	bool has_value;
	__u64 value;
	uint32_t group;
};

int torus_nl_node_get(struct torus_nl *nl, const char *fabric, uint32_t number,
		      struct torus_nl_node *node);
int torus_nl_node_fifos(struct torus_nl *nl, const char *fabric, uint32_t number,
			struct torus_fifo_counters **fifos, size_t *count);
int torus_nl_node_dump(struct torus_nl *nl, const char *fabric, struct torus_nl_node **nodes,
		       size_t *count);
int torus_nl_node_dump_changed(struct torus_nl *nl, const char *fabric,
			       struct torus_nl_node **nodes, size_t *count);
int torus_nl_node_set(struct torus_nl *nl, const char *fabric, const struct torus_nl_node *node);
int torus_nl_node_inject(struct torus_nl *nl, const char *fabric, uint32_t number,
			 const struct torus_nl_inject *inject);

#endif /* TORUS_NL_NODE_H */
