/* SPDX-License-Identifier: GPL-2.0 */
/* Nodes: their coordinates, owners, partitions and states. */
#ifndef TORUS_NL_NODE_H
#define TORUS_NL_NODE_H

#include "session.h"

#ifndef __SIZEOF_INT128__
#error "torusctl, torusd and torus-run are for 64-bit processors; libtorus is for both"
#endif

/* Attributes of a message, those that it has or shall have: a bit each. */
__extension__ typedef unsigned __int128 torus_nl_set;

#define TORUS_NL_HAS(attr)	((torus_nl_set)1 << (attr))

_Static_assert(TORUS_A_MAX < 128, "torus_nl_set has a bit for each attribute");

/**
 * struct torus_nl_node - a node
 * @present: which attributes the module sent, or shall be sent: TORUS_NL_HAS()
 * @node: its number
 * @coords: its coordinates
 * @ndims: number of coordinates; 0 when the module did not send them
 * @uid: its owner
 * @partition: its partition
 * @contexts: programs attached to it
 * @state: enum torus_node_state
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

#endif /* TORUS_NL_NODE_H */
