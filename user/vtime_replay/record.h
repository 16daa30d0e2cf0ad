/* SPDX-License-Identifier: GPL-2.0 */
/* A record of programs in virtual time, as user/lib/context/recorder.c writes it. */
#ifndef TORUS_VTIME_REPLAY_RECORD_H
#define TORUS_VTIME_REPLAY_RECORD_H

#include "core/run/config.h"

enum vreplay_what {
	VREPLAY_INJECT,		/* a packet is in an injection ring */
	VREPLAY_READ,		/* a look tells how much has been read of a reception ring */
	VREPLAY_LEAVE,
};

/**
 * struct vreplay_action - what a program does
 * @what: which of them
 * @at: the tick: a packet's stamp, a look's or a leaver's clock
 * @group: place of the group in the record's, not of VREPLAY_LEAVE
 * @fifo: of INJECT and READ
 * @chunks: of a packet; READ: chunks that were read since the ring was new, modulo 2^32
 * @bytes: of a packet
 * @next: the next packet of its ring, once it is played
 */
struct vreplay_action {
	enum vreplay_what what;
	u64 at;
	u32 group;
	u32 fifo;
	u32 chunks;
	u8 *bytes;
	struct vreplay_action *next;
};

/**
 * struct vreplay_group - a FIFO group that a program has taken
 * @program: place of the program
 * @node: index of the node
 * @group: the group
 * @receive_chunks: length of each reception ring
 * @priority: it may inject priority packets
 * @line: where that stands
 */
struct vreplay_group {
	u32 program;
	u32 node;
	u32 group;
	u32 receive_chunks;
	bool priority;
	unsigned int line;
};

/**
 * struct vreplay_program - a process
 * @pid: its number, by which lines name it
 * @actions: what it does, in its order
 * @count: how many
 * @left: its last says that it leaves
 */
struct vreplay_program {
	u64 pid;
	struct vreplay_action *actions;
	u32 count;
	bool left;
};

/**
 * struct vreplay_record - a record
 * @name: of its file
 * @config: of its fabric
 * @groups: groups that were taken, in the order of their lines
 * @ngroups: how many
 * @programs: processes, likewise
 * @nprograms: how many
 */
struct vreplay_record {
	const char *name;
	struct torus_config config;
	struct vreplay_group *groups;
	u32 ngroups;
	struct vreplay_program *programs;
	u32 nprograms;
};

int vreplay_record_read(struct vreplay_record *record, const char *name);
void vreplay_record_free(struct vreplay_record *record);

#endif /* TORUS_VTIME_REPLAY_RECORD_H */
