// SPDX-License-Identifier: GPL-2.0
/*
 * Take the engines' notices of operations from the ring, sort them into one list per VCQ, and let
 * the program poll the lists.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fifo.h"
#include "id.h"
#include "node_lookup.h"
#include "notice.h"

#define NOTICE_BYTES	(TORUS_TOFU_NOTICE_CHUNKS * 32)

/*
 * Memory for the next notice, protected by the lock of the VCQs.  If there is no memory, the notice
 * stays in the ring.
 */
static struct tofu_notice *spare;

static bool have_spare(void)
{
	if (!spare)
		spare = malloc(sizeof(*spare));
	return spare;
}

/*
 * Append a notice to a list.  Discard the notice if the list has TOFU_NOTICES_MAX notices: left in
 * the ring, it would block the notices of other VCQs.
 */
static void list_add(struct tofu_notices *list, const struct torus_tofu_notice *notice)
{
	struct tofu_notice *entry = spare;

	if (list->count == TOFU_NOTICES_MAX) {
		list->lost++;
		return;
	}
	spare = NULL;
	entry->link = NULL;
	entry->notice = *notice;
	if (list->head)
		list->tail->link = entry;
	else
		list->head = entry;
	list->tail = entry;
	list->count++;
}

static bool list_take(struct tofu_notices *list, struct torus_tofu_notice *notice)
{
	struct tofu_notice *entry = list->head;

	if (!entry)
		return false;
	*notice = entry->notice;
	list->head = entry->link;
	list->count--;
	free(entry);
	return true;
}

/*
 * Get the code for an empty list: @code for the first poll after notices were discarded, otherwise
 * UTOFU_ERR_NOT_FOUND.
 */
static int list_empty(struct tofu_notices *list, int code)
{
	size_t lost = list->lost;

	list->lost = 0;
	return !lost ? UTOFU_ERR_NOT_FOUND :
	       tofu_error(code,
			  "%zu notices were discarded, because %u notices were not polled yet",
			  lost,
			  TOFU_NOTICES_MAX);
}

/*
 * Check that a record is a notice of an engine.  A packet of another program may have the same
 * length, but its header names a FIFO for packets.
 */
static bool is_notice(const unsigned char *head)
{
	return (head[3] >> TORUS_TOFU_FIFO_SHIFT & TORUS_TOFU_FIFO_MASK) == TORUS_TOFU_FIFO_GATE &&
	       head[6] == TORUS_TOFU_KIND_NOTICE;
}

/* Report operations that the kernel has rejected, for which there is no notice. */
static int look_for_refused(void)
{
	return !tofu_fifo_refused() ? UTOFU_SUCCESS :
	       tofu_error(UTOFU_ERR_FATAL, "%s", tofu_fifo_error());
}

/**
 * tofu_notice_collect - take the notices for all VCQs of a TNI, and post their waiting records
 * @queue: a VCQ of the TNI, locked
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_OUT_OF_MEMORY, UTOFU_ERR_FATAL, also if operations of this
 * process were rejected.
 */
int tofu_notice_collect(struct tofu_queue *queue)
{
	struct tofu_queue *first = queue - queue->cmp;
	unsigned char bytes[NOTICE_BYTES];
	struct torus_tofu_notice notice;
	uint16_t i;
	int ret;

	for (;;) {
		if (!have_spare())
			return tofu_error(UTOFU_ERR_OUT_OF_MEMORY, "out of memory for a notice");
		ret = tofu_fifo_take(queue->fifo, bytes, sizeof(bytes));
		if (ret == -EAGAIN)
			break;
		if (ret)
			return tofu_error(UTOFU_ERR_FATAL, "%s", tofu_fifo_error());
		if (!is_notice(bytes))
			continue;
		memcpy(&notice, bytes + TORUS_TOFU_HEADER_BYTES, sizeof(notice));
		if (notice.vcq >= TOFU_CMP_IDS || !first[notice.vcq].used)
			continue;
		list_add(notice.type == TORUS_TOFU_TCQ ? &first[notice.vcq].tcq :
			 &first[notice.vcq].mrq, &notice);
	}
	for (i = 0, ret = look_for_refused(); i < TOFU_CMP_IDS && !ret; i++)
		if (first[i].used)
			ret = tofu_queue_flush(&first[i]);
	return ret;
}

static int begin(utofu_vcq_hdl_t vcq_hdl, const void *out, struct tofu_queue **queue)
{
	int ret;

	if (!out) {
		tofu_error(UTOFU_ERR_INVALID_POINTER, "an output pointer is NULL");
		return UTOFU_ERR_INVALID_POINTER;
	}
	*queue = tofu_queue_lock(vcq_hdl);
	if (!*queue)
		return UTOFU_ERR_INVALID_VCQ_HDL;
	ret = tofu_notice_collect(*queue);
	if (ret)
		tofu_queue_unlock();
	return ret;
}

