/* SPDX-License-Identifier: GPL-2.0 */
/* A record of programs in virtual time, as user/lib/context/recorder.c writes it. */
#ifndef TORUS_RERUN_RECORD_H
#define TORUS_RERUN_RECORD_H

#include "core/run/config.h"

enum rerun_what {
	RERUN_INJECT,		/* a packet is in an injection ring */
	RERUN_READ,		/* a look tells how much has been read of a reception ring */
	RERUN_LEAVE,
};

/**
 * struct rerun_action - what a program does
 * @what: which of them
 * @at: the tick: a packet's stamp, a look's or a leaver's clock
 * @seat: place of the group in the record's, not of RERUN_LEAVE
 * @fifo: of INJECT and READ
 * @chunks: of a packet; READ: chunks that were read since the ring was new, modulo 2^32
 * @bytes: of a packet
 * @next: the next packet of its ring, once it is played
 */
struct rerun_action {
	enum rerun_what what;
	u64 at;
	u32 seat;
	u32 fifo;
	u32 chunks;
	u8 *bytes;
	struct rerun_action *next;
};

/**
 * struct rerun_seat - a FIFO group that a program has taken
 * @program: place of the program
 * @node: index of the node
 * @group: the group
 * @receive_chunks: length of each reception ring
 * @priority: it may inject priority packets
 * @line: where that stands
 */
struct rerun_seat {
	u32 program;
	u32 node;
	u32 group;
	u32 receive_chunks;
	bool priority;
	unsigned int line;
};

/**
 * struct rerun_program - a process
 * @pid: its number, by which lines name it
 * @actions: what it does, in its order
 * @count: how many
 * @left: its last says that it leaves
 */
struct rerun_program {
	u64 pid;
	struct rerun_action *actions;
	u32 count;
	bool left;
};

/**
 * struct rerun_record - a record
 * @name: of its file
 * @config: of its fabric
 * @seats: groups that were taken, in the order of their lines
 * @nseats: how many
 * @programs: processes, likewise
 * @nprograms: how many
 */
struct rerun_record {
	const char *name;
	struct torus_config config;
	struct rerun_seat *seats;
	u32 nseats;
	struct rerun_program *programs;
	u32 nprograms;
};

int rerun_record_read(struct rerun_record *record, const char *name);
void rerun_record_free(struct rerun_record *record);

#endif /* TORUS_RERUN_RECORD_H */
