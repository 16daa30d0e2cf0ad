/* SPDX-License-Identifier: GPL-2.0 */
/* Programs of Tofu's engines whose memory, commands and notices are arrays. */
#ifndef TORUS_ARCH_TESTS_ENGINE_RIG_H
#define TORUS_ARCH_TESTS_ENGINE_RIG_H

#include "arch/tofu/engine.h"
#include "core/tests/rig.h"
#include "tofu_latency.h"

#define ENGINE_TELL_ALL		(TORUS_TOFU_TELL_TCQ | TORUS_TOFU_TELL_LOCAL | \
				 TORUS_TOFU_TELL_REMOTE)
#define ENGINE_STAG		300u

#define ENGINE_REGIONS	8
#define ENGINE_COMMANDS	2048
#define ENGINE_NOTICES	4096

struct engine_region {
	u64 stadd;
	u8 *bytes;
	u64 length;
	u8 queue;
	bool read_only;
};

struct engine_command {
	u8 bytes[TORUS_TOFU_COMMAND_CHUNKS * TOFU_CHUNK_BYTES];
	u32 fifo;
	u32 code;
};

/**
 * struct engine_program - a program that uses engines
 * @generation: generation of its FIFO group
 * @region: registered memory
 * @out: commands
 * @outs: number of commands
 * @pulled: number of commands that the engines have pulled
 * @refused: number of pulled commands that were rejected
 * @in: notices in the order of arrival
 * @at: tick of each notice's arrival
 * @ins: number of notices
 */
struct engine_program {
	struct torus_fabric *f;
	u32 node;
	u32 group;
	u32 generation;
	struct engine_region region[ENGINE_REGIONS];
	struct engine_command out[ENGINE_COMMANDS];
	u32 outs, pulled, refused;
	struct torus_tofu_notice in[ENGINE_NOTICES];
	u64 at[ENGINE_NOTICES];
	u32 ins;
	u32 credits;	/* number of notices that the program will still accept */
};

struct engine_program *engine_attach(struct torus_fabric *f, u32 node, u32 group);
void engine_leave(struct engine_program *p);
void engine_end(struct engine_program *p);
u64 engine_register(struct engine_program *p, u32 queue, void *bytes, u64 length, u32 stag,
		    bool read_only);
void engine_unregister(struct engine_program *p, u64 stadd);
void engine_post_by(struct engine_program *p, u32 fifo, const struct engine_program *to, u32 path,
		    const struct torus_tofu_command *command);
void engine_post(struct engine_program *p, const struct engine_program *to,
		 const struct torus_tofu_command *command);

/* Number of bytes before and after the transferred bytes that must not change. */
#define ENGINE_GUARD	64u

/*
 * Two programs, or one if the peer is node 0, with memory of @bytes bytes each: @from of program
 * @a, and @to of program @b.
 */
struct engine_pair {
	struct torus_fabric *f;
	struct engine_program *a, *b;
	u8 *from, *to;
	u64 local, remote;
	u32 bytes;
};

const struct torus_tofu_notice *engine_find(const struct engine_program *p, u32 type, u32 nth);
u64 engine_when(const struct engine_program *p, u32 type);
u32 engine_count(const struct engine_program *p, u32 type);
void engine_mark(u8 *bytes, u32 length, u32 seed);
void engine_pair_make(struct engine_pair *t, const char *shape, const char *settings, u32 peer,
		      u32 bytes);
void engine_pair_free(struct engine_pair *t);
void engine_pair_check(const struct engine_pair *t, const u8 *got, u32 seed, const u8 *source,
		       u32 at, u32 from, u32 length);
struct torus_tofu_command engine_transfer(const struct engine_pair *t, u32 op, u32 from, u32 at,
					  u32 length);
void engine_check_notice(const struct torus_tofu_notice *n, u32 code, u64 local, u64 remote);
u64 engine_put_ticks(u32 hops, u32 length);

#endif
