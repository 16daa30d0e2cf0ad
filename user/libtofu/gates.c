// SPDX-License-Identifier: GPL-2.0
/*
 * Barrier gates: allocate, set, start and poll.  The kernel implements the gates; this file
 * translates arguments and results.
 *
 * With more processes than processors, a process that polls in a loop keeps a processor from the
 * processes that it waits for.  So after PATIENCE consecutive polls without a result, each poll
 * yields the processor.  After 2 * PATIENCE such polls, each poll sleeps briefly, because a process
 * that only yields is soon scheduled again.
 */
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api.h"
#include "device.h"
#include "id.h"
#include "node_lookup.h"
#include "vcq.h"

/* polls without result before a poll yields; twice this number before a poll sleeps */
#define PATIENCE	16
#define SLEEP_NS	20000

/* Yield or sleep after the @vain-th consecutive poll without a result. */
static void give_way(unsigned int vain)
{
	const struct timespec moment = { .tv_nsec = SLEEP_NS };

	if (vain > 2 * PATIENCE)
		nanosleep(&moment, NULL);
	else if (vain > PATIENCE)
		sched_yield();
}

/* Translate the kernel's result of a request about gates to a code of uTofu. */
static int answer(int ret, const char *call, utofu_vbg_id_t gate)
{
	static const struct {
		int code;
		const char *text;
	} said[] = {
		[TORUS_GATE_RUNNING] = { UTOFU_ERR_NOT_COMPLETED, "the operation runs" },
		[TORUS_GATE_IDLE] = { UTOFU_ERR_NOT_PROCESSED, "no operation was started" },
		[TORUS_GATE_BUSY] = { UTOFU_ERR_BUSY, "the last result has not been polled" },
		[TORUS_GATE_FULL] = { UTOFU_ERR_FULL, "not enough gates are free" },
		[TORUS_GATE_BAD_ID] = { UTOFU_ERR_INVALID_VBG_ID, "this process has not allocated "
								  "this gate, or a setting has no "
								  "gate" },
		[TORUS_GATE_BAD_PATH] = { UTOFU_ERR_INVALID_PATH, "unknown path" },
		[TORUS_GATE_BAD_OP] = { UTOFU_ERR_INVALID_OP, "unknown operation" },
		[TORUS_GATE_BAD_COUNT] = { UTOFU_ERR_INVALID_NUMBER, "the number of values is "
								     "invalid for this operation" },
		[TORUS_GATE_MISMATCH] = { UTOFU_ERR_BARRIER_MISMATCH, "the members use different "
								      "operations or numbers of "
								      "values" },
		[TORUS_GATE_LOST] = { UTOFU_ERR_BARRIER_OTHER, "a packet of the chain was lost" },
		[TORUS_GATE_UNSET] = { UTOFU_ERR_INVALID_VBG_ID, "the gate has not been set" },
	};

	if (!ret)
		return UTOFU_SUCCESS;
	if (ret > 0 && ret < (int)(sizeof(said) / sizeof(said[0])))
		return tofu_error(said[ret].code, "%s: gate %#llx: %s", call,
				  (unsigned long long)gate, said[ret].text);
	if (ret == -ENODEV)
		return tofu_error(UTOFU_ERR_FATAL, "%s: the fabric was deleted, or an "
				  "administrator removed the gates", call);
	if (ret == -EIO)
		return tofu_error(UTOFU_ERR_FATAL,
				  "%s: the fabric has stopped because it is out of memory",
				  call);
	if (ret == -ENOMEM || ret == -ENOSPC)
		return tofu_error(UTOFU_ERR_OUT_OF_MEMORY, "%s: %s", call, strerror(-ret));
	return tofu_error(UTOFU_ERR_FATAL, "%s: %s", call,
			  ret == -ECHILD ? "the gates belong to the parent process, not to this "
					   "forked child" : strerror(ret < 0 ? -ret : EPROTO));
}

