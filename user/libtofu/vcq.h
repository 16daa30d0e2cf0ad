/* SPDX-License-Identifier: GPL-2.0 */
/* VCQs of this process: what is posted, and the notices that come back. */
#ifndef TOFU_VCQ_H
#define TOFU_VCQ_H

#include <linux/torus.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api.h"

#define TOFU_OPERATION_MARK	0x7546
#define TOFU_POSTED_BYTES	96
#define TOFU_RECORDS_MAX	65536	/* of an operation, and that wait in a VCQ */
#define TOFU_NOTICES_MAX	65536	/* notices that wait to be polled, in each of its lists */

/**
 * struct tofu_operation - an operation, and what utofu_prepare_* write: 64 bytes
 * @peer: id of the remote VCQ, maybe with a path
 * @remote: STADD there
 * @local: STADD here, of put and get
 * @stride: from one block to the next, of put and get
 * @blocks: how many, of put and get
 * @data: operands of an atomic operation, or the bytes of a piggyback
 * @length: bytes of a block
 * @flags: of the operation, without path and steps
 * @op: enum torus_tofu_op
 * @atomic: enum torus_atomic
 * @size: of an atomic operation
 * @edata: told with the notices
 * @path: path id, 0: that of @peer
 * @steps: SPS
 * @mark: TOFU_OPERATION_MARK
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
 * struct tofu_pending - records that wait for room in the ring, or for DELAY_START's end
 * @link: the next
 * @bytes: the record
 */
struct tofu_pending {
	struct tofu_pending *link;
	unsigned char bytes[TOFU_POSTED_BYTES];
};

/**
 * struct tofu_notice - a notice that waits to be polled
 * @link: the next
 * @notice: the notice
 */
struct tofu_notice {
	struct tofu_notice *link;
	struct torus_tofu_notice notice;
};

/**
 * struct tofu_notices - told notices, first to last
 * @head: the first
 * @tail: the last
 * @count: their number
 * @lost: notices discarded since the last poll that reported it
 */
struct tofu_notices {
	struct tofu_notice *head;
	struct tofu_notice *tail;
	size_t count;
	size_t lost;
};

/**
 * struct tofu_memory - memory that is registered
 * @link: another one
 * @stadd: of its first byte
 */
struct tofu_memory {
	struct tofu_memory *link;
	uint64_t stadd;
};

/**
 * struct tofu_queue - a VCQ of this process
 * @used: it is there
 * @tni: its engine
 * @cmp: its component id
 * @fifo: the FIFO that leads to the engine
 * @session: in session mode
 * @head: first record that waits
 * @tail: last one
 * @waiting: their number
 * @held: the last one was posted with DELAY_START: nothing goes
 * @tcq: notices of the transmit queue
 * @mrq: of the message queue
 * @memory: registered for it, or for the one that was here before
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