static int no_flags(unsigned long flags)
{
	return flags ? tofu_error(UTOFU_ERR_INVALID_FLAGS, "flags %#lx: must be 0", flags) :
		       UTOFU_SUCCESS;
}

/* Translate the code of a TCQ notice. */
static int tcq_code(uint8_t code)
{
	switch (code) {
	case TORUS_TOFU_FINE:
		return UTOFU_SUCCESS;
	case TORUS_TOFU_STADD:
		return tofu_error(UTOFU_ERR_TCQ_STADD, "no memory is registered at the local "
				  "STADD");
	case TORUS_TOFU_LENGTH:
		return tofu_error(UTOFU_ERR_TCQ_LENGTH, "the local memory is too short");
	case TORUS_TOFU_MEMORY:
		return tofu_error(UTOFU_ERR_TCQ_MEMORY, "the local memory may not be written");
	default:
		return tofu_error(UTOFU_ERR_TCQ_OTHER,
				  "the operation failed at the local node with code %u", code);
	}
}

static int mrq_code(uint8_t code, bool remote)
{
	switch (code) {
	case TORUS_TOFU_FINE:
		return UTOFU_SUCCESS;
	case TORUS_TOFU_STADD:
		return tofu_error(remote ? UTOFU_ERR_MRQ_RMT_STADD : UTOFU_ERR_MRQ_LCL_STADD,
				  "no memory is registered at the %s STADD",
				  remote ? "remote" : "local");
	case TORUS_TOFU_LENGTH:
		return tofu_error(remote ? UTOFU_ERR_MRQ_RMT_LENGTH : UTOFU_ERR_MRQ_LCL_LENGTH,
				  "the %s memory is too short", remote ? "remote" : "local");
	case TORUS_TOFU_MEMORY:
		return tofu_error(remote ? UTOFU_ERR_MRQ_RMT_MEMORY : UTOFU_ERR_MRQ_LCL_MEMORY,
				  "the %s memory may not be written", remote ? "remote" : "local");
	case TORUS_TOFU_PEER:
		return tofu_error(UTOFU_ERR_MRQ_PEER, "no process has the remote VCQ");
	case TORUS_TOFU_LOST:
		return tofu_error(UTOFU_ERR_MRQ_PEER,
				  "a packet of the operation or of its reply was lost");
	case TORUS_TOFU_BUSY:
		return tofu_error(UTOFU_ERR_MRQ_OTHER,
				  "this process already has %u open gets at the remote TNI",
				  TORUS_TOFU_GETS);
	default:
		return tofu_error(UTOFU_ERR_MRQ_OTHER, "the operation failed with code %u", code);
	}
}

/**
 * utofu_poll_tcq - get an operation whose source may be reused
 * @vcq_hdl: VCQ that posted the operation
 * @flags: 0
 * @cbdata: [out] value passed when the operation was posted, also if it failed
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_NOT_FOUND when there is none, UTOFU_ERR_TCQ_* if the operation
 * failed.  UTOFU_ERR_TCQ_OTHER, without an operation, for the first poll after notices were
 * discarded because TOFU_NOTICES_MAX waited.  UTOFU_ERR_INVALID_POINTER, _FLAGS, _VCQ_HDL,
 * UTOFU_ERR_OUT_OF_MEMORY, UTOFU_ERR_FATAL.
 */
int utofu_poll_tcq(utofu_vcq_hdl_t vcq_hdl, unsigned long flags, void **cbdata)
{
	struct torus_tofu_notice notice;
	struct tofu_queue *queue;
	int ret = no_flags(flags);
	bool got;

	if (!ret)
		ret = begin(vcq_hdl, cbdata, &queue);
	if (ret)
		return ret;
	got = list_take(&queue->tcq, &notice);
	if (!got)
		ret = list_empty(&queue->tcq, UTOFU_ERR_TCQ_OTHER);
	tofu_queue_unlock();
	if (!got && ret == UTOFU_ERR_TCQ_OTHER)
		*cbdata = NULL;
	if (!got)
		return ret;
	*cbdata = (void *)(uintptr_t)notice.cookie;
	return tcq_code(notice.code);
}

TOFU_PROFILE(poll_tcq);

/*
 * Compose the id of the remote VCQ.  A node's number is 12 times the number of its group of twelve
 * (x fastest), plus the position a + 2 (b + 3 c) in the group.
 */
