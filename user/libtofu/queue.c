// SPDX-License-Identifier: GPL-2.0
/*
 * VCQs of this process.  Those of a TNI share the FIFO that leads to it, their hardware queue,
 * and are told apart by their component ids.  One lock serves all.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "id.h"
#include "notice.h"
#include "operation.h"
#include "place.h"
#include "port.h"
#include "queue.h"

#define VCQ_FLAGS	(UTOFU_VCQ_FLAG_THREAD_SAFE | UTOFU_VCQ_FLAG_EXCLUSIVE | \
			 UTOFU_VCQ_FLAG_SESSION_MODE)

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static struct tofu_queue queues[TOFU_TNIS_MAX][TOFU_CMP_IDS];

/**
 * tofu_group - the FIFO group of this process
 *
 * Return: the group; 0 of a process that has no place.
 */
uint32_t tofu_group(void)
{
	const struct tofu_place *place;

	return tofu_place(&place) ? 0 : place->group;
}

/**
 * tofu_queue_lock - a VCQ by its handle, locked with all others
 * @vcq_hdl: the handle
 *
 * Return: the VCQ, or NULL after telling that there is none; then nothing is locked.
 */
struct tofu_queue *tofu_queue_lock(utofu_vcq_hdl_t vcq_hdl)
{
	uintptr_t offset = vcq_hdl - (uintptr_t)queues;

	pthread_mutex_lock(&queue_lock);
	if (vcq_hdl >= (uintptr_t)queues && offset < sizeof(queues) &&
	    !(offset % sizeof(queues[0][0])) && ((struct tofu_queue *)vcq_hdl)->used)
		return (struct tofu_queue *)vcq_hdl;
	pthread_mutex_unlock(&queue_lock);
	tofu_error(UTOFU_ERR_INVALID_VCQ_HDL, "VCQ handle %#lx: this process has no such VCQ",
		   (unsigned long)vcq_hdl);
	return NULL;
}

/**
 * tofu_queue_unlock - done with it
 */
void tofu_queue_unlock(void)
{
	pthread_mutex_unlock(&queue_lock);
}

/**
 * tofu_queue_clock - tofu_port_clock(), while no other thread uses the FIFO group
 * @vain: as there
 *
 * Return: as there.
 */
int tofu_queue_clock(bool vain)
{
	int ret;

	pthread_mutex_lock(&queue_lock);
	ret = tofu_port_clock(vain);
	pthread_mutex_unlock(&queue_lock);
	return ret;
}

/* The lowest FIFO of the group that leads to an engine. */
static uint32_t fifo_of(const struct tofu_place *place, uint16_t tni)
{
	uint32_t fifo = 0;

	while ((TORUS_TOFU_FIFOS * tofu_group() + fifo) % place->tnis != tni)
		fifo++;
	return fifo;
}

/* A component id that is free, or the one that is wanted. */
static int choose_cmp(utofu_tni_id_t tni, int wanted, uint16_t *cmp)
{
	uint16_t i;

	if (wanted >= 0) {
		*cmp = (uint16_t)wanted;
		if (!queues[tni][wanted].used)
			return UTOFU_SUCCESS;
		return tofu_error(UTOFU_ERR_USED, "TNI %u, component id %d: this process uses it",
				  tni, wanted);
	}
	for (i = 0; i < TOFU_CMP_IDS; i++)
		if (!queues[tni][i].used)
			break;
	*cmp = i;
	if (i < TOFU_CMP_IDS)
		return UTOFU_SUCCESS;
	return tofu_error(UTOFU_ERR_FULL, "TNI %u: this process uses all %u VCQs", tni,
			  TOFU_CMP_IDS);
}

/* Why the node's FIFO group is not to be had. */
static int open_port(const struct tofu_place *place)
{
	int ret = tofu_port_open(place->fabric, place->node, tofu_group()), code;

	switch (ret) {
	case 0:
		return UTOFU_SUCCESS;
	case -EBUSY:
		code = UTOFU_ERR_NOT_AVAILABLE;
		break;
	case -ENOMEM:
		code = UTOFU_ERR_OUT_OF_MEMORY;
		break;
	case -ENOSPC:
	case -EDQUOT:
		code = UTOFU_ERR_OUT_OF_RESOURCE;
		break;
	default:
		code = UTOFU_ERR_FATAL;
		break;
	}
	return tofu_error(code, "%s", tofu_port_error());
}

