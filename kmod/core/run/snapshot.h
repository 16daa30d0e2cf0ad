/* SPDX-License-Identifier: GPL-2.0 */
/* Snapshots of a fabric with a workload: write it to a file, or read it into a fabric like it. */
#ifndef TORUS_CORE_RUN_SNAPSHOT_H
#define TORUS_CORE_RUN_SNAPSHOT_H

#include "core/state/snapshot.h"

struct torus_fabric;
struct torus_pair;
struct torus_traffic;

/**
 * torus_fabric_snapshot() - write or read the state of a fabric with a workload
 * @snap: the snapshot, after the owner's sections; torus_snapshot_finish() ends the file
 * @f: the fabric, held.  When it is read: one made of the same configuration, which has been
 *     given the same tables and workload and has not run; in any number of domains
 *
 * Return: 0, or a negative errno with a message in @snap's error.  A
 * fabric that was to be read into is then good for nothing but torus_fabric_destroy().
 */
int torus_fabric_snapshot(struct torus_snapshot *snap, struct torus_fabric *f);

/**
 * torus_fabric_snapshot_file() - write or read a fabric as a whole file
 * @snap: the snapshot
 * @f: the fabric, as above
 * @options: what torus-sim is to know of the run, when it is written; whoever reads passes it by
 * @bytes: of @options
 *
 * Return: as above.
 */
int torus_fabric_snapshot_file(struct torus_snapshot *snap, struct torus_fabric *f,
			       const char *options,
			       u32 bytes);

/**
 * torus_fabric_restore() - create a fabric from a whole file
 * @snap: the snapshot, which reads
 * @like: a fabric, held, of the same configuration and with the same tables, which stays as it
 *	  is; it has not run, and nothing that a file has no room for was set in it
 * @traffic: the workload
 * @pairs: of TORUS_PATTERN_TABLE
 * @npairs: how many, 0 with another pattern
 * @out: gets the new fabric, unless that fails
 *
 * Return: as above, -EBUSY when @like is none, or what a fabric or its workload is refused with.
 */
int torus_fabric_restore(struct torus_snapshot *snap, const struct torus_fabric *like,
			 const struct torus_traffic *traffic, const struct torus_pair *pairs,
			 u32 npairs, struct torus_fabric **out);

/**
 * torus_fabric_fingerprint() - hash of all that a fabric's state follows from
 * @f: the fabric, held, with its workload
 *
 * Return: the hash, the same for fabrics made and started alike, in any number of domains.
 */
u64 torus_fabric_fingerprint(const struct torus_fabric *f);

#endif /* TORUS_CORE_RUN_SNAPSHOT_H */