/**
 * utofu_alloc_vbg - allocate gates of an engine, all or none
 * @tni_id: the engine
 * @num_vbgs: number of gates, 1 to 33: one that starts and ends a chain, and up to 32 relays
 * @flags: UTOFU_VBG_FLAG_THREAD_SAFE or 0; calls are thread-safe either way
 * @vbg_ids: [out] array of @num_vbgs ids: first the gate that starts and ends a chain, then relays
 *
 * Return: UTOFU_SUCCESS; UTOFU_ERR_FULL, UTOFU_ERR_INVALID_POINTER, UTOFU_ERR_INVALID_FLAGS,
 * UTOFU_ERR_INVALID_TNI_ID, UTOFU_ERR_INVALID_NUMBER, UTOFU_ERR_OUT_OF_MEMORY, or an error of
 * tofu_place().
 */
int utofu_alloc_vbg(utofu_tni_id_t tni_id, size_t num_vbgs, unsigned long flags,
		    utofu_vbg_id_t vbg_ids[])
{
	struct torus_ioc_gates ask = { .engine = tni_id, .count = (uint32_t)num_vbgs };
	const struct tofu_place *place;
	int ret;

	if (!vbg_ids)
		return tofu_error(UTOFU_ERR_INVALID_POINTER, "vbg_ids is NULL");
	if (flags & ~UTOFU_VBG_FLAG_THREAD_SAFE)
		return tofu_error(UTOFU_ERR_INVALID_FLAGS,
				  "flags %#lx: must be UTOFU_VBG_FLAG_THREAD_SAFE or 0", flags);
	ret = tofu_place(&place);
	if (ret)
		return ret;
	if (tni_id >= place->tnis)
		return tofu_error(UTOFU_ERR_INVALID_TNI_ID, "TNI %u of fabric %s: must be 0 to %u",
				  tni_id, place->fabric, place->tnis - 1);
	if (!num_vbgs)
		return tofu_error(UTOFU_ERR_INVALID_NUMBER, "0 gates: must be at least 1");
	if (num_vbgs > TORUS_GATES)
		return tofu_error(UTOFU_ERR_FULL,
				  "%zu gates: must be at most %u, the number of gates of a TNI",
				  num_vbgs, TORUS_GATES);
	ask.ids = (uintptr_t)vbg_ids;
	return answer(tofu_device_call(place->fd, TORUS_IOC_GATES_ALLOC, &ask), "alloc_vbg",
		      UTOFU_VBG_ID_NULL);
}

TOFU_PROFILE(alloc_vbg);

/**
 * utofu_free_vbg - free gates, all or none
 * @vbg_ids: array of ids; if one is not a gate of this process, none is freed
 * @num_vbgs: length of the array
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_INVALID_POINTER, UTOFU_ERR_INVALID_NUMBER,
 * UTOFU_ERR_INVALID_VBG_ID, or an error of tofu_place().
 */
int utofu_free_vbg(utofu_vbg_id_t vbg_ids[], size_t num_vbgs)
{
	struct torus_ioc_gates ask = { .count = (uint32_t)num_vbgs, .ids = (uintptr_t)vbg_ids };
	const struct tofu_place *place;
	int ret;

	if (!vbg_ids)
		return tofu_error(UTOFU_ERR_INVALID_POINTER, "vbg_ids is NULL");
	if (!num_vbgs || num_vbgs > TORUS_GATES_NODE)
		return tofu_error(UTOFU_ERR_INVALID_NUMBER, "%zu gates: must be 1 to %u at once",
				  num_vbgs,
				  TORUS_GATES_NODE);
	ret = tofu_place(&place);
	if (ret)
		return ret;
	return answer(tofu_device_call(place->fd, TORUS_IOC_GATES_FREE, &ask), "free_vbg",
		      vbg_ids[0]);
}

TOFU_PROFILE(free_vbg);

