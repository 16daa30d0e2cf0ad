/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tofu's engines (Ajima et al. (2009), Multiple communications engines): an engine puts and gets
 * the memory of programs on other nodes, executes atomic operations on words of it, and reports
 * the end of an operation by a notice.  The ABI's header documents a program's view of engines.
 *
 * A command comes by an injection FIFO (command.c) and becomes a flow: packets of one kind to
 * one destination, cut when the engine's injection slot has room (cut.c).  An engine has a
 * list of flows for each FIFO group and its replies, and serves them in turns, a packet at a
 * time, and software's packets after each of its own.  Replies wait here, in memory, so that a
 * packet that has arrived never waits for one to leave: requests are always sunk (arrive.c).
 *
 * Programs that wait for replies of one engine are served in turn, too (replies.c).  One program
 * has at most TORUS_TOFU_GETS gets open there; more are rejected with TORUS_TOFU_BUSY.  When a
 * program has left, what was to be sent for it or to it ends: commands, replies, and the middle
 * of a put.  Packets that have been sent arrive.
 *
 * A packet leaves `engine_delay` ticks after its command was posted, what it brings is in
 * memory `memory_delay` ticks after its last byte has come.  So a put over h links whose
 * packet has c chunks takes engine_delay + h * latency + 8 c + memory_delay ticks.
 *
 * Nothing of a command is kept for its answer: packets carry all that a notice tells.  Each of
 * a put's packets is checked with the whole range, so the last one's answer is that of all.
 * What does not arrive is lost.c's business.
 *
 * A node's engines are made with its first command or packet.  All that happens there happens
 * in the thread of its domain, when the tick's events have been applied or while the node is
 * arbitrated, and touches that node alone.
 */
#ifndef TORUS_ARCH_TOFU_ENGINE_H
#define TORUS_ARCH_TOFU_ENGINE_H

#include "arch/tofu/engine_header.h"
#include "core/nic/group.h"
#include "core/nic/rdma_memory.h"
#include "core/state/tni.h"

#define TOFU_TNIS_MAX	6u
/* Turn of an engine's replies, after the groups' lists. */
#define TOFU_REPLIES	TORUS_TOFU_GROUPS
#define TOFU_TURNS	(TORUS_TOFU_GROUPS + 1)
#define TOFU_OPEN_MAX	64u		/* operations of a list that wait for their answer */

/* Notices of a FIFO group that wait before operations that would add to them do, or fail. */
#define TOFU_NOTICES_LIMIT	3072u

/* Flows of a list, and operations that wait for their answer, that need not wait for memory. */
#define TOFU_FLOWS_KEPT	4u

#define TOFU_BUCKETS	16u		/* lists of programs that replies wait for */
#define TOFU_STREAMS	16u		/* lists of operations that are coming in */

struct tofu_requester;
struct tofu_stream;

/**
 * struct tofu_flow - what an engine has to send to one destination
 * @next: behind it in its list
 * @due: tick before which it does not leave
 * @cookie: of a command
 * @dst: index of the destination
 * @generation: of the FIFO group there
 * @group: that group
 * @path: of its packets
 * @own_group: FIFO group of this node whose memory it is about
 * @own_generation: of that
 * @tell: of a command TORUS_TOFU_TELL_TCQ ..
 * @op: of a command enum torus_tofu_op
 * @answer: enum torus_tofu_type of its LCL_ notice
 * @posted: of a command: how many its list had got before
 * @sent: bytes sent
 * @waits: its next packet has found no room
 * @number: by which its engine knows it, once it has sent something
 * @head: of its packets, as far as they are alike
 * @bytes: of a piggyback, operand and compare of an atomic operation, the value of an answer
 */
struct tofu_flow {
	struct tofu_flow *next;
	u64 due;
	u64 cookie;
	u32 dst;
	u32 generation;
	u32 own_generation;
	u8 group;
	u8 own_group;
	u8 path;
	u8 op;
	u16 tell;
	u8 answer;
	bool waits;
	u32 sent;
	u32 number;
	u32 posted;
	struct tofu_head head;
	u8 bytes[TORUS_TOFU_PIGGYBACK_MAX];
};

