// SPDX-License-Identifier: GPL-2.0
/*
 * Post operations as records for engines.  Records wait here while the ring is full, or for an
 * operation without DELAY_START.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fifo.h"
#include "id.h"
#include "notice.h"
#include "op_args.h"
#include "vcq.h"

static void store_be32(unsigned char *at, uint32_t value)
{
	at[0] = (unsigned char)(value >> 24);
	at[1] = (unsigned char)(value >> 16);
	at[2] = (unsigned char)(value >> 8);
	at[3] = (unsigned char)value;
}

/* Write the record of one block of an operation. */
static void record(const struct tofu_queue *queue, const struct tofu_operation *op,
		   uint64_t block, void *cbdata, unsigned char *bytes)
{
	struct torus_tofu_command command = {
		.op = op->op, .vcq = (uint8_t)queue->cmp, .edata = op->edata, .steps = op->steps,
		.length = op->length, .remote = op->remote, .cookie = (uintptr_t)cbdata,
	};
	struct tofu_vcq peer = { .path = 0 };
	const uint8_t *at = peer.coords;
	uint32_t path, group;

	if (op->op == TORUS_TOFU_NOP)
		tofu_vcq_parse(op->peer, &peer);
	else if (!tofu_vcq_parse(op->peer, &peer))
		return;
	group = peer.cq / TOFU_CQ_STEP;
	path = op->path ? op->path - 1u : peer.path;
	if (path >= TOFU_PATHS)
		path = at[3] + 2u * (at[4] + 3u * at[5]);
	memset(bytes, 0, TOFU_POSTED_BYTES);
	store_be32(bytes, (uint32_t)at[0] << TORUS_TOFU_X_SHIFT |
		   (uint32_t)at[1] << TORUS_TOFU_Y_SHIFT | (uint32_t)at[2] << TORUS_TOFU_Z_SHIFT |
		   (uint32_t)at[3] << TORUS_TOFU_A_SHIFT | (uint32_t)at[4] << TORUS_TOFU_B_SHIFT |
		   (uint32_t)at[5] << TORUS_TOFU_C_SHIFT |
		   TORUS_TOFU_FIFO_GATE << TORUS_TOFU_FIFO_SHIFT |
		   (group & 1 ? TORUS_TOFU_GROUP : 0));
	store_be32(bytes + 4, path << TORUS_TOFU_PATH_SHIFT |
		   (group & 2 ? TORUS_TOFU_GROUP_HIGH : 0) |
		   (TORUS_TOFU_COMMAND_CHUNKS - 1) << TORUS_TOFU_CHUNKS_SHIFT |
		   TORUS_TOFU_KIND_COMMAND << TORUS_TOFU_KIND_SHIFT);
	command.peer_engine = (uint8_t)peer.tni;
	command.peer_vcq = (uint8_t)peer.cmp;
	if (op->flags & UTOFU_ONESIDED_FLAG_TCQ_NOTICE)
		command.flags |= TORUS_TOFU_TELL_TCQ;
	if (op->flags & UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE && op->op != TORUS_TOFU_NOP)
		command.flags |= TORUS_TOFU_TELL_LOCAL;
	if (op->flags & UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE && op->op != TORUS_TOFU_NOP)
		command.flags |= TORUS_TOFU_TELL_REMOTE;
	if (queue->session)
		command.flags |= TORUS_TOFU_SESSION;
	if (op->op == TORUS_TOFU_PUT || op->op == TORUS_TOFU_GET) {
		command.local = op->local + block * op->stride;
		command.remote += block * op->stride;
	} else {
		memcpy(command.data, op->data, sizeof(command.data));
	}
	if (op->op == TORUS_TOFU_ATOMIC) {
		command.atomic = op->atomic;
		command.size = op->size;
	}
	memcpy(bytes + TORUS_TOFU_HEADER_BYTES, &command, sizeof(command));
}

/**
 * tofu_queue_flush - post waiting records while the ring has free space
 * @queue: a VCQ, locked; nothing is posted if @queue->held
 *
 * Return: UTOFU_SUCCESS, also if the ring is full, or UTOFU_ERR_FATAL.
 */
int tofu_queue_flush(struct tofu_queue *queue)
{
	struct tofu_pending *pending;
	int ret = 0;

	while (!queue->held && (pending = queue->head)) {
		ret = tofu_fifo_post(queue->fifo, pending->bytes, TORUS_TOFU_COMMAND_CHUNKS);
		if (ret)
			break;
		queue->head = pending->link;
		queue->waiting--;
		free(pending);
	}
	if (!ret || ret == -EAGAIN)
		return UTOFU_SUCCESS;
	return tofu_error(UTOFU_ERR_FATAL, "%s", tofu_fifo_error());
}

/* Number of records of an operation: one for each block. */
static uint64_t records(const struct tofu_operation *op)
{
	return op->op == TORUS_TOFU_PUT || op->op == TORUS_TOFU_GET ? op->blocks : 1;
}

