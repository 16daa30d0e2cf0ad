/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The census counts all packets and tokens of a fabric, and compares the sums with these equations:
 *
 *   packets   injected + copies of broadcasts = delivered + dropped + found
 *   tokens    for each link and VC: tokens at the sender + space used at the
 *             receiver + tokens and packets in transit = capacity
 *   bubble    each directional ring of a bubble VC has free space for one full packet
 */
#ifndef TORUS_CORE_CENSUS_H
#define TORUS_CORE_CENSUS_H

#include "core/state/census.h"

/**
 * torus_check_fabric() - take a census
 * @f: the fabric; no run may be in progress
 * @check: [out] sums and verdicts; its arrays are freed before the call returns
 *
 * Return: 0 or -ENOMEM.
 */
int torus_check_fabric(struct torus_fabric *f, struct torus_check *check);

#endif
