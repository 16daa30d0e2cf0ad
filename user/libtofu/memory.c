// SPDX-License-Identifier: GPL-2.0
/* Register memory that engines may access. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "fifo.h"
#include "id.h"
#include "vcq.h"

/* bytes; required alignment of memory that is registered with a stag */
#define ALIGNMENT	256

/*
 * Send a request to register or deregister memory.  The kernel executes the request at the fabric's
 * current tick.  So wait first until the fabric has reached the process's clock.  Then a put of
 * another process finds the memory or not depending on the clocks only, not on real time.
 */
static int ask_kernel(unsigned long request, void *ask)
{
	int ret = tofu_fifo_clock(false);

	return ret ? ret : tofu_fifo_call(request, ask);
}

/* Register memory, and add it to the VCQ's list.  Return: 0 or a negative errno. */
static int memory_register(struct tofu_queue *queue, struct torus_ioc_register *ask)
{
	struct tofu_memory *memory = malloc(sizeof(*memory));
	int ret = memory ? ask_kernel(TORUS_IOC_REGISTER, ask) : -ENOMEM;

	if (ret) {
		free(memory);
		return ret;
	}
	memory->stadd = ask->stadd;
	memory->link = queue->memory;
	queue->memory = memory;
	return 0;
}

static int give_back(const struct tofu_queue *queue, uint64_t stadd)
{
	struct torus_ioc_unregister ask = {
		.stadd = stadd, .fifo = queue->fifo, .vcq = queue->cmp,
	};

	return ask_kernel(TORUS_IOC_UNREGISTER, &ask);
}

/**
 * tofu_memory_free - deregister all memory of a VCQ
 * @queue: the VCQ, locked; it may be in use or freed
 */
void tofu_memory_free(struct tofu_queue *queue)
{
	struct tofu_memory *memory;

	while ((memory = queue->memory)) {
		queue->memory = memory->link;
		give_back(queue, memory->stadd);
		free(memory);
	}
}

static int register_memory(utofu_vcq_hdl_t vcq_hdl, struct torus_ioc_register *ask,
			   unsigned long flags, utofu_stadd_t *stadd)
{
	struct tofu_queue *queue;
	int ret;

	if (!stadd)
		return tofu_error(UTOFU_ERR_INVALID_POINTER, "stadd is NULL");
	if (flags & ~UTOFU_REG_MEM_FLAG_READ_ONLY)
		return tofu_error(UTOFU_ERR_INVALID_FLAGS,
				  "flags %#lx: must be UTOFU_REG_MEM_FLAG_READ_ONLY or 0", flags);
	if (!ask->length)
		return tofu_error(UTOFU_ERR_INVALID_SIZE,
				  "0 bytes: at least one byte must be registered");
	if (flags & UTOFU_REG_MEM_FLAG_READ_ONLY)
		ask->flags |= TORUS_REGISTER_READ_ONLY;
	queue = tofu_queue_lock(vcq_hdl);
	if (!queue)
		return UTOFU_ERR_INVALID_VCQ_HDL;
	ask->fifo = queue->fifo;
	ask->vcq = queue->cmp;
	ret = memory_register(queue, ask);
	tofu_queue_unlock();
	if (!ret) {
		*stadd = ask->stadd;
		return UTOFU_SUCCESS;
	}
	return tofu_error(ret == -EADDRINUSE ? UTOFU_ERR_USED :
			  ret == -EFAULT || ret == -EOPNOTSUPP ? UTOFU_ERR_INVALID_ADDRESS :
			  ret == -EINVAL ? UTOFU_ERR_INVALID_SIZE :
			  ret == -ENOMEM ? UTOFU_ERR_OUT_OF_MEMORY :
			  ret == -ENOSPC ? UTOFU_ERR_OUT_OF_RESOURCE : UTOFU_ERR_FATAL,
			  "cannot register %llu bytes at %#llx: %s",
			  (unsigned long long)ask->length,
			  (unsigned long long)ask->address, strerror(-ret));
}

/**
 * utofu_reg_mem - register memory
 * @vcq_hdl: VCQ through which the memory is accessed
 * @addr: start of the memory
 * @size: length in bytes
 * @flags: UTOFU_REG_MEM_FLAG_READ_ONLY or 0
 * @stadd: [out] STADD of the first byte
 *
 * In virtual time the call waits until the fabric has reached the process's clock.
 *
 * Return: UTOFU_SUCCESS; UTOFU_ERR_INVALID_ADDRESS if the memory is not mapped, a shared mapping of
 * a file, not readable, or without UTOFU_REG_MEM_FLAG_READ_ONLY not writable;
 * UTOFU_ERR_OUT_OF_MEMORY beyond RLIMIT_MEMLOCK, or without memory;
 * UTOFU_ERR_OUT_OF_RESOURCE; UTOFU_ERR_FATAL if the fabric was deleted; UTOFU_ERR_INVALID_POINTER,
 * _FLAGS, _SIZE, _VCQ_HDL.
 */
