/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The census: every packet and every token of a fabric is looked for and
 * counted, and the sums are compared with what must be.
 *
 *   packets   injected = delivered + dropped + found
 *   tokens    for each link and VC: tokens at the sender + space taken at the
 *             receiver + on the way, either way = capacity
 *   bubble    each directional ring of a bubble VC has room for one full packet
 */
#ifndef TORUS_CORE_CENSUS_H
#define TORUS_CORE_CENSUS_H

#include "core/state/census.h"

/**
 * torus_check_fabric() - take a census
 * @f: the fabric, held
 * @check: filled in; its arrays are gone when the call comes back
 *
 * Return: 0 or -ENOMEM.
 */
int torus_check_fabric(struct torus_fabric *f, struct torus_check *check);

#endif