/**
 * struct tofu_flows - flows of an engine that come from one side
 * @head: the first
 * @tail: the last
 * @sending: the one that has begun and is not through, NULL: none
 * @count: how many
 * @open: operations of a FIFO group that wait for an answer
 * @generation: of the FIFO group
 * @posted: commands so far
 * @waiting: how many wait in @held
 * @steps: of each queue: commands that may start
 * @held: of each queue: the last of the commands that wait for a step, or behind one that does;
 *        behind it the first
 */
struct tofu_flows {
	struct tofu_flow *head;
	struct tofu_flow *tail;
	struct tofu_flow *sending;
	u32 count;
	u32 open;
	u32 generation;
	u32 posted;
	u32 waiting;
	u32 steps[TORUS_VCQS];
	struct tofu_flow *held[TORUS_VCQS];
};

/**
 * struct tofu_replies - what an engine has to send to programs that asked for it
 * @last: the program that was served last, NULL: no reply waits
 * @count: number of replies
 * @bucket: programs by the index of their node
 */
struct tofu_replies {
	struct tofu_requester *last;
	u32 count;
	struct tofu_requester *bucket[TOFU_BUCKETS];
};

/**
 * struct tofu_engine - an engine
 * @from: flows of each FIFO group
 * @replies: replies to other programs
 * @turn: the list that was served last, TOFU_REPLIES: @replies
 * @yields: software has the next turn
 * @sent: packets so far
 * @begun: flows so far
 * @loop: packet on its way to the own node, TORUS_NONE: none
 * @loop_until: tick when its last byte is there
 */
struct tofu_engine {
	struct tofu_flows from[TORUS_TOFU_GROUPS];
	struct tofu_replies replies;
	u32 turn;
	bool yields;
	u64 sent;
	u32 begun;
	u32 loop;
	u64 loop_until;
};

/**
 * struct tofu_node_engines - engines of a node
 * @tni: by their numbers
 * @arrived: first packet that is on its way into memory, TORUS_NONE: none
 * @arrived_tail: the last
 * @lost: word of lost packets that has come in this tick, likewise
 * @stream: operations of several packets that are coming in, by their source's number
 */
struct tofu_node_engines {
	struct tofu_engine tni[TOFU_TNIS_MAX];
	u32 arrived;
	u32 arrived_tail;
	u32 lost;
	struct tofu_stream *stream[TOFU_STREAMS];
};

/**
 * struct tofu_engines - a fabric's engines
 * @made: nodes that have some
 * @node: of each node, NULL where nothing was to be done
 */
struct tofu_engines {
	u32 made;
	struct tofu_node_engines *node[];
};

/* Memory of a FIFO group's requests: flows that are answers, and those of TOFU_FLOWS_KEPT. */
#define TOFU_KEPT_BYTES	(TOFU_TNIS_MAX * \
			 ((TOFU_OPEN_MAX + TOFU_FLOWS_KEPT) * 256 + \
			  2 * TOFU_FLOWS_KEPT * (TOFU_PACKET_BYTES + 192)))

_Static_assert(sizeof(struct tofu_flow) <= 256, "a flow takes a power of two");
_Static_assert(sizeof(struct torus_packet) + sizeof(struct torus_body) <= 192, "beside its bytes");

/* What a notice tells beside its type: of whom, by what. */
struct tofu_notice_to {
	u32 node;
	u32 group;
	u32 queue;
	u8 type;
	u8 code;
	bool remote_code;
	u64 cookie;
	u64 value;
};

int tofu_engine_attach(struct torus_fabric *f);
void tofu_engine_reset(struct torus_fabric *f, u32 node);
size_t tofu_engine_later(const struct torus_fabric *f);
void tofu_engine_free(struct torus_fabric *f);
struct tofu_node_engines *tofu_engines_at(struct torus_domain *d, u32 node);
const struct torus_nic *tofu_holder(const struct torus_fabric *f, u32 node, u32 group,
				    u32 generation);
bool tofu_gone(const struct torus_fabric *f, u32 node, u32 group, u32 generation);
void tofu_engine_wake(struct torus_domain *d, u32 node, u64 at);
void tofu_flows_set_holder(struct tofu_flows *list, u32 generation);
u32 tofu_access(const struct torus_nic *nic, struct torus_access *access);

#endif
