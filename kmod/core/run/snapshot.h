/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Snapshots of a fabric with a workload: write it to a file, or read it into a fabric of the same
 * configuration.
 */
#ifndef TORUS_CORE_RUN_SNAPSHOT_H
#define TORUS_CORE_RUN_SNAPSHOT_H

#include "core/state/snapshot.h"

struct torus_fabric;
struct torus_pair;
struct torus_traffic;

/**
 * torus_fabric_snapshot() - write or read the state of a fabric with a workload
 * @snap: the snapshot, after the caller's own sections; torus_snapshot_finish() ends the file
 * @f: the fabric; no run may be in progress. To read: a fabric of the same configuration, with the
 *   same tables and workload, that has not run; its number of domains may differ
 *
 * Return: 0, or a negative errno with a message in @snap's error. After a failed read, @f can only
 * be destroyed.
 */
int torus_fabric_snapshot(struct torus_snapshot *snap, struct torus_fabric *f);

/**
 * torus_fabric_snapshot_file() - write or read a fabric as a complete file
 * @snap: the snapshot
 * @f: the fabric, as in torus_fabric_snapshot()
 * @options: options of the run for torus-sim, when written; skipped when read
 * @bytes: bytes of @options
 *
 * Return: as torus_fabric_snapshot().
 */
int torus_fabric_snapshot_file(struct torus_snapshot *snap, struct torus_fabric *f,
			       const char *options,
			       u32 bytes);

/**
 * torus_fabric_restore() - create a fabric from a complete file
 * @snap: the snapshot to read
 * @like: a fabric of the same configuration and tables, no run in progress; it is not changed. It
 *   must not have run, and have neither a workload nor state that a file cannot hold
 * @traffic: the workload
 * @pairs: pairs of TORUS_PATTERN_TABLE
 * @npairs: number of @pairs, 0 for other patterns
 * @out: [out] the new fabric; after a failure undefined
 *
 * Return: as torus_fabric_snapshot(); -EBUSY if @like does not qualify; or an error of creating
 * the fabric or its workload.
 */
int torus_fabric_restore(struct torus_snapshot *snap, const struct torus_fabric *like,
			 const struct torus_traffic *traffic, const struct torus_pair *pairs,
			 u32 npairs, struct torus_fabric **out);

/**
 * torus_fabric_fingerprint() - return a hash of configuration, workload and routing tables
 * @f: the fabric with its workload; no run may be in progress
 *
 * The length of the warm-up is not included: a run can end it early.
 *
 * Return: the hash. It is the same for any number of domains.
 */
u64 torus_fabric_fingerprint(const struct torus_fabric *f);

#endif /* TORUS_CORE_RUN_SNAPSHOT_H */