/* Translate one setting to the kernel's struct. */
static int translate(const struct utofu_vbg_setting *from, struct torus_gate_setting *to)
{
	uint16_t path;

	if (!tofu_path_parse(from->dst_path_coords, &path))
		return tofu_error(UTOFU_ERR_INVALID_PATH,
				  "gate %#llx: path %u,%u,%u: a must be 0 to 1, b 0 to 2, c 0 to 1",
				  (unsigned long long)from->vbg_id,
				  from->dst_path_coords[0], from->dst_path_coords[1],
				  from->dst_path_coords[2]);
	*to = (struct torus_gate_setting) {
		.gate = from->vbg_id,
		.local_source = from->src_lcl_vbg_id,
		.remote_source = from->src_rmt_vbg_id,
		.local_dest = from->dst_lcl_vbg_id,
		.remote_dest = from->dst_rmt_vbg_id,
		.path = path == TOFU_PATHS ? TORUS_GATE_PATH_DEFAULT : path,
	};
	return UTOFU_SUCCESS;
}

/**
 * utofu_set_vbg - set which signals gates wait for, and where they send
 * @vbg_settings: array with the setting of each gate
 * @num_vbg_settings: length of the array; if one setting is invalid, none is applied
 *
 * All processes of a chain must set their gates before the first one starts an operation.
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_INVALID_POINTER, UTOFU_ERR_INVALID_NUMBER,
 * UTOFU_ERR_INVALID_VBG_ID, UTOFU_ERR_INVALID_PATH, UTOFU_ERR_OUT_OF_MEMORY, or an error of
 * tofu_place().
 */
int utofu_set_vbg(struct utofu_vbg_setting vbg_settings[], size_t num_vbg_settings)
{
	struct torus_gate_setting *settings;
	struct torus_ioc_gates_set ask = { 0 };
	const struct tofu_place *place;
	size_t i;
	int ret;

	if (!vbg_settings)
		return tofu_error(UTOFU_ERR_INVALID_POINTER, "vbg_settings is NULL");
	if (!num_vbg_settings || num_vbg_settings > TORUS_GATES_NODE)
		return tofu_error(UTOFU_ERR_INVALID_NUMBER, "%zu settings: must be 1 to %u at once",
				  num_vbg_settings, TORUS_GATES_NODE);
	ret = tofu_place(&place);
	if (ret)
		return ret;
	settings = calloc(num_vbg_settings, sizeof(*settings));
	if (!settings)
		return tofu_error(UTOFU_ERR_OUT_OF_MEMORY, "out of memory for %zu settings",
				  num_vbg_settings);
	for (i = 0; i < num_vbg_settings && !ret; i++)
		ret = translate(&vbg_settings[i], &settings[i]);
	ask.settings = (uintptr_t)settings;
	ask.count = (uint32_t)num_vbg_settings;
	if (!ret)
		ret = answer(tofu_device_call(place->fd, TORUS_IOC_GATES_SET, &ask), "set_vbg",
			     vbg_settings[0].vbg_id);
	free(settings);
	return ret;
}

TOFU_PROFILE(set_vbg);

/* -------------------------------------------------------------- operations */

static int no_flags(unsigned long flags)
{
	return flags ? tofu_error(UTOFU_ERR_INVALID_FLAGS, "flags %#lx: must be 0", flags) :
		       UTOFU_SUCCESS;
}

/*
 * In virtual time, wait until the fabric's time equals this process's clock, so that the gate
 * operation after this call happens in that tick.  @vain: as tofu_fifo_clock().
 */
static int come_to_clock(const char *call, bool vain)
{
	int ret = tofu_queue_clock(vain);

	return ret ? tofu_error(UTOFU_ERR_FATAL, "%s: cannot advance the clock: %s",
				call, strerror(-ret)) :
		     UTOFU_SUCCESS;
}

static int start(const char *call, struct torus_ioc_gate *ask)
{
	const struct tofu_place *place;
	int ret = tofu_place(&place);

	if (!ret)
		ret = come_to_clock(call, false);
	if (ret)
		return ret;
	return answer(tofu_device_call(place->fd, TORUS_IOC_GATE_START, ask), call, ask->gate);
}