static int create(utofu_tni_id_t tni, int wanted, unsigned long flags, utofu_vcq_hdl_t *vcq_hdl)
{
	const struct tofu_place *place;
	struct tofu_queue *queue;
	uint16_t cmp = 0;
	int ret;

	if (!vcq_hdl)
		return tofu_error(UTOFU_ERR_INVALID_POINTER, "vcq_hdl is NULL");
	if (flags & ~VCQ_FLAGS)
		return tofu_error(UTOFU_ERR_INVALID_FLAGS, "flags %#lx: no VCQ has these", flags);
	if (wanted >= TOFU_CMP_IDS)
		return tofu_error(UTOFU_ERR_INVALID_CMP_ID, "component id %d: 0 to %u", wanted,
				  TOFU_CMP_IDS - 1);
	ret = tofu_place(&place);
	if (ret)
		return ret;
	if (tni >= place->tnis)
		return tofu_error(UTOFU_ERR_INVALID_TNI_ID, "TNI %u: a node of fabric %s has 0 to "
				  "%u", tni, place->fabric, place->tnis - 1);
	pthread_mutex_lock(&queue_lock);
	ret = choose_cmp(tni, wanted, &cmp);
	if (!ret)
		ret = open_port(place);
	if (!ret) {
		queue = &queues[tni][cmp];
		tofu_memory_free(queue);
		memset(queue, 0, sizeof(*queue));
		queue->used = true;
		queue->tni = tni;
		queue->cmp = cmp;
		queue->fifo = fifo_of(place, tni);
		queue->session = flags & UTOFU_VCQ_FLAG_SESSION_MODE;
		*vcq_hdl = (uintptr_t)queue;
	}
	pthread_mutex_unlock(&queue_lock);
	return ret;
}

/**
 * utofu_create_vcq - a VCQ, with a component id that is free
 * @tni_id: its engine
 * @flags: UTOFU_VCQ_FLAG_*
 * @vcq_hdl: gets its handle
 *
 * Return: UTOFU_SUCCESS; UTOFU_ERR_FULL where this process has all of the engine's;
 * UTOFU_ERR_NOT_AVAILABLE where another process has the node's FIFO group;
 * UTOFU_ERR_OUT_OF_MEMORY, UTOFU_ERR_OUT_OF_RESOURCE beyond what the module may use;
 * UTOFU_ERR_FATAL for anything else that keeps it from the group;
 * UTOFU_ERR_INVALID_POINTER, _FLAGS, _TNI_ID, or what the process's place lacks.
 */
int utofu_create_vcq(utofu_tni_id_t tni_id, unsigned long flags, utofu_vcq_hdl_t *vcq_hdl)
{
	return create(tni_id, -1, flags, vcq_hdl);
}

TOFU_PROFILE(create_vcq);

/**
 * utofu_create_vcq_with_cmp_id - a VCQ with a component id
 * @tni_id: its engine
 * @cmp_id: the component id
 * @flags: UTOFU_VCQ_FLAG_*
 * @vcq_hdl: gets its handle
 *
 * Return: as utofu_create_vcq(); UTOFU_ERR_USED, UTOFU_ERR_INVALID_CMP_ID.
 */
int utofu_create_vcq_with_cmp_id(utofu_tni_id_t tni_id, utofu_cmp_id_t cmp_id, unsigned long flags,
				 utofu_vcq_hdl_t *vcq_hdl)
{
	return create(tni_id, cmp_id, flags, vcq_hdl);
}

TOFU_PROFILE(create_vcq_with_cmp_id);

static void list_free(struct tofu_list *list)
{
	struct tofu_told *told;

	while ((told = list->head)) {
		list->head = told->link;
		free(told);
	}
}

/**
 * utofu_free_vcq - give a VCQ back
 * @vcq_hdl: its handle
 *
 * What was posted goes on as long as the process does, but for blocks that wait for room, or for
 * DELAY_START's end.  Its memory stays registered until it is taken back, or a VCQ comes in its
 * place.  Notices that have come are forgotten.  One that comes later is told by the VCQ that has
 * this TNI and component id then: poll for all of them before.
 *
 * Return: UTOFU_SUCCESS or UTOFU_ERR_INVALID_VCQ_HDL.
 */
