/* SPDX-License-Identifier: GPL-2.0 */
/* The state of a fabric with a workload: into a file, or out of one into a fabric like it. */
#ifndef TORUS_CORE_CARRY_H
#define TORUS_CORE_CARRY_H

#include "core/state/carrier.h"

struct torus_fabric;

/**
 * torus_fabric_carry() - carry all that has become of a fabric since its workload began
 * @c: the carrier, behind what its owner has to say; torus_carrier_last() ends the file
 * @f: the fabric, held.  When it is read: one made of the same configuration, which has been
 *     given the same tables, faults and workload and has not run; in any number of domains
 *
 * Return: 0, or a negative errno, with words in @c's error: what cannot be carried, or read.  A
 * fabric that was to be read into is then good for nothing but torus_fabric_destroy().
 */
int torus_fabric_carry(struct torus_carrier *c, struct torus_fabric *f);

/**
 * torus_fabric_mark() - a number that tells fabrics apart by all that their state follows from
 * @f: the fabric, held, with its workload
 *
 * Return: the number, the same of those that were made and started alike, in whatever domains.
 */
u64 torus_fabric_mark(const struct torus_fabric *f);

#endif /* TORUS_CORE_CARRY_H */
