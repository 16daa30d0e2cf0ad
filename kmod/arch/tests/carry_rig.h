/* SPDX-License-Identifier: GPL-2.0 */
/* Files of states in memory, for tests: written, read, changed. */
#ifndef TORUS_ARCH_TESTS_CARRY_RIG_H
#define TORUS_ARCH_TESTS_CARRY_RIG_H

#include "core/state/carrier.h"

/* A file in memory. */
struct memory {
	u8 *bytes;
	size_t n;
	size_t room;
	size_t at;
};

/* A head of a section, as it lies in a file. */
struct head {
	u32 what;
	u32 number;
	u64 bytes;
	u32 crc;
	u32 check;
};

extern const struct torus_carrier_ops to_memory;
extern const struct torus_carrier_ops from_memory;

/* Sections of a file that has been changed get the CRCs that they ought to have. */
void seal(struct memory *m);

struct memory copy_of(const struct memory *from);

#endif
