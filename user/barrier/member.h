/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A member: a client of its node's NIC, with a processor that does one thing after the other.
 *
 * With gates in the network the processor has two pieces of work an operation: the call, which
 * costs as much as injecting a packet, and taking the result, as much as receiving one.  In
 * software the same gates are worked by the processor: each packet of the chain is received
 * and injected by it, through the node's FIFOs.  Each piece of work has a random delay besides.
 */
#ifndef TORUS_BARRIER_MEMBER_H
#define TORUS_BARRIER_MEMBER_H

#include "../tofu/chain.h"
#include "arch/tofu/barrier.h"
#include "core/base/random.h"
#include "core/run/fabric.h"
#include "plan.h"

enum barrier_work {
	BARRIER_CALL,		/* begin an operation */
	BARRIER_RETURN,		/* take its result */
	BARRIER_INJECT,		/* in software: a packet of a gate */
	BARRIER_RECEIVE,	/* likewise */
};

/**
 * struct barrier_job - a piece of a processor's work
 * @what: enum barrier_work
 * @packet: to inject, or received
 */
struct barrier_job {
	u32 what;
	struct tofu_gate_packet packet;
};

/**
 * struct barrier_ring - pieces of work, or packets, in their order
 * @job: they
 * @head: of the first, counted through
 * @tail: behind the last
 * @room: a power of two, or 0
 */
struct barrier_ring {
	struct barrier_job *job;
	u32 head;
	u32 tail;
	u32 room;
};

/**
 * struct barrier_times - of one member and operation, in ticks
 * @called: its program has called
 * @entered: its gate has begun
 * @left: its program has the result
 */
struct barrier_times {
	u64 called;
	u64 entered;
	u64 left;
};

/**
 * struct barrier_member - a member
 * @members: all
 * @number: its number
 * @node: index of its node
 * @gates: its TNI's, or its own in software
 * @own: those
 * @vbg: of its gates
 * @rng: of its delays
 * @work: what its processor has to do
 * @busy: the first of @work is in hand
 * @until: end of that
 * @woken: tick at which its node is looked at for that, and 1: torus_nic_wake_by()
 * @out: packets that FIFO 0 has still to take
 * @sent: packets that it has injected
 * @operation: number of the operation in hand
 * @done: its result is there, in software
 * @times: of each operation
 * @wrong: operations with another result than they must have
 * @refused: code of a gate or of the NIC that should not have been, else 0
 * @hash: of its results
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
 * @plan: what they do
 * @fabric: where
 * @by: enum barrier_by
 * @logs: for their delays
 * @member: they
 * @at: member of each node, TORUS_NONE: none
 * @times: of all members
 * @ended: members that have done all operations
 * @failed: something has gone wrong that is told at the end
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