static int queue_full(const struct tofu_queue *queue)
{
	return tofu_error(UTOFU_ERR_BUSY, "TNI %u: its queue is full", queue->tni);
}

/*
 * Post an operation of one record while no other record waits.  UTOFU_ERR_BUSY if the ring is full.
 */
static int post_one(struct tofu_queue *queue, const struct tofu_operation *op, void *cbdata)
{
	unsigned char bytes[TOFU_POSTED_BYTES];
	int ret;

	record(queue, op, 0, cbdata, bytes);
	ret = tofu_fifo_post(queue->fifo, bytes, TORUS_TOFU_COMMAND_CHUNKS);
	if (ret == -EAGAIN)
		return queue_full(queue);
	return ret ? tofu_error(UTOFU_ERR_FATAL, "%s", tofu_fifo_error()) : UTOFU_SUCCESS;
}

/**
 * struct toq_chain - records to be appended to a VCQ's waiting records
 * @head: first record
 * @tail: last record
 * @count: number of records
 * @held: the last operation has the flag DELAY_START, so the records wait
 */
struct toq_chain {
	struct tofu_pending *head;
	struct tofu_pending *tail;
	uint64_t count;
	bool held;
};

/* Append the records of an operation to a chain. */
static int chain_add(struct toq_chain *chain, const struct tofu_queue *queue,
		     const struct tofu_operation *op, void *cbdata)
{
	uint64_t count = records(op), i;

	for (i = 0; i < count; i++) {
		struct tofu_pending *pending = calloc(1, sizeof(*pending));

		if (!pending)
			return tofu_error(UTOFU_ERR_OUT_OF_MEMORY,
					  "out of memory for block %llu of an operation",
					  (unsigned long long)i);
		record(queue, op, i, cbdata, pending->bytes);
		if (chain->head)
			chain->tail->link = pending;
		else
			chain->head = pending;
		chain->tail = pending;
	}
	chain->count += count;
	chain->held = op->flags & UTOFU_ONESIDED_FLAG_DELAY_START;
	return UTOFU_SUCCESS;
}

static void chain_free(struct toq_chain *chain)
{
	struct tofu_pending *pending;

	while ((pending = chain->head)) {
		chain->head = pending->link;
		free(pending);
	}
}

/* Append a chain to the VCQ's waiting records, and post as many as the ring takes. */
static int chain_join(struct toq_chain *chain, struct tofu_queue *queue)
{
	if (queue->head)
		queue->tail->link = chain->head;
	else
		queue->head = chain->head;
	queue->tail = chain->tail;
	queue->waiting += chain->count;
	queue->held = chain->held;
	return tofu_queue_flush(queue);
}

/*
 * Check whether the VCQ can take @count more records.  Records that wait for an operation without
 * DELAY_START do not count if this is such an operation, because it releases them.
 */
static int bad_count(const struct tofu_queue *queue, uint64_t count, bool held)
{
	if (count > TOFU_RECORDS_MAX || (held && queue->waiting + count > TOFU_RECORDS_MAX))
		return tofu_error(UTOFU_ERR_OUT_OF_RESOURCE,
				  "%llu blocks, and %zu already wait: the sum must be at most %u",
				  (unsigned long long)count, queue->waiting,
				  TOFU_RECORDS_MAX);
	return UTOFU_SUCCESS;
}

/* Post an operation by a locked VCQ. */
static int post(struct tofu_queue *queue, const struct tofu_operation *op, void *cbdata)
{
	int ret = tofu_queue_flush(queue);
	struct toq_chain chain = { 0 };

	if (ret)
		return ret;
	if (queue->head && !queue->held)
		return queue_full(queue);
	if (!queue->head && !(op->flags & UTOFU_ONESIDED_FLAG_DELAY_START) && records(op) == 1)
		return post_one(queue, op, cbdata);
	ret = bad_count(queue, records(op), op->flags & UTOFU_ONESIDED_FLAG_DELAY_START);
	if (!ret)
		ret = chain_add(&chain, queue, op, cbdata);
	if (!ret)
		return chain_join(&chain, queue);
	chain_free(&chain);
	return ret;
}

/* Post several prepared operations, stored end to end.  Records wait if the ring is full. */
static int post_all(struct tofu_queue *queue, const char *desc, size_t count, void *cbdata)
{
	int ret = tofu_queue_flush(queue);
	struct toq_chain chain = { 0 };
	struct tofu_operation op;
	size_t i;

	if (!ret && queue->head && !queue->held)
		ret = queue_full(queue);
	for (i = 0; i < count && !ret; i++) {
		memcpy(&op, desc + i * sizeof(op), sizeof(op));
		ret = bad_count(queue, chain.count + records(&op),
				op.flags & UTOFU_ONESIDED_FLAG_DELAY_START);
		if (!ret)
			ret = chain_add(&chain, queue, &op, cbdata);
	}
	if (!ret)
		return chain_join(&chain, queue);
	chain_free(&chain);
	return ret;
}

