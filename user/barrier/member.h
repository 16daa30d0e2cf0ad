/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A member of a barrier: a client of its node's NIC with a processor, which works serially.
 *
 * With gates in the network, each operation needs two pieces of work. The call costs as much as
 * injecting a packet, and taking the result as much as receiving one. In software, the processor
 * does the work of the gates: it receives and injects each packet of the chain through the node's
 * FIFOs. There, the call and taking the result cost nothing. The other pieces of work have an
 * additional random delay.
 */
#ifndef TORUS_BARRIER_MEMBER_H
#define TORUS_BARRIER_MEMBER_H

#include "../tofu/chain.h"
#include "arch/tofu/barrier.h"
#include "core/base/random.h"
#include "core/run/fabric.h"
#include "plan.h"

enum barrier_work {
	BARRIER_CALL,		/* start an operation */
	BARRIER_RETURN,		/* take its result */
	BARRIER_INJECT,		/* software only: inject a packet of a gate */
	BARRIER_RECEIVE,	/* software only: receive a packet for a gate */
};

/**
 * struct barrier_job - a piece of a processor's work
 * @what: enum barrier_work
 * @packet: packet to inject, or received packet
 */
struct barrier_job {
	u32 what;
	struct tofu_gate_packet packet;
};

/**
 * struct barrier_ring - queue of pieces of work, or of packets
 * @job: ring buffer
 * @head: position of the first element; positions increase without wrapping at @room
 * @tail: position after the last element
 * @room: capacity, a power of two, or 0
 */
struct barrier_ring {
	struct barrier_job *job;
	u32 head;
	u32 tail;
	u32 room;
};

/**
 * struct barrier_times - times of a member in one operation, in ticks
 * @called: the program calls the operation
 * @entered: the member's gate starts
 * @left: the program has the result
 */
struct barrier_times {
	u64 called;
	u64 entered;
	u64 left;
};

/**
 * struct barrier_member - a member of the barrier
 * @members: all members
 * @number: number of the member
 * @node: index of its node
 * @gates: gates that it uses: those of its TNI, or @own in software
 * @own: its software gates, or NULL
 * @vbg: IDs of its gates
 * @rng: random stream of its delays
 * @work: queue of the processor's work
 * @busy: the processor is working on the first element of @work
 * @until: tick at which the current work ends
 * @woken: 1 + the tick of the next wake-up of the node, for torus_nic_wake_by(); 0: none
 * @out: packets to inject into FIFO 0
 * @sent: number of injected packets
 * @operation: number of the current operation
 * @done: the result of the current operation is available (software only)
 * @times: times of each operation
 * @wrong: number of operations with a wrong result
 * @refused: first unexpected error code of a gate or of the NIC, or 0
 * @hash: hash of all results
 */
struct barrier_member {
	struct barrier_members *members;
	u32 number;
	u32 node;
	struct tofu_gates *gates;
	struct tofu_gates *own;
	u64 vbg[TOFU_CHAIN_GATES_MAX];
	u64 rng;
	struct barrier_ring work;
	bool busy;
	u64 until;
	u64 woken;
	struct barrier_ring out;
	u64 sent;
	u32 operation;
	bool done;
	struct barrier_times *times;
	u32 wrong;
	u32 refused;
	u64 hash;
};

/**
 * struct barrier_members - all members, on one fabric
 * @plan: parameters of the run
 * @fabric: the fabric
 * @by: gates or software
 * @logs: tables for the random delays
 * @member: array of members
 * @at: member of each node; TORUS_NONE: none
 * @times: times of all members
 * @ended: number of members that have finished all operations
 * @failed: number of unexpected errors, reported at the end
 */
struct barrier_members {
	const struct barrier_plan *plan;
	struct torus_fabric *fabric;
	enum barrier_by by;
	struct torus_logs logs;
	struct barrier_member *member;
	u32 *at;
	struct barrier_times *times;
	u32 ended;
	u32 failed;
};

void barrier_member_start(struct barrier_member *member);
void barrier_member_done(struct barrier_member *member);
extern const struct torus_nic_ops barrier_member_ops;
extern const struct tofu_gate_ops barrier_software_ops;

#endif /* TORUS_BARRIER_MEMBER_H */
