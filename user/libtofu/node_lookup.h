/* SPDX-License-Identifier: GPL-2.0 */
/* The fabric and the node of this process. */
#ifndef TOFU_NODE_LOOKUP_H
#define TOFU_NODE_LOOKUP_H

#include <linux/torus.h>
#include <stdbool.h>
#include <stdint.h>

#define TOFU_AXES	6
#define TOFU_TNIS_MAX	8

/**
 * struct tofu_place - fabric and node of this process
 * @fd: file through which the node's gates are used
 * @fabric: name of the fabric
 * @node: number of the node
 * @group: FIFO group of this process, from TORUS_GROUP or TORUS_MEMBERS, else 0
 * @coords: x, y, z, a, b, c of the node
 * @lengths: lengths of the six axes
 * @tnis: number of engines of a node
 */
struct tofu_place {
	int fd;
	char fabric[TORUS_NAME_MAX];
	uint32_t node;
	uint32_t group;
	uint8_t coords[TOFU_AXES];
	uint32_t lengths[TOFU_AXES];
	uint32_t tnis;
};

int tofu_place(const struct tofu_place **place);
int tofu_place_node(const struct torus_ioc_fabric *fabric, uint32_t *node, uint32_t *group);

#endif