/**
 * tofu_post - validate and post an operation
 * @vcq_hdl: VCQ that posts the operation
 * @op: [in, out] the operation
 * @length: bytes of a block
 * @edata: value for the notices
 * @flags: UTOFU_ONESIDED_FLAG_*
 * @cbdata: value for the TCQ notice
 *
 * Return: UTOFU_SUCCESS; UTOFU_ERR_BUSY while the queue is full, which polling empties;
 * UTOFU_ERR_OUT_OF_RESOURCE beyond TOFU_RECORDS_MAX blocks, UTOFU_ERR_OUT_OF_MEMORY; or an error of
 * tofu_operation_fill() or tofu_queue_lock(): then nothing is posted.  UTOFU_ERR_FATAL if the ring
 * cannot be used.
 */
int tofu_post(utofu_vcq_hdl_t vcq_hdl, struct tofu_operation *op, size_t length, uint64_t edata,
	      unsigned long flags, void *cbdata)
{
	struct tofu_queue *queue;
	int ret = tofu_operation_fill(op, length, edata, flags);

	if (ret)
		return ret;
	queue = tofu_queue_lock(vcq_hdl);
	if (!queue)
		return UTOFU_ERR_INVALID_VCQ_HDL;
	ret = post(queue, op, cbdata);
	tofu_queue_unlock();
	return ret;
}

/**
 * tofu_prepare - validate an operation, and store it for utofu_post_toq()
 * @vcq_hdl: VCQ that will post the operation
 * @op: [in, out] the operation
 * @length: bytes of a block
 * @edata: value for the notices
 * @flags: UTOFU_ONESIDED_FLAG_*
 * @desc: [out] the prepared operation
 * @desc_size: [out] size of the prepared operation
 *
 * Return: UTOFU_SUCCESS, the error of the invalid argument, or an error of tofu_place().
 */
int tofu_prepare(utofu_vcq_hdl_t vcq_hdl, struct tofu_operation *op, size_t length, uint64_t edata,
		 unsigned long flags, void *desc, size_t *desc_size)
{
	int ret;

	if (!desc || !desc_size)
		return tofu_error(UTOFU_ERR_INVALID_POINTER, "desc or desc_size is NULL");
	ret = tofu_operation_fill(op, length, edata, flags);
	if (ret)
		return ret;
	if (!tofu_queue_lock(vcq_hdl))
		return UTOFU_ERR_INVALID_VCQ_HDL;
	tofu_queue_unlock();
	memcpy(desc, op, sizeof(*op));
	*desc_size = sizeof(*op);
	return UTOFU_SUCCESS;
}

/*
 * Check whether a descriptor is invalid: its mark, kind or remote VCQ cannot be from
 * tofu_prepare().  Changes of other fields are not noticed.
 */
static bool damaged(const struct tofu_operation *op)
{
	struct tofu_vcq peer;

	return op->mark != TOFU_OPERATION_MARK || op->op >= TORUS_TOFU_OPS ||
	       (op->op != TORUS_TOFU_NOP && !tofu_vcq_parse(op->peer, &peer));
}

/**
 * utofu_post_toq - post prepared operations
 * @vcq_hdl: VCQ for which the operations were prepared
 * @desc: one or several prepared operations, end to end; may be posted repeatedly
 * @desc_size: sum of their sizes
 * @cbdata: value for each TCQ notice
 *
 * Return: UTOFU_SUCCESS.  UTOFU_ERR_BUSY while the queue is full, UTOFU_ERR_OUT_OF_RESOURCE beyond
 * TOFU_RECORDS_MAX blocks, UTOFU_ERR_OUT_OF_MEMORY: then none is posted.
 * UTOFU_ERR_INVALID_POINTER, UTOFU_ERR_INVALID_DESC, UTOFU_ERR_INVALID_VCQ_HDL, UTOFU_ERR_FATAL.
 */
int utofu_post_toq(utofu_vcq_hdl_t vcq_hdl, void *desc, size_t desc_size, void *cbdata)
{
	size_t count = desc_size / sizeof(struct tofu_operation), i;
	struct tofu_operation op;
	struct tofu_queue *queue;
	int ret;

	if (!desc)
		return tofu_error(UTOFU_ERR_INVALID_POINTER, "desc is NULL");
	for (i = 0; i < count; i++) {
		memcpy(&op, (char *)desc + i * sizeof(op), sizeof(op));
		if (damaged(&op))
			break;
	}
	if (!count || i < count || desc_size % sizeof(op))
		return tofu_error(UTOFU_ERR_INVALID_DESC, "descriptor of %zu bytes: must have %zu "
				  "bytes for each prepared operation", desc_size, sizeof(op));
	queue = tofu_queue_lock(vcq_hdl);
	if (!queue)
		return UTOFU_ERR_INVALID_VCQ_HDL;
	/* if there is only one operation, the loop above has copied it to @op */
	ret = count == 1 ? post(queue, &op, cbdata) : post_all(queue, desc, count, cbdata);
	tofu_queue_unlock();
	return ret;
}

TOFU_PROFILE(post_toq);
