/* SPDX-License-Identifier: GPL-2.0 */
/* Where this process is: its fabric and node. */
#ifndef TOFU_NODE_LOOKUP_H
#define TOFU_NODE_LOOKUP_H

#include <linux/torus.h>
#include <stdbool.h>
#include <stdint.h>

#define TOFU_AXES	6
#define TOFU_TNIS_MAX	8

/**
 * struct tofu_place - this process's fabric and node
 * @fd: a file that has the node's gates
 * @fabric: the fabric's name
 * @node: number of the node
 * @group: FIFO group that TORUS_MEMBERS has for this process, else 0
 * @coords: its x, y, z, a, b, c
 * @lengths: of the six axes
 * @tnis: engines of a node
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
