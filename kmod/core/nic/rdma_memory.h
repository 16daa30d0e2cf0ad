/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Access to a client's memory by the engines of a machine's NIC. The client implements the access
 * and checks the rights: arrays in the simulator, pinned pages in the kernel.
 */
#ifndef TORUS_CORE_NIC_RDMA_MEMORY_H
#define TORUS_CORE_NIC_RDMA_MEMORY_H

#include "core/platform.h"

enum torus_access_op {
	TORUS_ACCESS_READ,
	TORUS_ACCESS_WRITE,
	TORUS_ACCESS_ATOMIC,
};

/* Result of an access. Except for FINE, no memory was read or written. */
enum torus_access_answer {
	TORUS_ACCESS_FINE,
	TORUS_ACCESS_UNKNOWN,	/* address not registered, or word not aligned */
	TORUS_ACCESS_RANGE,	/* bytes before or after the registered memory */
	TORUS_ACCESS_DENIED,	/* read-only for other clients */
};

/**
 * struct torus_access - access of an engine to a client's memory
 * @op: enum torus_access_op
 * @remote: the access is on behalf of another client
 * @queue: queue of the client for which the memory must be registered
 * @start: address of the first byte of the operation
 * @total: bytes of the operation; all must be in registered memory
 * @at: offset of this packet in the operation
 * @length: bytes to copy; 0: only check whether the access is allowed
 * @bytes: [in, out] buffer of the packet: source of a write, destination of a read
 * @atomic: enum torus_atomic, on @total bytes: 4 or 8
 * @operand: operand of @atomic
 * @compare: compare value of @atomic
 * @value: [out] previous value of the word
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
 * torus_access_within() - check whether an operation stays within registered memory
 * @mask: mask of the bits of an address that are the offset in the registered memory
 * @bytes: size of the memory
 *
 * Return: true if it does. The computation does not overflow.
 */
torus_inline bool torus_access_within(const struct torus_access *access, u64 mask, u64 bytes)
{
	u64 offset = access->start & mask;

	return offset <= bytes && access->total <= bytes - offset;
}

/**
 * torus_access_result() - compute the new value of an atomic operation
 * @old: previous value of the word
 *
 * Return: the new value, of which the low @access->total bytes are valid.
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