int utofu_free_vcq(utofu_vcq_hdl_t vcq_hdl)
{
	struct tofu_queue *queue = tofu_queue_lock(vcq_hdl);
	struct tofu_pending *pending;

	if (!queue)
		return UTOFU_ERR_INVALID_VCQ_HDL;
	/* what cannot be told any more is no reason to keep it */
	tofu_notice_collect(queue);
	tofu_port_tell();
	list_free(&queue->tcq);
	list_free(&queue->mrq);
	while ((pending = queue->head)) {
		queue->head = pending->link;
		free(pending);
	}
	queue->used = false;
	tofu_queue_unlock();
	return UTOFU_SUCCESS;
}

TOFU_PROFILE(free_vcq);

/**
 * utofu_query_vcq_id - the id of a VCQ of this process
 * @vcq_hdl: its handle
 * @vcq_id: gets it: what utofu_construct_vcq_id() makes of its place
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_INVALID_POINTER, UTOFU_ERR_INVALID_VCQ_HDL.
 */
int utofu_query_vcq_id(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t *vcq_id)
{
	const struct tofu_place *place;
	struct tofu_vcq vcq = { .path = TOFU_PATHS };
	struct tofu_queue *queue;
	int ret;

	if (!vcq_id)
		return tofu_error(UTOFU_ERR_INVALID_POINTER, "vcq_id is NULL");
	ret = tofu_place(&place);
	if (ret)
		return ret;
	queue = tofu_queue_lock(vcq_hdl);
	if (!queue)
		return UTOFU_ERR_INVALID_VCQ_HDL;
	memcpy(vcq.coords, place->coords, sizeof(vcq.coords));
	vcq.tni = queue->tni;
	vcq.cmp = queue->cmp;
	vcq.cq = (uint16_t)(TOFU_CQ_STEP * tofu_group());
	*vcq_id = tofu_vcq_id(&vcq);
	tofu_queue_unlock();
	return UTOFU_SUCCESS;
}

TOFU_PROFILE(query_vcq_id);

/* ------------------------------------------------------------------ posting */

static void store_be32(unsigned char *at, uint32_t value)
{
	at[0] = (unsigned char)(value >> 24);
	at[1] = (unsigned char)(value >> 16);
	at[2] = (unsigned char)(value >> 8);
	at[3] = (unsigned char)value;
}

/* The record of an operation's block. */
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
 * tofu_queue_flush - records that wait go into the ring as far as it has room
 * @queue: a VCQ, locked
 *
 * Return: UTOFU_SUCCESS, also while there is none, or UTOFU_ERR_FATAL.
 */
int tofu_queue_flush(struct tofu_queue *queue)
{
	struct tofu_pending *pending;
	int ret = 0;

	while (!queue->held && (pending = queue->head)) {
		ret = tofu_port_post(queue->fifo, pending->bytes, TORUS_TOFU_COMMAND_CHUNKS);
		if (ret)
			break;
		queue->head = pending->link;
		free(pending);
	}
	if (!ret || ret == -EAGAIN)
		return UTOFU_SUCCESS;
	return tofu_error(UTOFU_ERR_FATAL, "%s", tofu_port_error());
}

/* How many records an operation takes. */
static uint64_t records(const struct tofu_operation *op)
{
	return op->op == TORUS_TOFU_PUT || op->op == TORUS_TOFU_GET ? op->blocks : 1;
}

static int queue_full(const struct tofu_queue *queue)
{
	return tofu_error(UTOFU_ERR_BUSY, "TNI %u: its queue is full", queue->tni);
}

/* Nothing waits: one record goes into the ring, or its caller keeps it. */
static int post_one(struct tofu_queue *queue, const struct tofu_operation *op, void *cbdata)
{
	unsigned char bytes[TOFU_POSTED_BYTES];
	int ret;

	record(queue, op, 0, cbdata, bytes);
	ret = tofu_port_post(queue->fifo, bytes, TORUS_TOFU_COMMAND_CHUNKS);
	if (ret == -EAGAIN)
		return queue_full(queue);
	return ret ? tofu_error(UTOFU_ERR_FATAL, "%s", tofu_port_error()) : UTOFU_SUCCESS;
}

