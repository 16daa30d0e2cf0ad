// SPDX-License-Identifier: GPL-2.0
/* Attach to a FIFO group of a node, and map its pages and rings. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <torus/torus.h>
#include "attach.h"
#include "context.h"
#include "dead_links.h"
#include "doorbell.h"
#include "error.h"
#include "group_holder.h"
#include "group_owners.h"
#include "node_number.h"
#include "virtual_time.h"

#define DEVICE		"/dev/torus"
#define SPINS		20
#define YIELDS		2

/**
 * struct mappings - memory mapped at attach, unmapped by release; NULL: not mapped
 * @status: status page
 * @control: control page
 * @inject: injection rings
 * @receive: reception rings
 * @notices: notice ring
 * @stamps: ticks of the chunks of injection rings, in virtual time
 * @arrivals: ticks of the chunks of reception rings, in virtual time
 */
struct mappings {
	void *status;
	void *control;
	void *inject[TORUS_INJECT_MAX];
	void *receive[TORUS_RECEIVE_MAX];
	void *notices;
	void *stamps[TORUS_INJECT_MAX];
	void *arrivals[TORUS_RECEIVE_MAX];
};

static void map_undo(void *at, size_t bytes)
{
	if (at)
		munmap(at, bytes);
}

static void device_release(struct torus_context *context)
{
	const struct torus_ioc_info *info = &context->info;
	struct mappings *maps = context->private;
	unsigned int i;

	/* A forked child may have mapped other memory at these addresses. */
	if (torus_context_forked(context))
		goto out;
	for (i = 0; i < TORUS_RECEIVE_MAX; i++)
		map_undo(maps->receive[i], (size_t)info->receive_chunks * info->chunk_bytes);
	for (i = 0; i < TORUS_INJECT_MAX; i++)
		map_undo(maps->inject[i], (size_t)info->inject_chunks * info->chunk_bytes);
	for (i = 0; i < TORUS_RECEIVE_MAX; i++)
		map_undo(maps->arrivals[i], (size_t)info->receive_chunks * sizeof(__u64));
	for (i = 0; i < TORUS_INJECT_MAX; i++)
		map_undo(maps->stamps[i], (size_t)info->inject_chunks * sizeof(__u64));
	map_undo(maps->notices, info->notices * sizeof(struct torus_notice));
	map_undo(maps->control, info->page_bytes);
	map_undo(maps->status, info->page_bytes);
out:
	free(maps);
	if (context->fd >= 0)
		close(context->fd);
}

static const struct torus_context_ops device_ops = {
	.doorbell = torus_device_doorbell,
	.poll = torus_device_poll,
	.faults = torus_context_faults,
	.groups = torus_groups_each,
	.idle = torus_groups_idle,
	.release = device_release,
};

static bool info_power_of_two(uint32_t value)
{
	return value && !(value & (value - 1));
}

static bool info_words_fit(uint32_t offset, uint32_t stride, uint32_t count, size_t bytes,
			   uint32_t page_bytes)
{
	return !(offset % sizeof(uint32_t)) && !(stride % sizeof(uint32_t)) &&
	       offset + (__u64)stride * (count - 1) + bytes <= page_bytes;
}

/*
 * Validate the offsets and sizes that the kernel reports, so that a wrong module cannot cause
 * access outside the mappings.
 */
