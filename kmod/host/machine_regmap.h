/* SPDX-License-Identifier: GPL-2.0 */
/* The machine's own registers of a device, as a regmap. */
#ifndef TORUS_HOST_MACHINE_REGMAP_H
#define TORUS_HOST_MACHINE_REGMAP_H

struct torus_host_node;

int torus_host_regmap_create(struct torus_host_node *node);

#endif