/**
 * utofu_barrier - start a barrier
 * @vbg_id: gate that starts and ends this process's chain
 * @flags: 0
 *
 * The call returns at once. utofu_poll_barrier() reports when all members have entered the barrier.
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_BUSY until the last operation was polled to its end,
 * UTOFU_ERR_INVALID_FLAGS, UTOFU_ERR_INVALID_VBG_ID, or an error of tofu_place().
 */
int utofu_barrier(utofu_vbg_id_t vbg_id, unsigned long flags)
{
	struct torus_ioc_gate ask = { .gate = vbg_id, .op = TORUS_GATE_BARRIER };
	int ret = no_flags(flags);

	return ret ? ret : start("barrier", &ask);
}

TOFU_PROFILE(barrier);

static int check_reduce(enum utofu_reduce_op op, bool doubles, const void *data, size_t num_data,
			unsigned long flags)
{
	size_t most = doubles ? 3 : 6;
	int ret = no_flags(flags);

	if (ret)
		return ret;
	if (op == UTOFU_REDUCE_OP_BARRIER && !num_data)
		return UTOFU_SUCCESS;
	if (!data)
		return tofu_error(UTOFU_ERR_INVALID_POINTER, "data is NULL");
	if (doubles ? op != UTOFU_REDUCE_OP_BFPSUM :
		      op < UTOFU_REDUCE_OP_BAND || op > UTOFU_REDUCE_OP_SUM)
		return tofu_error(UTOFU_ERR_INVALID_OP, "operation %d must be one of %s", (int)op,
				  doubles ? "doubles: BFPSUM" : "integers: BAND to SUM");
	if (!num_data || num_data > most || (op == UTOFU_REDUCE_OP_MAXLOC && num_data % 2))
		return tofu_error(UTOFU_ERR_INVALID_NUMBER, "%zu values: must be 1 to %zu%s",
				  num_data,
				  most, op == UTOFU_REDUCE_OP_MAXLOC ? ", in pairs" : "");
	return UTOFU_SUCCESS;
}

static int start_reduce(const char *call, utofu_vbg_id_t vbg_id, enum utofu_reduce_op op,
			const void *data, size_t num_data)
{
	struct torus_ioc_gate ask = { .gate = vbg_id, .op = op, .count = (uint32_t)num_data };

	if (num_data)
		memcpy(ask.value, data, num_data * sizeof(ask.value[0]));
	return start(call, &ask);
}

/**
 * utofu_reduce_uint64 - start a reduction of integers
 * @vbg_id: gate that starts and ends this process's chain
 * @op: BAND, BOR, BXOR, MAX (unsigned), MAXLOC (pairs of value and index; for equal values the
 *      lower index wins), SUM (modulo 2^64); BARRIER, without data
 * @data: values of this process, read before the call returns
 * @num_data: number of values, 1 to 6; MAXLOC counts value and index of each pair
 * @flags: 0
 *
 * Return: as utofu_barrier(); UTOFU_ERR_INVALID_POINTER, UTOFU_ERR_INVALID_OP,
 * UTOFU_ERR_INVALID_NUMBER.
 */
int utofu_reduce_uint64(utofu_vbg_id_t vbg_id, enum utofu_reduce_op op, uint64_t data[],
			size_t num_data, unsigned long flags)
{
	int ret = check_reduce(op, false, data, num_data, flags);

	return ret ? ret : start_reduce("reduce_uint64", vbg_id, op, data, num_data);
}

TOFU_PROFILE(reduce_uint64);

/**
 * utofu_reduce_double - start a sum of doubles
 * @vbg_id: gate that starts and ends this process's chain
 * @op: BFPSUM, whose result does not depend on the order of the summands; BARRIER, without data
 * @data: values of this process, read before the call returns
 * @num_data: number of values, 1 to 3
 * @flags: 0
 *
 * Return: as utofu_reduce_uint64().
 */