static int info_check(const struct torus_ioc_info *info)
{
	if (info->abi_version != TORUS_ABI_VERSION)
		return torus_error_set(-EPROTO,
				       "the kernel module uses version %u of the ABI, but this "
				       "library version %u",
				       info->abi_version, TORUS_ABI_VERSION);
	if (!info->ndims || info->ndims > TORUS_DIMS_MAX ||
	    !info->inject_fifos || info->inject_fifos > TORUS_INJECT_MAX ||
	    !info->receive_fifos || info->receive_fifos > TORUS_RECEIVE_MAX ||
	    !info_power_of_two(info->chunk_bytes) || !info->packet_chunks_max ||
	    info->chunk_bytes < info->header_bytes ||
	    !info_power_of_two(info->inject_chunks) || !info_power_of_two(info->receive_chunks) ||
	    !info_words_fit(info->status_state_offset, 0, 1, sizeof(uint32_t), info->page_bytes) ||
	    !info_words_fit(info->status_flags_offset, 0, 1, sizeof(uint32_t), info->page_bytes) ||
	    !info_words_fit(info->status_clock_offset, 0, 1, sizeof(__u64), info->page_bytes) ||
	    !info_words_fit(info->status_bytes_offset, 0, 1, 16ul * info->groups,
			    info->page_bytes) ||
	    !info_words_fit(info->status_inject_offset, info->status_inject_stride,
			    info->inject_fifos, sizeof(struct torus_status_inject),
			    info->page_bytes) ||
	    !info_words_fit(info->status_receive_offset, info->status_receive_stride,
			    info->receive_fifos, sizeof(struct torus_status_receive),
			    info->page_bytes) ||
	    !info_words_fit(info->control_inject_offset, info->control_inject_stride,
			    info->inject_fifos, sizeof(struct torus_control_inject),
			    info->page_bytes) ||
	    !info_words_fit(info->control_receive_offset, info->control_receive_stride,
			    info->receive_fifos, sizeof(struct torus_control_receive),
			    info->page_bytes) ||
	    (info->features & TORUS_FEATURE_NOTICE &&
	     (!info_power_of_two(info->notices) || info->notices > TORUS_NOTICES_MAX ||
	      !info_words_fit(info->status_notice_offset, 0, 1,
			      sizeof(struct torus_status_notice), info->page_bytes) ||
	      !info_words_fit(info->control_notice_offset, 0, 1,
			      sizeof(struct torus_control_notice), info->page_bytes))))
		return torus_error_set(-EPROTO,
				       "the kernel returned an invalid description of the context");
	return 0;
}

/**
 * torus_context_setup() - initialize a context from its info, pages and rings
 * @context: [in, out] with info, status, control, ops and, if there is one, the notice ring
 * @inject: array of info.inject_fifos addresses of injection rings
 * @receive: array of info.receive_fifos addresses of reception rings
 *
 * The library's indices start with the values in the status and control pages, which are 0 after an
 * attach.
 *
 * Return: 0, -EPROTO, -EOPNOTSUPP (the machine has no FIFO groups).
 */
int torus_context_setup(struct torus_context *context, void *const *inject,
			void *const *receive)
{
	const struct torus_ioc_info *info = &context->info;
	char why[TORUS_MACHINE_WHY_MAX];
	unsigned int i;
	int ret;

	ret = info_check(info);
	if (ret)
		return ret;
	ret = torus_machine_demand(info->arch, TORUS_MACHINE_ATTACH, why, sizeof(why));
	if (ret)
		return torus_error_set(ret, "fabric %s: %s", info->fabric, why);
	context->machine = torus_machine_find(info->arch);
	for (i = 0; i < info->inject_fifos; i++) {
		struct torus_inject_fifo *fifo = &context->inject[i];

		fifo->ring = inject[i];
		fifo->chunks = info->inject_chunks;
		fifo->status = (const struct torus_status_inject *)
			(context->status + info->status_inject_offset +
			 (size_t)i * info->status_inject_stride);
		fifo->control = (struct torus_control_inject *)
			(context->control + info->control_inject_offset +
			 (size_t)i * info->control_inject_stride);
		fifo->head = __atomic_load_n(&fifo->status->head, __ATOMIC_ACQUIRE);
		fifo->tail = fifo->head;
		fifo->published = fifo->head;
		fifo->refused = fifo->status->refused;
	}
	for (i = 0; i < info->receive_fifos; i++) {
		struct torus_receive_fifo *fifo = &context->receive[i];

		fifo->ring = receive[i];
		fifo->chunks = info->receive_chunks;
		fifo->status = (const struct torus_status_receive *)
			(context->status + info->status_receive_offset +
			 (size_t)i * info->status_receive_stride);
		fifo->control = (struct torus_control_receive *)
			(context->control + info->control_receive_offset +
			 (size_t)i * info->control_receive_stride);
		/*
		 * Packets may have arrived already: start at the head in our control page, which is
		 * 0, not at the kernel's tail.
		 */
		fifo->head = __atomic_load_n(&fifo->control->head, __ATOMIC_RELAXED);
		fifo->tail = fifo->head;
		fifo->published = fifo->head;
	}
	if (context->notices) {
		context->notice_status = (const struct torus_status_notice *)
			(context->status + info->status_notice_offset);
		context->notice_control = (struct torus_control_notice *)
			(context->control + info->control_notice_offset);
	}
	context->spins = SPINS;
	context->yields = YIELDS;
	return 0;
}

static int map_one(struct torus_context *context, unsigned int kind, unsigned int index,
		   size_t bytes, int prot, void **at)
{
	void *where = mmap(NULL, bytes, prot, MAP_SHARED, context->fd,
			   TORUS_MAP_TOKEN(kind, index));

	if (where == MAP_FAILED)
		return torus_error_set(-errno, "cannot map %zu bytes of kind %u, index %u: %s",
				       bytes, kind, index, strerror(errno));
	*at = where;
	return 0;
}

