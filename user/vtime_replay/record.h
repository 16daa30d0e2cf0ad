/* SPDX-License-Identifier: GPL-2.0 */
/* A record of programs in virtual time, as user/lib/context/recorder.c writes it. */
#ifndef TORUS_VTIME_REPLAY_RECORD_H
#define TORUS_VTIME_REPLAY_RECORD_H

#include "core/run/config.h"

enum vreplay_what {
	VREPLAY_INJECT,		/* a packet is added to an injection ring */
	VREPLAY_READ,		/* a poll reports the chunks read from a reception ring */
	VREPLAY_LEAVE,
};

/**
 * struct vreplay_action - an action of a program
 * @what: kind of action
 * @at: tick: stamp of a packet, or the program's clock at a poll or when it leaves
 * @group: index of the group in the record; unused for VREPLAY_LEAVE
 * @fifo: FIFO of INJECT and READ
 * @chunks: INJECT: chunks of the packet; READ: chunks read from the ring so far, modulo 2^32
 * @bytes: contents of the packet
 * @next: next packet of the ring during a replay
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
 * struct vreplay_group - a FIFO group that a program has attached to
 * @program: index of the program
 * @node: index of the node
 * @group: number of the group
 * @receive_chunks: size of each reception ring in chunks
 * @priority: the program may inject priority packets
 * @line: number of the line in the record
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
 * @pid: process number in the lines of the record
 * @actions: its actions in order
 * @count: number of actions
 * @left: the last action is VREPLAY_LEAVE
 */
struct vreplay_program {
	u64 pid;
	struct vreplay_action *actions;
	u32 count;
	bool left;
};

/**
 * struct vreplay_record - a record of programs in virtual time
 * @name: name of the file
 * @config: configuration of the fabric
 * @groups: FIFO groups, in the order of their lines
 * @ngroups: number of groups
 * @programs: processes, in the order of their first lines
 * @nprograms: number of processes
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
