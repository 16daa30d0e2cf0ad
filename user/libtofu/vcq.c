// SPDX-License-Identifier: GPL-2.0
/*
 * Create, free and look up the VCQs of this process.  The VCQs of a TNI share a FIFO, which is
 * their hardware queue, and differ in their component ids.  One lock protects all VCQs.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "fifo.h"
#include "id.h"
#include "node_lookup.h"
#include "notice.h"
#include "vcq.h"

#define VCQ_FLAGS	(UTOFU_VCQ_FLAG_THREAD_SAFE | UTOFU_VCQ_FLAG_EXCLUSIVE | \
			 UTOFU_VCQ_FLAG_SESSION_MODE)

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static struct tofu_queue queues[TOFU_TNIS_MAX][TOFU_CMP_IDS];

/**
 * tofu_group - get the FIFO group of this process
 *
 * Return: the group; 0 if the process has no place.
 */
uint32_t tofu_group(void)
{
	const struct tofu_place *place;

	return tofu_place(&place) ? 0 : place->group;
}

/**
 * tofu_queue_lock - look up a VCQ by its handle, and lock all VCQs
 * @vcq_hdl: the handle
 *
 * Return: the VCQ; NULL, with the error text set and nothing locked, if there is none.
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
 * tofu_queue_unlock - unlock all VCQs
 */
void tofu_queue_unlock(void)
{
	pthread_mutex_unlock(&queue_lock);
}

/**
 * tofu_queue_clock - call tofu_fifo_clock() with all VCQs locked
 * @vain: as tofu_fifo_clock()
 *
 * The lock prevents other threads from using the FIFO group during the wait.
 *
 * Return: as tofu_fifo_clock().
 */
int tofu_queue_clock(bool vain)
{
	int ret;

	pthread_mutex_lock(&queue_lock);
	ret = tofu_fifo_clock(vain);
	pthread_mutex_unlock(&queue_lock);
	return ret;
}

/* Get the lowest FIFO of the group that leads to an engine. */
static uint32_t fifo_of(const struct tofu_place *place, uint16_t tni)
{
	uint32_t fifo = 0;

	while ((TORUS_TOFU_FIFOS * tofu_group() + fifo) % place->tnis != tni)
		fifo++;
	return fifo;
}

/*
 * Find a free component id of an engine.  If @wanted is not negative, only check that this id is
 * free.
 */
static int choose_cmp(utofu_tni_id_t tni, int wanted, uint16_t *cmp)
{
	uint16_t i;

	if (wanted >= 0) {
		*cmp = (uint16_t)wanted;
		if (!queues[tni][wanted].used)
			return UTOFU_SUCCESS;
		return tofu_error(UTOFU_ERR_USED,
				  "TNI %u, component id %d: this process already uses them",
				  tni, wanted);
	}
	for (i = 0; i < TOFU_CMP_IDS; i++)
		if (!queues[tni][i].used)
			break;
	*cmp = i;
	if (i < TOFU_CMP_IDS)
		return UTOFU_SUCCESS;
	return tofu_error(UTOFU_ERR_FULL, "TNI %u: this process already uses all %u VCQs", tni,
			  TOFU_CMP_IDS);
}