/* Map the arrays of ticks, one tick for each chunk of a ring. */
static int map_ticks(struct torus_context *context, struct mappings *maps)
{
	const struct torus_ioc_info *info = &context->info;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < info->inject_fifos && i < TORUS_INJECT_MAX; i++) {
		ret = map_one(context, TORUS_MAP_STAMP, i,
			      (size_t)info->inject_chunks * sizeof(__u64),
			      PROT_READ | PROT_WRITE, &maps->stamps[i]);
		context->inject[i].stamps = maps->stamps[i];
	}
	for (i = 0; !ret && i < info->receive_fifos && i < TORUS_RECEIVE_MAX; i++) {
		ret = map_one(context, TORUS_MAP_ARRIVAL, i,
			      (size_t)info->receive_chunks * sizeof(__u64), PROT_READ,
			      &maps->arrivals[i]);
		context->receive[i].arrivals = maps->arrivals[i];
	}
	return ret;
}

static int map_all(struct torus_context *context, struct mappings *maps)
{
	const struct torus_ioc_info *info = &context->info;
	unsigned int i;
	int ret;

	ret = map_one(context, TORUS_MAP_STATUS, 0, info->page_bytes, PROT_READ,
		      &maps->status);
	if (!ret)
		ret = map_one(context, TORUS_MAP_CONTROL, 0, info->page_bytes,
			      PROT_READ | PROT_WRITE, &maps->control);
	for (i = 0; !ret && i < info->inject_fifos && i < TORUS_INJECT_MAX; i++)
		ret = map_one(context, TORUS_MAP_INJECT, i,
			      (size_t)info->inject_chunks * info->chunk_bytes,
			      PROT_READ | PROT_WRITE, &maps->inject[i]);
	for (i = 0; !ret && i < info->receive_fifos && i < TORUS_RECEIVE_MAX; i++)
		ret = map_one(context, TORUS_MAP_RECEIVE, i,
			      (size_t)info->receive_chunks * info->chunk_bytes, PROT_READ,
			      &maps->receive[i]);
	if (!ret && info->features & TORUS_FEATURE_NOTICE)
		ret = map_one(context, TORUS_MAP_NOTICE, 0,
			      info->notices * sizeof(struct torus_notice), PROT_READ,
			      &maps->notices);
	if (!ret && info->features & TORUS_FEATURE_CLOCK)
		ret = map_ticks(context, maps);
	if (ret)
		return ret;
	context->notices = maps->notices;
	context->status = maps->status;
	context->control = maps->control;
	return torus_context_setup(context, maps->inject, maps->receive);
}

static int attach_open_failed(const char *device)
{
	switch (errno) {
	case ENOENT:
	case ENXIO:
		return torus_error_set(-errno, "%s: %s: is the module torus loaded?", device,
				       strerror(errno));
	default:
		return torus_error_set(-errno, "%s: %s", device, strerror(errno));
	}
}

/* Report that the machine of a fabric has no FIFO groups. */
static int attach_lacks(const char *name)
{
	struct torus_fabric_info fabric;
	char why[TORUS_MACHINE_WHY_MAX];
	int ret = torus_fabric_find(name, &fabric);

	if (!ret)
		ret = torus_machine_demand(fabric.arch, TORUS_MACHINE_ATTACH, why, sizeof(why));
	if (ret != -EOPNOTSUPP)
		snprintf(why, sizeof(why), "%s", strerror(EOPNOTSUPP));
	return torus_error_set(-EOPNOTSUPP, "fabric %s: %s", name, why);
}

static bool attach_ring_wrong(const struct torus_ioc_fabric *fabric, const char *what,
			      uint32_t chunks)
{
	if (!chunks || (!(chunks & (chunks - 1)) && chunks >= fabric->packet_chunks_max &&
			chunks <= fabric->ring_chunks_max))
		return false;
	torus_error_set(0, "%s rings of %u chunks: fabric %s requires a power of two from %u to %u",
			what, chunks, fabric->name, fabric->packet_chunks_max,
			fabric->ring_chunks_max);
	return true;
}

static int attach_plain(const struct torus_ioc_attach *attach, int error)
{
	return torus_error_set(-error, "node %u of fabric %s, FIFO group %u: %s", attach->node,
			       attach->fabric, attach->group, strerror(error));
}

