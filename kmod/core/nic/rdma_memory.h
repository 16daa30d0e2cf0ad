/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Access to a client's memory by the engines of a machine's NIC.  The client knows the contents
 * and the access rights of an address: arrays in the simulator, pinned pages in the kernel.
 */
#ifndef TORUS_CORE_NIC_RDMA_MEMORY_H
#define TORUS_CORE_NIC_RDMA_MEMORY_H

#include "core/env.h"

enum torus_access_op {
	TORUS_ACCESS_READ,
	TORUS_ACCESS_WRITE,
	TORUS_ACCESS_ATOMIC,
};

/* Result of an access.  Except for FINE, no memory has been read or written. */
enum torus_access_answer {
	TORUS_ACCESS_FINE,
	TORUS_ACCESS_UNKNOWN,	/* nothing is registered there, or a word is not aligned */
	TORUS_ACCESS_RANGE,	/* it ends before the access does */
	TORUS_ACCESS_DENIED,	/* another node's client may only read it */
};

/**
 * struct torus_access - what an engine wants to do to a client's memory
 * @op: enum torus_access_op
 * @remote: on behalf of another client
 * @queue: of the client's queues the one that the memory must be registered for
 * @start: address of an operation's first byte
 * @total: bytes of the operation: all of them must be there
 * @at: where in the operation this packet begins
 * @length: bytes to be copied; 0: none, this asks whether they may be
 * @bytes: where to, or where from
 * @atomic: enum torus_atomic: of @total bytes, 4 or 8
 * @operand: of that
 * @compare: likewise
 * @value: out: what stood there before
 */
struct torus_access {
	u8 op;
	bool remote;
	u8 queue;
	u8 atomic;
	u64 start;
	u32 total;
	u32 at;
	u32 length;
	void *bytes;
	u64 operand;
	u64 compare;
	u64 value;
};

/**
 * torus_access_within() - does an operation stay within some memory?
 * @access: the operation
 * @mask: the bits of an address that are an offset
 * @bytes: of the memory
 *
 * Return: true if it does; no offset wraps.
 */
torus_inline bool torus_access_within(const struct torus_access *access, u64 mask, u64 bytes)
{
	u64 offset = access->start & mask;

	return offset <= bytes && access->total <= bytes - offset;
}

/**
 * torus_access_result() - what an atomic operation leaves in memory
 * @access: the operation
 * @old: what stood there
 *
 * Return: the word, of which the low @access->total bytes count.
 */
torus_inline u64 torus_access_result(const struct torus_access *access, u64 old)
{
	switch (access->atomic) {
	case TORUS_ATOMIC_SWAP:
		return access->operand;
	case TORUS_ATOMIC_ADD:
		return old + access->operand;
	case TORUS_ATOMIC_XOR:
		return old ^ access->operand;
	case TORUS_ATOMIC_AND:
		return old & access->operand;
	case TORUS_ATOMIC_OR:
		return old | access->operand;
	default:
		return old == access->compare ? access->operand : old;
	}
}

#endif /* TORUS_CORE_NIC_RDMA_MEMORY_H */