/* Attach to the FIFO group, and translate the error. */
static int open_group(const struct tofu_place *place)
{
	int ret = tofu_fifo_open(place->fabric, place->node, tofu_group()), code;

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
	return tofu_error(code, "%s", tofu_fifo_error());
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
		return tofu_error(UTOFU_ERR_INVALID_FLAGS, "flags %#lx: unknown flags of a VCQ",
				  flags);
	if (wanted >= TOFU_CMP_IDS)
		return tofu_error(UTOFU_ERR_INVALID_CMP_ID, "component id %d: must be 0 to %u",
				  wanted,
				  TOFU_CMP_IDS - 1);
	ret = tofu_place(&place);
	if (ret)
		return ret;
	if (tni >= place->tnis)
		return tofu_error(UTOFU_ERR_INVALID_TNI_ID, "TNI %u of fabric %s: must be 0 to %u",
				  tni, place->fabric, place->tnis - 1);
	pthread_mutex_lock(&queue_lock);
	ret = choose_cmp(tni, wanted, &cmp);
	if (!ret)
		ret = open_group(place);
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
 * utofu_create_vcq - create a VCQ with a free component id
 * @tni_id: its engine
 * @flags: UTOFU_VCQ_FLAG_*
 * @vcq_hdl: [out] handle of the VCQ
 *
 * Return: UTOFU_SUCCESS; UTOFU_ERR_FULL if this process has all VCQs of the engine;
 * UTOFU_ERR_NOT_AVAILABLE if another process has the node's FIFO group; UTOFU_ERR_OUT_OF_MEMORY,
 * UTOFU_ERR_OUT_OF_RESOURCE if the module's memory limits are exceeded; UTOFU_ERR_FATAL for other
 * errors of attaching to the group; UTOFU_ERR_INVALID_POINTER, _FLAGS, _TNI_ID, or an error of
 * tofu_place().
 */
int utofu_create_vcq(utofu_tni_id_t tni_id, unsigned long flags, utofu_vcq_hdl_t *vcq_hdl)
{
	return create(tni_id, -1, flags, vcq_hdl);
}

TOFU_PROFILE(create_vcq);

/**
 * utofu_create_vcq_with_cmp_id - create a VCQ with a given component id
 * @tni_id: its engine
 * @cmp_id: its component id
 * @flags: UTOFU_VCQ_FLAG_*
 * @vcq_hdl: [out] handle of the VCQ
 *
 * Return: as utofu_create_vcq(); UTOFU_ERR_USED, UTOFU_ERR_INVALID_CMP_ID.
 */
int utofu_create_vcq_with_cmp_id(utofu_tni_id_t tni_id, utofu_cmp_id_t cmp_id, unsigned long flags,
				 utofu_vcq_hdl_t *vcq_hdl)
{
	return create(tni_id, cmp_id, flags, vcq_hdl);
}

TOFU_PROFILE(create_vcq_with_cmp_id);

static void list_free(struct tofu_notices *list)
{
	struct tofu_notice *entry;

	while ((entry = list->head)) {
		list->head = entry->link;
		free(entry);
	}
	list->count = 0;
	list->lost = 0;
}

/**
 * utofu_free_vcq - free a VCQ
 * @vcq_hdl: its handle
 *
 * Posted operations continue as long as the process exists, except records that wait for free space
 * or for an operation without DELAY_START.  Memory stays registered until a new VCQ has the same
 * TNI and component id, or the process ends.  Notices that have arrived are discarded.  A later
 * notice goes to the new VCQ: so poll for all notices before.
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_INVALID_VCQ_HDL, or an error of tofu_place(): in a forked child
 * UTOFU_ERR_FATAL, because the parent keeps the VCQ.
 */
int utofu_free_vcq(utofu_vcq_hdl_t vcq_hdl)
{
	const struct tofu_place *place;
	struct tofu_pending *pending;
	struct tofu_queue *queue;
	int ret = tofu_place(&place);

	if (ret)
		return ret;
	queue = tofu_queue_lock(vcq_hdl);
	if (!queue)
		return UTOFU_ERR_INVALID_VCQ_HDL;
	/* ignore an error: free the VCQ even if its notices cannot be taken */
	tofu_notice_collect(queue);
	tofu_fifo_report_clock();
	list_free(&queue->tcq);
	list_free(&queue->mrq);
	while ((pending = queue->head)) {
		queue->head = pending->link;
		free(pending);
	}
	queue->waiting = 0;
	queue->used = false;
	tofu_queue_unlock();
	return UTOFU_SUCCESS;
}

TOFU_PROFILE(free_vcq);

/**
 * utofu_query_vcq_id - get the id of a VCQ of this process
 * @vcq_hdl: its handle
 * @vcq_id: [out] the id, as utofu_construct_vcq_id() composes it
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_INVALID_POINTER, UTOFU_ERR_INVALID_VCQ_HDL, or an error of
 * tofu_place().
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
