/* SPDX-License-Identifier: GPL-2.0 */
/* Routing tables for a fuzzed Cray XT: dimension order, with changes that the input draws. */
#ifndef TORUS_FUZZ_TABLES_H
#define TORUS_FUZZ_TABLES_H

#include "core/run/fabric.h"
#include "take.h"

#define TABLES_NODES_MAX	64

/**
 * tables_load() - load tables for all nodes
 * @f: the fabric, an XT of at most TABLES_NODES_MAX nodes and NIDs
 * @input: says how many entries are changed, which, and to what
 */
void tables_load(struct torus_fabric *f, struct fuzz_input *input);

#endif /* TORUS_FUZZ_TABLES_H */
