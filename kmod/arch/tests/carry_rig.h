/* SPDX-License-Identifier: GPL-2.0 */
/* What the tests of kept states share. */
#ifndef TORUS_ARCH_TESTS_CARRY_RIG_H
#define TORUS_ARCH_TESTS_CARRY_RIG_H

#include "arch/tests/bgl_rig.h"
#include "core/state/carrier.h"

/* A file in memory. */
struct carry_file {
	u8 *bytes;
	size_t n;
	size_t room;
	size_t at;
};

/**
 * struct carry_scene - a run
 * @arch: machine
 * @shape: its shape
 * @settings: parameters
 * @traffic: the workload, of which the rest is uniform
 * @faults: links err
 * @statistics: histograms are kept
 */
struct carry_scene {
	const char *arch;
	const char *shape;
	const char *settings;
	struct torus_traffic traffic;
	bool faults;
	bool statistics;
};

/* A head of a section, as it lies in a file. */
struct carry_head {
	u32 what;
	u32 number;
	u64 bytes;
	u32 crc;
	u32 check;
};

#define CARRY_SCENES	24

extern const struct carry_scene carry_scenes[CARRY_SCENES];

/* What carries into a struct carry_file, and out of one. */
extern const struct torus_carrier_ops carry_to, carry_from;

/* A whole file, from its first section to its last.  Return: the carrier's status. */
int carry_whole(struct torus_fabric *f, struct carry_file *m, const struct torus_carrier_ops *ops,
		struct torus_error *err);

/* The state of a fabric; to be freed. */
struct carry_file carry_save(struct torus_fabric *f);
struct carry_file carry_copy(const struct carry_file *from);

/* A fabric with the run of a scene, before its first step. */
struct torus_fabric *carry_make(const struct carry_scene *s, u32 domains);

/* Until the workload's end, or a tick; true: the tick. */
bool carry_run_to(struct torus_fabric *f, u64 tick);

/* The scene's state at a tick. */
struct carry_file carry_state(const struct carry_scene *s, u64 tick);

/* Sections of a file that has been changed get the CRCs that they ought to have. */
void carry_seal(struct carry_file *m);

/* Where the bytes of section @number begin; @bytes: how many there are. */
size_t carry_section(const struct carry_file *m, u32 number, size_t *bytes);

/* Read into a fabric of its own: refused in words, or (@go_on) run on for a while. */
bool carry_refused(const struct carry_scene *s, struct carry_file *m, struct torus_error *err,
		   bool go_on);

#endif