/* Find out which value of an attach request the kernel rejected: its errno alone does not say. */
static int attach_wrong(int fd, const struct torus_ioc_attach *attach, int error)
{
	struct torus_ioc_fabric fabric = { 0 };
	uint32_t coords[TORUS_DIMS_MAX];

	memcpy(fabric.name, attach->fabric, sizeof(fabric.name));
	if (ioctl(fd, TORUS_IOC_FABRIC, &fabric))
		return attach_plain(attach, error);
	if (attach->node > fabric.numbering.last ||
	    !torus_numbering_place(&fabric.numbering, fabric.ndims, fabric.dims, attach->node,
				   coords))
		return torus_error_set(-error,
				       "node %u: fabric %s has %u nodes, the last number is %u",
				       attach->node, fabric.name, fabric.nodes,
				       fabric.numbering.last);
	if (attach->group >= fabric.groups)
		return torus_error_set(-error, "FIFO group %u: a node of fabric %s has %u groups",
				       attach->group, fabric.name, fabric.groups);
	if (attach_ring_wrong(&fabric, "injection", attach->inject_chunks) ||
	    attach_ring_wrong(&fabric, "reception", attach->receive_chunks))
		return -error;
	return attach_plain(attach, error);
}

/* Report which module parameter limits the memory of rings. */
static int attach_full(const struct torus_ioc_attach *attach, int error, const char *whose,
		       const char *parameter)
{
	char path[64], value[24] = "0";
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/torus/parameters/%s", parameter);
	file = fopen(path, "re");
	if (file) {
		if (fgets(value, sizeof(value), file))
			value[strcspn(value, "\n")] = '\0';
		fclose(file);
	}
	/* the value 0 means the default limit, or that the file cannot be read: print no value */
	return torus_error_set(-error,
			       "node %u of fabric %s, FIFO group %u: its rings would exceed the "
			       "memory limit of %s (module parameter %s%s%s)",
			       attach->node, attach->fabric, attach->group, whose, parameter,
			       strcmp(value, "0") ? "=" : "", strcmp(value, "0") ? value : "");
}

static int attach_busy(int fd, const struct torus_ioc_attach *attach, int error)
{
	struct torus_ioc_fabric fabric = { 0 };

	memcpy(fabric.name, attach->fabric, sizeof(fabric.name));
	if (!ioctl(fd, TORUS_IOC_FABRIC, &fabric) && fabric.traffic)
		return torus_error_set(-error, "fabric %s: runs a synthetic workload, so no "
				       "program may attach", attach->fabric);
	return torus_group_taken(attach, error);
}

static int attach_failed(int fd, const struct torus_ioc_attach *attach)
{
	int error = errno;

	switch (error) {
	case ENOENT:
	case ENODEV:
		return torus_error_set(-error, "fabric %s does not exist in this network namespace",
				       attach->fabric);
	case EBUSY:
		return attach_busy(fd, attach, error);
	case ERANGE:
	case EINVAL:
		return attach_wrong(fd, attach, error);
	case EOPNOTSUPP:
		return attach_lacks(attach->fabric);
	case EACCES:
		return torus_error_set(-error, "node %u of fabric %s: belongs to another user, or "
				       "has no owner while parameter attach is owner", attach->node,
				       attach->fabric);
	case EPERM:
		return torus_error_set(-error,
				       "node %u of fabric %s: priority packets require ownership "
				       "of the node, or CAP_NET_ADMIN", attach->node,
				       attach->fabric);
	case ENOSPC:
		return attach_full(attach, error, "all fabrics and rings", "max_bytes");
	case ETIME:
		return torus_error_set(-error, "node %u of fabric %s: its virtual time has begun, "
				       "so no program may attach until the fabric is reset",
				       attach->node, attach->fabric);
	case EDQUOT:
		return attach_full(attach, error, "the rings of one user", "max_user_bytes");
	default:
		return attach_plain(attach, error);
	}
}

/**
 * torus_context_attach() - attach to a FIFO group of a node, given by its number
 * @context: [out] the context
 * @fabric: name of the fabric
 * @node: number of the node, see torus_fabric_node()
 * @config: group, ring sizes and rights; NULL: defaults
 *
 * Return: 0, or -ENOENT (no module or no fabric), -EBUSY (taken, or the fabric runs a synthetic
 * workload), -EINVAL, -EPERM, -EACCES, -EOPNOTSUPP (machine), -ENAMETOOLONG, -ETIME (virtual time
 * has begun), -ENOSPC or -EDQUOT (the module's max_bytes, max_user_bytes), -ENOMEM, -EPROTO (ABI
 * version), -ENODEV (the fabric is being deleted), -EINTR (a signal), or an errno of opening
 * /dev/torus.
 */
