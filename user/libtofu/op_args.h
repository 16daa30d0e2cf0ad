/* SPDX-License-Identifier: GPL-2.0 */
/* Validate the arguments of operations. */
#ifndef TOFU_OP_ARGS_H
#define TOFU_OP_ARGS_H

#include "vcq.h"

/*
 * Describe an atomic operation on a word of @size bytes.  @compare: operand of compare and swap
 * only.
 */
static inline struct tofu_operation tofu_atomic(utofu_vcq_id_t peer, utofu_stadd_t remote,
						uint8_t size, int atomic, uint64_t value,
						uint64_t compare)
{
	return (struct tofu_operation){
		.op = TORUS_TOFU_ATOMIC, .peer = peer, .remote = remote, .size = size,
		.atomic = (uint8_t)atomic, .data = { value, compare },
	};
}

int tofu_piggyback(struct tofu_operation *op, const void *data, size_t length);
int tofu_bad_length(size_t length, size_t most);
int tofu_bad_armw(enum utofu_armw_op armw_op);
int tofu_bad_gap(size_t mtu, size_t gap);
int tofu_operation_fill(struct tofu_operation *op, size_t length, uint64_t edata,
			unsigned long flags);

#endif
