/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers of nodes: how a node is called outside of core.
 *
 * Inside, a node is its index (geometry.h).  A machine numbers its nodes in an
 * order and with gaps of its own (struct torus_numbering in the ABI).  The seam is
 * here: kmod/dev, the simulator and the tables that users write translate with
 * these two functions where a number comes in or goes out, and so does a machine
 * whose packet headers hold numbers.
 *
 * A number is a positional system of mixed radix.  Each dimension has one place or,
 * where it is cut into pieces, two; a place of weight w comes before all that make
 * less than w together.
 */
#ifndef TORUS_CORE_NUMBER_H
#define TORUS_CORE_NUMBER_H

#include "core/base/geometry.h"

/* x fastest, no gaps: a node's number is its index. */
void torus_number_plain(struct torus_geometry *g);

/**
 * torus_number_init() - take over a machine's numbering
 * @g: a shape with its nodes and strides, and split, stride and jump of
 *     @g->numbering set for each dimension
 *
 * Return: false if two nodes would have one number, or a number would reach
 * TORUS_NONE; @g->numbering is then x fastest.
 */
bool torus_number_init(struct torus_geometry *g);

/**
 * torus_node_number() - a node's number
 * @g: the shape
 * @node: its index, below @g->nodes
 *
 * Return: the number.
 */
u32 torus_node_number(const struct torus_geometry *g, u32 node);

/**
 * torus_node_index() - the node that has a number
 * @g: the shape
 * @number: any
 *
 * Return: its index, below @g->nodes; TORUS_NONE if no node has that number.
 */
u32 torus_node_index(const struct torus_geometry *g, u32 number);

/**
 * torus_number_text() - why a number is no node's
 * @g: the shape
 * @number: a number of no node
 * @buf: where; TORUS_NUMBER_TEXT bytes suffice
 * @size: its length in bytes, above 0
 *
 * Return: @buf: "node 70 is outside of 0..63", or "node 13: no node has this number".
 */
const char *torus_number_text(const struct torus_geometry *g, u32 number, char *buf, size_t size);

#define TORUS_NUMBER_TEXT	48

#endif
