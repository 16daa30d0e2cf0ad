// SPDX-License-Identifier: GPL-2.0
/*
 * VCQs of this process.  Those of a TNI share the FIFO that leads to it, their hardware queue,
 * and are told apart by their component ids.  One lock serves all.
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
 * tofu_queue_clock - tofu_fifo_clock(), while no other thread uses the FIFO group
 * @vain: as there
 *
 * Return: as there.
 */
int tofu_queue_clock(bool vain)
{
	int ret;

	pthread_mutex_lock(&queue_lock);
	ret = tofu_fifo_clock(vain);
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
 * utofu_free_vcq - give a VCQ back
 * @vcq_hdl: its handle
 *
 * What was posted goes on as long as the process does, but for blocks that wait for room, or for
 * DELAY_START's end.  Its memory stays registered until it is taken back, or a VCQ comes in its
 * place.  Notices that have come are forgotten.  One that comes later is told by the VCQ that has
 * this TNI and component id then: poll for all of them before.
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_INVALID_VCQ_HDL, or UTOFU_ERR_FATAL in a child that was forked:
 * the VCQ stays its parent's.
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
	/* what cannot be told any more is no reason to keep it */
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