static uint64_t peer_id(const struct torus_tofu_notice *from)
{
	const struct tofu_place *place;
	struct tofu_vcq vcq = { .path = TOFU_PATHS };
	uint32_t group = from->peer_node / 12, slot = from->peer_node % 12;

	if (tofu_place(&place))
		return 0;
	vcq.coords[0] = (uint8_t)(group % place->lengths[0]);
	vcq.coords[1] = (uint8_t)(group / place->lengths[0] % place->lengths[1]);
	vcq.coords[2] = (uint8_t)(group / place->lengths[0] / place->lengths[1]);
	vcq.coords[3] = slot % 2;
	vcq.coords[4] = slot / 2 % 3;
	vcq.coords[5] = (uint8_t)(slot / 6);
	vcq.tni = from->peer_engine;
	vcq.cmp = from->peer_vcq;
	vcq.cq = (uint16_t)(TOFU_CQ_STEP * from->peer_group);
	return tofu_vcq_id(&vcq);
}

static void fill(const struct torus_tofu_notice *from, struct utofu_mrq_notice *notice)
{
	memset(notice, 0, sizeof(*notice));
	notice->notice_type = from->type;
	notice->vcq_id = peer_id(from);
	notice->edata = from->edata;
	notice->rmt_stadd = from->remote;
	switch (from->type) {
	case TORUS_TOFU_LCL_GET:
	case TORUS_TOFU_RMT_GET:
		notice->lcl_stadd = from->local;
		break;
	case TORUS_TOFU_LCL_ATOMIC:
		notice->rmt_value = from->value;
		break;
	case TORUS_TOFU_RMT_ATOMIC:
		notice->rmt_value = from->remote;
		break;
	}
}

/**
 * utofu_poll_mrq - get the notice of a completed operation that this VCQ posted, or that another
 * VCQ addressed to this one
 * @vcq_hdl: the VCQ
 * @flags: 0
 * @notice: [out] the notice, also if the operation failed
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_NOT_FOUND when there is none, UTOFU_ERR_MRQ_* if the operation
 * failed.  UTOFU_ERR_MRQ_OTHER, without an operation, for the first poll after notices were
 * discarded because TOFU_NOTICES_MAX waited.  UTOFU_ERR_INVALID_POINTER, _FLAGS, _VCQ_HDL,
 * UTOFU_ERR_OUT_OF_MEMORY, UTOFU_ERR_FATAL.
 */
int utofu_poll_mrq(utofu_vcq_hdl_t vcq_hdl, unsigned long flags, struct utofu_mrq_notice *notice)
{
	struct torus_tofu_notice taken;
	struct tofu_queue *queue;
	int ret = no_flags(flags);
	bool got;

	if (!ret)
		ret = begin(vcq_hdl, notice, &queue);
	if (ret)
		return ret;
	got = list_take(&queue->mrq, &taken);
	if (!got)
		ret = list_empty(&queue->mrq, UTOFU_ERR_MRQ_OTHER);
	tofu_queue_unlock();
	if (!got && ret == UTOFU_ERR_MRQ_OTHER)
		memset(notice, 0, sizeof(*notice));
	if (!got)
		return ret;
	fill(&taken, notice);
	return mrq_code(taken.code, taken.remote_code);
}

TOFU_PROFILE(poll_mrq);

static int unread(utofu_vcq_hdl_t vcq_hdl, bool mrq, size_t *count)
{
	struct tofu_queue *queue;
	int ret = begin(vcq_hdl, count, &queue);

	if (ret)
		return ret;
	*count = mrq ? queue->mrq.count : queue->tcq.count;
	tofu_queue_unlock();
	return UTOFU_SUCCESS;
}

/**
 * utofu_query_num_unread_tcq - count the notices that utofu_poll_tcq() can return
 * @vcq_hdl: the VCQ
 * @count: [out] number of notices
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_INVALID_POINTER, UTOFU_ERR_INVALID_VCQ_HDL,
 * UTOFU_ERR_OUT_OF_MEMORY, UTOFU_ERR_FATAL.
 */
int utofu_query_num_unread_tcq(utofu_vcq_hdl_t vcq_hdl, size_t *count)
{
	return unread(vcq_hdl, false, count);
}

TOFU_PROFILE(query_num_unread_tcq);

/**
 * utofu_query_num_unread_mrq - count the notices that utofu_poll_mrq() can return
 * @vcq_hdl: the VCQ
 * @count: [out] number of notices
 *
 * Return: as utofu_query_num_unread_tcq().
 */
int utofu_query_num_unread_mrq(utofu_vcq_hdl_t vcq_hdl, size_t *count)
{
	return unread(vcq_hdl, true, count);
}

TOFU_PROFILE(query_num_unread_mrq);
