/* SPDX-License-Identifier: GPL-2.0 */
/* Helpers shared by the tests of saved states: files in memory, and runs to save. */
#ifndef TORUS_ARCH_TESTS_SNAPSHOT_RIG_H
#define TORUS_ARCH_TESTS_SNAPSHOT_RIG_H

#include "arch/tests/bgl_rig.h"
#include "core/state/snapshot.h"

/* A file in memory: an array that grows with each write. Reading continues at @at. */
struct snapshot_file {
	u8 *bytes;
	size_t n;
	size_t cap;
	size_t at;
};

/**
 * struct snapshot_scene - a run that is saved and restored
 * @traffic: workload; uniform traffic unless it names a pattern
 * @faults: links damage packets, and one link is down for some time
 * @statistics: the run keeps histograms
 */
struct snapshot_scene {
	const char *arch;
	const char *shape;
	const char *settings;
	struct torus_traffic traffic;
	bool faults;
	bool statistics;
};

/* The header of a section, with the layout that it has in a file. */
struct snapshot_head {
	u32 what;
	u32 number;
	u64 bytes;
	u32 crc;
	u32 check;
};

#define SNAPSHOT_SCENES	24

extern const struct snapshot_scene snapshot_scenes[SNAPSHOT_SCENES];

/* File operations of a snapshot: write to, and read from, a struct snapshot_file. */
extern const struct torus_snapshot_ops snapshot_to, snapshot_from;

/*
 * Save or restore a whole file, from its first section to its last. Return: 0, the error of @ops,
 * or the error with which the state or the file was rejected.
 */
int snapshot_whole(struct torus_fabric *f, struct snapshot_file *m,
		   const struct torus_snapshot_ops *ops, struct torus_error *err);

/* Save the state of a fabric. The caller frees the bytes. */
struct snapshot_file snapshot_save(struct torus_fabric *f);
struct snapshot_file snapshot_copy(const struct snapshot_file *from);

/* Create a fabric with the workload of scene @s, before the first step. */
struct torus_fabric *snapshot_make(const struct snapshot_scene *s, u32 domains);

/* Run until tick @tick or the end of the workload. Return: true if tick @tick was reached. */
bool snapshot_run_to(struct torus_fabric *f, u64 tick);

/* Run scene @s to tick @tick and save its state. */
struct snapshot_file snapshot_state(const struct snapshot_scene *s, u64 tick);

/* Recompute the CRCs of all sections after a test has changed the file. */
void snapshot_seal(struct snapshot_file *m);

/* Find the offset of the first byte of section @number; @bytes: [out] length of the section. */
size_t snapshot_section(const struct snapshot_file *m, u32 number, size_t *bytes);

/*
 * Restore file @m into a new fabric. Return: true if it was rejected with an error message. If the
 * file was accepted and @go_on is set, run the fabric for a while.
 */
bool snapshot_refused(const struct snapshot_scene *s, struct snapshot_file *m,
		      struct torus_error *err, bool go_on);

#endif
