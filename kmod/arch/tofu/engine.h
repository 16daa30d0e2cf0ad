/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tofu's engines (Ajima et al. (2009), Multiple communications engines).
 *
 * An engine puts and gets memory of programs on other nodes, executes atomic operations on
 * words of it, and reports the end of an operation by a notice. The ABI's header documents a
 * program's view of engines.
 *
 * A command arrives in an injection FIFO (command.c) and becomes a flow: packets of one kind to one
 * destination, created when the engine's injection slot has space (transmit.c). An engine has one
 * list of flows for each FIFO group, and its replies. It serves them round-robin, one packet at a
 * time. After each of its own packets, the engine lets one packet of software enter its injection
 * slot. Replies wait in memory. An arrived request therefore never waits until a reply leaves, and
 * requests are always accepted (receive.c). Programs that wait for replies of one engine are also
 * served round-robin (replies.c).
 *
 * One program has at most TORUS_TOFU_GETS open gets there; more are rejected with
 * TORUS_TOFU_BUSY. When a program has left, its commands and the replies for it end, even
 * between two packets of a put. Of a put to it, the packets between the first and the last are
 * omitted; the last one is sent and rejected. Packets that have been sent still arrive.
 *
 * A packet leaves at least `engine_delay` ticks after its command was posted. Its data is in memory
 * `memory_delay` ticks after its last byte has arrived. Without other traffic, a put of one packet
 * with c chunks over h links therefore takes engine_delay + h * latency + 8 c + memory_delay ticks.
 *
 * An engine keeps no state of a command for its answer: packets contain all data of the notice.
 * Each packet of a put is checked against the whole range of the put, and a failure is reported
 * with the last packet. Lost packets are handled in loss.c.
 *
 * The engines of a node are created by its first command or packet. They run in the thread of
 * the node's domain, after the tick's events have been applied or during the node's
 * arbitration. They change the state of that node only.
 */
#ifndef TORUS_ARCH_TOFU_ENGINE_H
#define TORUS_ARCH_TOFU_ENGINE_H

#include "arch/tofu/engine_header.h"
#include "core/nic/group.h"
#include "core/nic/rdma_memory.h"
#include "core/state/tni.h"

#define TOFU_TNIS_MAX	6u
/* Index of the replies in an engine's round-robin: they follow the lists of the FIFO groups. */
#define TOFU_REPLIES	TORUS_TOFU_GROUPS
#define TOFU_TURNS	(TORUS_TOFU_GROUPS + 1)
/* max. operations of a list without answer */
#define TOFU_OPEN_MAX	64u

/*
 * Limit of a FIFO group's unread notices. At the limit, operations that would add a notice wait or
 * fail.
 */
#define TOFU_NOTICES_LIMIT	3072u

/*
 * Number of flows of a list, and of its operations that wait for an answer, for which memory is
 * always allocated.
 */
#define TOFU_FLOWS_KEPT	4u

#define TOFU_BUCKETS	16u		/* hash buckets for the programs that wait for replies */
#define TOFU_STREAMS	16u		/* hash buckets for operations that are being received */

struct tofu_requester;
struct tofu_stream;

/**
 * struct tofu_flow - packets that an engine has to send to one destination
 *
 * @next: following flow in the list
 * @due: earliest tick at which it may leave
 * @cookie: command: as posted
 * @dst: index of the destination node
 * @generation: generation of the FIFO group at the destination
 * @group: FIFO group at the destination
 * @path: path of its packets
 * @own_group: FIFO group of this node whose memory is read or written
 * @own_generation: generation of @own_group
 * @flags: command: TORUS_TOFU_TELL_TCQ ..
 * @op: command: enum torus_tofu_op
 * @answer: enum torus_tofu_type of its LCL_ notice
 * @posted: command: number of commands posted to its list before this command
 * @sent: bytes sent
 * @waits: the slot had no space for its next packet
 * @number: identifies the flow at its engine once its first packet has been sent
 * @head: fields of the engine header that all its packets share
 * @bytes: data of a piggyback, operand and compare value of an atomic operation, or value of an
 *     answer
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
	u16 flags;
	u8 answer;
	bool waits;
	u32 sent;
	u32 number;
	u32 posted;
	struct tofu_head head;
	u8 bytes[TORUS_TOFU_PIGGYBACK_MAX];
};

/**
 * struct tofu_flows - flows of an engine that have one origin
 *
 * @head: first flow
 * @tail: last flow
 * @sending: flow with some but not all packets sent; NULL: none
 * @count: number of flows
 * @open: operations of a FIFO group that wait for an answer
 * @generation: generation of the FIFO group
 * @posted: commands posted so far
 * @waiting: number of commands in @held
 * @steps: for each queue: number of commands that may start
 * @held: for each queue: circular list of the commands that wait for a step, and of the commands
 *   after them. Points to the last command, whose @next is the first
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
 * struct tofu_replies - replies that an engine has to send to requesting programs
 *
 * @last: program that was served last, in a circular list; NULL: no reply waits
 * @count: number of replies
 * @bucket: programs, hashed by the index of their node
 */
struct tofu_replies {
	struct tofu_requester *last;
	u32 count;
	struct tofu_requester *bucket[TOFU_BUCKETS];
};

/**
 * struct tofu_engine - an engine of a node
 *
 * @from: flows of each FIFO group
 * @replies: replies to other programs
 * @turn: list that was served last; TOFU_REPLIES: @replies
 * @yields: the next turn is software's
 * @sent: packets sent so far
 * @begun: flows started so far
 * @loop: packet on its way to the own node; TORUS_NONE: none
 * @loop_until: tick at which the last byte of @loop arrives
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
 *
 * @tni: engines, by number
 * @arrived: first packet that is being written to memory; TORUS_NONE: none
 * @arrived_tail: last packet that is being written to memory
 * @lost: first report of a lost packet that arrived in this tick; TORUS_NONE: none
 * @stream: operations of several packets that are being received, hashed by the source node's index
 */
struct tofu_node_engines {
	struct tofu_engine tni[TOFU_TNIS_MAX];
	u32 arrived;
	u32 arrived_tail;
	u32 lost;
	struct tofu_stream *stream[TOFU_STREAMS];
};

/**
 * struct tofu_engines - engines of a fabric
 *
 * @made: number of nodes with engines
 * @node: engines of each node; NULL: not created yet
 */
struct tofu_engines {
	u32 made;
	struct tofu_node_engines *node[];
};

/*
 * Memory that is always allocated for a FIFO group's requests: flows of answers, and
 * TOFU_FLOWS_KEPT flows and twice as many packets per engine.
 */
#define TOFU_KEPT_BYTES	(TOFU_TNIS_MAX * \
			 ((TOFU_OPEN_MAX + TOFU_FLOWS_KEPT) * 256 + \
			  2 * TOFU_FLOWS_KEPT * (TOFU_PACKET_BYTES + 192)))

_Static_assert(sizeof(struct tofu_flow) <= 256, "a flow takes a power of two");
_Static_assert(sizeof(struct torus_packet) + sizeof(struct torus_body) <= 192, "beside its bytes");

/* A notice to a program: node, FIFO group and queue of that program; type, result and value. */
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
