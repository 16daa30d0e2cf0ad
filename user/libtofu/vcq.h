/* SPDX-License-Identifier: GPL-2.0 */
/* VCQs of this process: waiting records, and notices to be polled. */
#ifndef TOFU_VCQ_H
#define TOFU_VCQ_H

#include <linux/torus.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api.h"

#define TOFU_OPERATION_MARK	0x7546
#define TOFU_POSTED_BYTES	96
/*
 * limit of the records of a call, and of a VCQ's records that wait for an operation without
 * DELAY_START
 */
#define TOFU_RECORDS_MAX	65536
#define TOFU_NOTICES_MAX	65536	/* limit of the notices in each list of a VCQ */

/**
 * struct tofu_operation - an operation, and the 64 bytes that utofu_prepare_* write
 * @peer: id of the remote VCQ, with or without a path
 * @remote: remote STADD
 * @local: put and get: local STADD
 * @stride: put and get: distance of the starts of two blocks in bytes
 * @blocks: put and get: number of blocks
 * @data: operands of an atomic operation, or the bytes of a piggyback
 * @length: length in bytes of a block, or of a piggyback
 * @flags: UTOFU_ONESIDED_FLAG_* without path and steps
 * @op: enum torus_tofu_op
 * @atomic: enum torus_atomic
 * @size: bytes of an atomic operation's word
 * @edata: value for the notices
 * @path: path id, 0: path of @peer
 * @steps: number of commands that a put lets start (SPS)
 * @mark: TOFU_OPERATION_MARK, which identifies a prepared operation
 */
struct tofu_operation {
	uint64_t peer;
	uint64_t remote;
	union {
		struct {
			uint64_t local;
			uint64_t stride;
			uint64_t blocks;
		};
		uint64_t data[4];
	};
	uint32_t length;
	uint16_t flags;
	uint8_t op;
	uint8_t atomic;
	uint8_t size;
	uint8_t edata;
	uint8_t path;
	uint8_t steps;
	uint16_t mark;
	uint16_t spare;
};

/**
 * struct tofu_pending - a record that waits for free space in the ring, or for an operation without
 * DELAY_START
 * @link: next record
 * @bytes: the record
 */
struct tofu_pending {
	struct tofu_pending *link;
	unsigned char bytes[TOFU_POSTED_BYTES];
};

/**
 * struct tofu_notice - a notice that waits to be polled
 * @link: next notice
 * @notice: the notice
 */
struct tofu_notice {
	struct tofu_notice *link;
	struct torus_tofu_notice notice;
};

/**
 * struct tofu_notices - list of notices in the order of their arrival
 * @head: first notice
 * @tail: last notice
 * @count: number of notices
 * @lost: number of notices discarded since the last poll that reported a loss
 */
struct tofu_notices {
	struct tofu_notice *head;
	struct tofu_notice *tail;
	size_t count;
	size_t lost;
};

/**
 * struct tofu_memory - registered memory
 * @link: next registered memory of the VCQ
 * @stadd: STADD of the first byte
 */
struct tofu_memory {
	struct tofu_memory *link;
	uint64_t stadd;
};

/**
 * struct tofu_queue - a VCQ of this process
 * @used: the VCQ exists
 * @tni: its engine
 * @cmp: its component id
 * @fifo: number of both the injection and the reception FIFO that lead to the engine
 * @session: the VCQ is in session mode
 * @head: first waiting record
 * @tail: last waiting record
 * @waiting: number of waiting records
 * @held: the last waiting record has the flag DELAY_START, so no record is posted
 * @tcq: notices of the transmit completion queue
 * @mrq: notices of the message receive queue
 * @memory: memory registered for this VCQ, or for an earlier one with its component id
 */
struct tofu_queue {
	bool used;
	uint16_t tni;
	uint16_t cmp;
	uint32_t fifo;
	bool session;
	struct tofu_pending *head;
	struct tofu_pending *tail;
	size_t waiting;
	bool held;
	struct tofu_notices tcq;
	struct tofu_notices mrq;
	struct tofu_memory *memory;
};

struct tofu_queue *tofu_queue_lock(utofu_vcq_hdl_t vcq_hdl);
void tofu_queue_unlock(void);
int tofu_queue_clock(bool vain);
uint32_t tofu_group(void);
void tofu_memory_free(struct tofu_queue *queue);

int tofu_post(utofu_vcq_hdl_t vcq_hdl, struct tofu_operation *op, size_t length, uint64_t edata,
	      unsigned long flags, void *cbdata);
int tofu_prepare(utofu_vcq_hdl_t vcq_hdl, struct tofu_operation *op, size_t length, uint64_t edata,
		 unsigned long flags, void *desc, size_t *desc_size);

#endif