int torus_context_attach(struct torus_context **context, const char *fabric, uint32_t node,
			 const struct torus_attach_config *config)
{
	static const struct torus_attach_config defaults;
	struct torus_ioc_attach attach = { .node = node };
	struct torus_context *new;
	const char *device;
	int ret;

	if (!config)
		config = &defaults;
	device = config->device ? config->device : DEVICE;
	if (strlen(fabric) >= sizeof(attach.fabric))
		return torus_error_set(-ENAMETOOLONG,
				       "fabric %s: the name must have at most %zu bytes",
				       fabric, sizeof(attach.fabric) - 1);
	memcpy(attach.fabric, fabric, strlen(fabric) + 1);
	attach.group = config->group;
	attach.flags = config->priority ? TORUS_ATTACH_PRIORITY : 0;
	attach.inject_chunks = config->inject_chunks;
	attach.receive_chunks = config->receive_chunks;

	new = calloc(1, sizeof(*new));
	if (!new)
		return torus_error_set(-ENOMEM, "out of memory for a context");
	new->private = calloc(1, sizeof(struct mappings));
	if (!new->private) {
		free(new);
		return torus_error_set(-ENOMEM, "out of memory for a context");
	}
	torus_context_watch_forks();
	new->forks = torus_forks;
	new->ops = &device_ops;
	new->fd = config->fd ? config->fd : open(device, O_RDWR | O_CLOEXEC);
	if (new->fd < 0)
		ret = attach_open_failed(device);
	else if (ioctl(new->fd, TORUS_IOC_ATTACH, &attach))
		ret = attach_failed(new->fd, &attach);
	else if (ioctl(new->fd, TORUS_IOC_INFO, &new->info))
		ret = torus_error_set(-errno, "cannot get the info of node %u of fabric %s: %s",
				      node, fabric,
				      strerror(errno));
	else
		ret = map_all(new, new->private);
	if (!ret)
		ret = torus_vtime_attach(new, config->priority);
	if (ret) {
		torus_context_detach(new);
		return ret;
	}
	*context = new;
	return 0;
}

/**
 * torus_context_detach() - release the FIFO group and free the context
 * @context: the context, or NULL
 *
 * Packets that the kernel has taken from the injection rings still arrive.  Packets that the kernel
 * has not taken yet are lost: see torus_inject_idle().
 */
void torus_context_detach(struct torus_context *context)
{
	if (!context)
		return;
	torus_vtime_detach(context);
	if (context->ops->release)
		context->ops->release(context);
	free(context);
}

/**
 * torus_context_info() - get the kernel's description of a context
 * @context: the context
 *
 * Return: the info; valid until torus_context_detach().
 */
const struct torus_ioc_info *torus_context_info(const struct torus_context *context)
{
	return &context->info;
}

/**
 * torus_context_fd() - get the file of a context, for poll(2) or epoll by the caller
 * @context: the context
 *
 * Return: the descriptor; the context closes it.
 */
int torus_context_fd(const struct torus_context *context)
{
	return context->fd;
}

/**
 * torus_context_clock() - read the fabric's clock, or in virtual time the program's own
 * @context: the context
 *
 * Return: ticks of info.tick_fs femtoseconds; 0 in a forked child.
 */
__u64 torus_context_clock(const struct torus_context *context)
{
	const __u64 *clock = (const __u64 *)(context->status +
					     context->info.status_clock_offset);

	if (torus_context_forked(context))
		return 0;
	if (context->clock)
		return context->clock->now;
	return __atomic_load_n(clock, __ATOMIC_RELAXED);
}

/**
 * torus_context_fullness() - read the fill levels of the FIFOs of a group
 * @context: the context
 * @group: a group of this node, 0 to info.groups - 1
 * @bytes: [out] the machine's status bytes: the number of chunks in each modelled FIFO, first the
 *         reception FIFOs, then the injection FIFOs, then padding
 *
 * Return: 0, -EINVAL, -ENODEV.
 */
int torus_context_fullness(const struct torus_context *context, uint32_t group,
			   unsigned char bytes[16])
{
	const unsigned char *from;
	unsigned int i;

	if (group >= context->info.groups)
		return torus_error_set(-EINVAL, "FIFO group %u: must be below %u on this node",
				       group,
				       context->info.groups);
	if (torus_context_forked(context))
		return torus_error_dead(context);
	from = context->status + context->info.status_bytes_offset + 16ul * group;
	for (i = 0; i < 16; i++)
		bytes[i] = __atomic_load_n(from + i, __ATOMIC_RELAXED);
	return torus_context_check(context);
}