int utofu_reduce_double(utofu_vbg_id_t vbg_id, enum utofu_reduce_op op, double data[],
			size_t num_data, unsigned long flags)
{
	int ret = check_reduce(op, true, data, num_data, flags);

	return ret ? ret : start_reduce("reduce_double", vbg_id, op, data, num_data);
}

TOFU_PROFILE(reduce_double);

/*
 * Poll the result of an operation.  If there is none yet, yield or sleep.  @data: [out] values of
 * the result; NULL: drop them.  @wants: reject @data NULL.
 */
static int poll(const char *call, utofu_vbg_id_t vbg_id, unsigned long flags, bool wants,
		void *data)
{
	static __thread unsigned int vain;
	struct torus_ioc_gate got = { .gate = vbg_id };
	const struct tofu_place *place;
	int ret = no_flags(flags);

	if (!ret && wants && !data)
		ret = tofu_error(UTOFU_ERR_INVALID_POINTER, "%s: data is NULL", call);
	if (!ret)
		ret = tofu_place(&place);
	if (!ret)
		ret = come_to_clock(call, vain > 0);
	if (ret)
		return ret;
	ret = tofu_device_call(place->fd, TORUS_IOC_GATE_POLL, &got);
	if (ret == TORUS_GATE_RUNNING) {
		give_way(++vain);
		return UTOFU_ERR_NOT_COMPLETED;
	}
	vain = 0;
	if (!ret && got.count && data)
		memcpy(data, got.value, got.count * sizeof(got.value[0]));
	if (ret == TORUS_GATE_LEFT)
		return tofu_error(UTOFU_ERR_BARRIER_OTHER, "%s: gate %#llx: the member at node %u "
				  "has left the chain: its process has ended, or freed its gates",
				  call, (unsigned long long)vbg_id, got.node);
	return answer(ret, call, vbg_id);
}

/**
 * utofu_poll_barrier - check whether all members have entered the barrier
 * @vbg_id: gate that started the barrier
 * @flags: 0
 *
 * Return: UTOFU_SUCCESS; UTOFU_ERR_NOT_COMPLETED, which does not change the error text;
 * UTOFU_ERR_NOT_PROCESSED if none was started; UTOFU_ERR_BARRIER_MISMATCH if members started
 * different operations; UTOFU_ERR_BARRIER_OTHER if a packet was lost, or a member has left the
 * chain (utofu_get_last_error() names its node): then set the chain's gates again;
 * UTOFU_ERR_INVALID_FLAGS, UTOFU_ERR_INVALID_VBG_ID, or an error of tofu_place().
 */
int utofu_poll_barrier(utofu_vbg_id_t vbg_id, unsigned long flags)
{
	return poll("poll_barrier", vbg_id, flags, false, NULL);
}

TOFU_PROFILE(poll_barrier);

/**
 * utofu_poll_reduce_uint64 - get the result of a reduction
 * @vbg_id: gate that started the reduction
 * @flags: 0
 * @data: [out] array of as many integers as were passed to the reduction
 *
 * Return: as utofu_poll_barrier(); UTOFU_ERR_INVALID_POINTER: the result can still be polled.
 */
int utofu_poll_reduce_uint64(utofu_vbg_id_t vbg_id, unsigned long flags, uint64_t data[])
{
	return poll("poll_reduce_uint64", vbg_id, flags, true, data);
}

TOFU_PROFILE(poll_reduce_uint64);

/**
 * utofu_poll_reduce_double - get the result of a sum
 * @vbg_id: gate that started the sum
 * @flags: 0
 * @data: [out] array of as many doubles as were passed to the sum
 *
 * Return: as utofu_poll_reduce_uint64().
 */
int utofu_poll_reduce_double(utofu_vbg_id_t vbg_id, unsigned long flags, double data[])
{
	return poll("poll_reduce_double", vbg_id, flags, true, data);
}

TOFU_PROFILE(poll_reduce_double);