static int append(struct tofu_queue *queue, const struct tofu_operation *op, void *cbdata)
{
	uint64_t count = records(op), i;

	for (i = 0; i < count; i++) {
		struct tofu_pending *pending = calloc(1, sizeof(*pending));

		if (!pending)
			return tofu_error(UTOFU_ERR_OUT_OF_MEMORY, "no memory for block %llu of "
					  "an operation", (unsigned long long)i);
		record(queue, op, i, cbdata, pending->bytes);
		if (queue->head)
			queue->tail->link = pending;
		else
			queue->head = pending;
		queue->tail = pending;
	}
	return UTOFU_SUCCESS;
}

/* An operation of a queue that is locked. */
static int post(struct tofu_queue *queue, const struct tofu_operation *op, void *cbdata)
{
	int ret = tofu_queue_flush(queue);

	if (ret)
		return ret;
	if (queue->head && !queue->held)
		return queue_full(queue);
	if (!queue->head && !(op->flags & UTOFU_ONESIDED_FLAG_DELAY_START) && records(op) == 1)
		return post_one(queue, op, cbdata);
	ret = append(queue, op, cbdata);
	queue->held = op->flags & UTOFU_ONESIDED_FLAG_DELAY_START;
	return ret ? ret : tofu_queue_flush(queue);
}

/* Prepared operations, end to end: all that the ring has no room for wait. */
static int post_all(struct tofu_queue *queue, const char *desc, size_t count, void *cbdata)
{
	int ret = tofu_queue_flush(queue);
	struct tofu_operation op;
	size_t i;

	if (!ret && queue->head && !queue->held)
		ret = queue_full(queue);
	for (i = 0; i < count && !ret; i++) {
		memcpy(&op, desc + i * sizeof(op), sizeof(op));
		ret = append(queue, &op, cbdata);
		queue->held = op.flags & UTOFU_ONESIDED_FLAG_DELAY_START;
	}
	return ret ? ret : tofu_queue_flush(queue);
}

/**
 * tofu_post - an operation is posted
 * @vcq_hdl: by which VCQ
 * @op: the operation
 * @length: bytes of a block
 * @edata: told with the notices
 * @flags: UTOFU_ONESIDED_FLAG_*
 * @cbdata: told with its TCQ notice
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_BUSY while the queue is full, which polling empties, or which
 * argument is wrong.
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
 * tofu_prepare - an operation is written down
 * @vcq_hdl: by which VCQ it will be posted
 * @op: the operation
 * @length: bytes of a block
 * @edata: told with the notices
 * @flags: UTOFU_ONESIDED_FLAG_*
 * @desc: gets it
 * @desc_size: gets its size
 *
 * Return: UTOFU_SUCCESS, or which argument is wrong.
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

/* Is it none that tofu_prepare() has written? */
static bool damaged(const struct tofu_operation *op)
{
	struct tofu_vcq peer;

	return op->mark != TOFU_OPERATION_MARK || op->op >= TORUS_TOFU_OPS ||
	       (op->op != TORUS_TOFU_NOP && !tofu_vcq_parse(op->peer, &peer));
}

/**
 * utofu_post_toq - post what utofu_prepare_* have written
 * @vcq_hdl: the VCQ that it was prepared for
 * @desc: one operation or several, end to end; may be posted again and again
 * @desc_size: the sum of their sizes
 * @cbdata: told with each TCQ notice
 *
 * Return: UTOFU_SUCCESS; UTOFU_ERR_BUSY while the queue is full: then none is posted;
 * UTOFU_ERR_INVALID_POINTER, UTOFU_ERR_INVALID_DESC, UTOFU_ERR_INVALID_VCQ_HDL.
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
		return tofu_error(UTOFU_ERR_INVALID_DESC, "descriptor of %zu bytes: %zu bytes for "
				  "each prepared operation", desc_size, sizeof(op));
	queue = tofu_queue_lock(vcq_hdl);
	if (!queue)
		return UTOFU_ERR_INVALID_VCQ_HDL;
	/* the last that was looked at is the only one */
	ret = count == 1 ? post(queue, &op, cbdata) : post_all(queue, desc, count, cbdata);
	tofu_queue_unlock();
	return ret;
}

TOFU_PROFILE(post_toq);
