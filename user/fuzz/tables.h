/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Routing tables for a fuzzed Cray XT: dimension-ordered routes, with changes that the input
 * selects.
 */
#ifndef TORUS_FUZZ_TABLES_H
#define TORUS_FUZZ_TABLES_H

#include "core/run/fabric.h"
#include "take.h"

#define TABLES_NODES_MAX	64

/**
 * tables_load() - load tables for all nodes
 * @f: an XT fabric with at most TABLES_NODES_MAX nodes, and node numbers below TORUS_XT_PAGE
 * @input: selects the number of changed entries, their positions and values
 */
void tables_load(struct torus_fabric *f, struct fuzz_input *input);

#endif /* TORUS_FUZZ_TABLES_H */
