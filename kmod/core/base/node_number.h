/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers of nodes: the names that users and programs give to nodes.
 *
 * The core identifies a node by its index (geometry.h). A machine numbers its nodes in its own
 * order and with gaps (struct torus_numbering in the ABI). torus_node_number() and
 * torus_node_index() translate. kmod/dev, the simulator and the tools in user/ that make tables
 * call them for each number that enters or leaves. A machine whose packet headers contain numbers
 * also calls them. Programs without the core use torus_machine_number() (user/machine).
 *
 * A number is a positional system of mixed radix. Each dimension has at most two places: the
 * position in a piece, and the piece. The weight of a place is more than the largest sum of all
 * places of less weight.
 */
#ifndef TORUS_CORE_NODE_NUMBER_H
#define TORUS_CORE_NODE_NUMBER_H

#include "core/base/geometry.h"

/* Set the plain numbering: x fastest, no gaps, so a node's number is its index. */
void torus_number_plain(struct torus_geometry *g);

/**
 * torus_number_init() - validate a machine's numbering and derive its places
 * @g: [in, out] shape with nodes and strides, and with split, stride and jump of @g->numbering set
 *   for each dimension
 *
 * Return: false if a split is 0, if the weight of a place does not exceed the largest sum of the
 * places after it, or if a number would reach TORUS_NONE; @g->numbering is then the plain one.
 */
bool torus_number_init(struct torus_geometry *g);

/**
 * torus_node_number() - convert a node's index to its number
 * @node: index of the node, below @g->nodes
 */
u32 torus_node_number(const struct torus_geometry *g, u32 node);

/**
 * torus_node_index() - convert a node's number to its index
 * @number: any value
 *
 * Return: the index, below @g->nodes, or TORUS_NONE if no node has that number.
 */
u32 torus_node_index(const struct torus_geometry *g, u32 number);

/**
 * torus_number_text() - explain why no node has a number
 * @number: number that no node has
 * @buf: [out] text; TORUS_NUMBER_TEXT bytes suffice
 * @size: bytes in @buf, above 0
 *
 * Return: @buf: "node 70: must be 0 to 63", or "node 13: no node has this number".
 */
const char *torus_number_text(const struct torus_geometry *g, u32 number, char *buf, size_t size);

#define TORUS_NUMBER_TEXT	48

#endif