int utofu_reg_mem(utofu_vcq_hdl_t vcq_hdl, void *addr, size_t size, unsigned long flags,
		  utofu_stadd_t *stadd)
{
	struct torus_ioc_register ask = { .address = (uintptr_t)addr, .length = size };

	return register_memory(vcq_hdl, &ask, flags, stadd);
}

TOFU_PROFILE(reg_mem);

static int bad_stag(unsigned int stag)
{
	return tofu_error(UTOFU_ERR_INVALID_STAG, "stag %u: must be 0 to %u",
			  stag, TORUS_STAGS - 1);
}

/**
 * utofu_reg_mem_with_stag - register memory with a stag that the program selects
 * @vcq_hdl: VCQ through which the memory is accessed
 * @addr: start of the memory, a multiple of 256
 * @size: length in bytes
 * @stag: the stag, which alone determines the STADD
 * @flags: UTOFU_REG_MEM_FLAG_READ_ONLY or 0
 * @stadd: [out] STADD of the first byte
 *
 * Return: as utofu_reg_mem(); UTOFU_ERR_USED, UTOFU_ERR_INVALID_STAG; UTOFU_ERR_INVALID_ADDRESS
 * also for another alignment.
 */
int utofu_reg_mem_with_stag(utofu_vcq_hdl_t vcq_hdl, void *addr, size_t size, unsigned int stag,
			    unsigned long flags, utofu_stadd_t *stadd)
{
	struct torus_ioc_register ask = {
		.address = (uintptr_t)addr, .length = size, .flags = TORUS_REGISTER_STAG,
		.stag = stag,
	};

	if (stag >= TORUS_STAGS)
		return bad_stag(stag);
	if ((uintptr_t)addr % ALIGNMENT)
		return tofu_error(UTOFU_ERR_INVALID_ADDRESS, "address %p: must be a multiple of %u",
				  addr, ALIGNMENT);
	return register_memory(vcq_hdl, &ask, flags, stadd);
}

TOFU_PROFILE(reg_mem_with_stag);

/**
 * utofu_query_stadd - get the STADD of memory registered with a stag, in any process
 * @vcq_id: id of the VCQ
 * @stag: the stag
 * @stadd: [out] STADD of the first byte; valid even before the registration
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_INVALID_POINTER, UTOFU_ERR_INVALID_VCQ_ID,
 * UTOFU_ERR_INVALID_STAG.
 */
int utofu_query_stadd(utofu_vcq_id_t vcq_id, unsigned int stag, utofu_stadd_t *stadd)
{
	struct tofu_vcq vcq;

	if (!stadd)
		return tofu_error(UTOFU_ERR_INVALID_POINTER, "stadd is NULL");
	if (!tofu_vcq_parse(vcq_id, &vcq))
		return tofu_error(UTOFU_ERR_INVALID_VCQ_ID, "VCQ id %#llx: no VCQ has this id",
				  (unsigned long long)vcq_id);
	if (stag >= TORUS_STAGS)
		return bad_stag(stag);
	*stadd = (uint64_t)stag << TORUS_STADD_BITS;
	return UTOFU_SUCCESS;
}

TOFU_PROFILE(query_stadd);

/**
 * utofu_dereg_mem - deregister memory
 * @vcq_hdl: VCQ of the registration
 * @stadd: STADD of the registration
 * @flags: 0
 *
 * In virtual time the call waits, as utofu_reg_mem() does.
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_INVALID_STADD, UTOFU_ERR_INVALID_FLAGS,
 * UTOFU_ERR_INVALID_VCQ_HDL, UTOFU_ERR_FATAL.
 */
int utofu_dereg_mem(utofu_vcq_hdl_t vcq_hdl, utofu_stadd_t stadd, unsigned long flags)
{
	struct tofu_memory **at, *memory;
	struct tofu_queue *queue;
	int ret;

	if (flags)
		return tofu_error(UTOFU_ERR_INVALID_FLAGS, "flags %#lx: must be 0", flags);
	queue = tofu_queue_lock(vcq_hdl);
	if (!queue)
		return UTOFU_ERR_INVALID_VCQ_HDL;
	ret = give_back(queue, stadd);
	for (at = &queue->memory; !ret && (memory = *at); at = &memory->link)
		if (memory->stadd == stadd) {
			*at = memory->link;
			free(memory);
			break;
		}
	tofu_queue_unlock();
	if (ret)
		return tofu_error(ret == -ENOENT ? UTOFU_ERR_INVALID_STADD : UTOFU_ERR_FATAL,
				  "STADD %#llx: %s", (unsigned long long)stadd,
				  ret == -ENOENT ? "no memory is registered at this STADD" :
				  strerror(-ret));
	return UTOFU_SUCCESS;
}

TOFU_PROFILE(dereg_mem);
