// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs: opening, closing, and moving packets both ways.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <torus/collective.h>
#include "../common/progress.h"
#include "assemble.h"
#include "broadcast_move.h"
#include "connect.h"
#include "crc.h"
#include "error.h"
#include "inject.h"
#include "job.h"
#include "loss.h"
#include "memory.h"
#include "number.h"
#include "packet.h"
#include "relay.h"
#include "send.h"
#include "view.h"
#include "wait.h"

#define MEMORY_MAX	(1024ull * 1024 * 1024)
/**
 * torus_job_check() - where the check of packets to a rank starts
 * @job: the job
 * @session: of the job, 0 of packets by which processes look for each other
 * @dest: the rank, or BROADCAST_RANK
 *
 * Return: CRC-32.
 */
__u32 torus_job_check(const struct torus_job *job, __u32 session, __u32 dest)
{
	unsigned char fields[8];

	torus_store_be32(fields, job->config.key ^ session);
	torus_store_be32(fields + 4, dest);
	return torus_lib_crc32(0, fields, sizeof(fields));
}

/**
 * torus_job_seal() - the session is known: packets are the job's that begin with it
 * @job: the job
 * @session: its number, 0: the key alone is to do
 */
void torus_job_seal(struct torus_job *job, __u32 session)
{
	__u32 i;

	job->seal = job->config.key ^ session;
	job->check = torus_job_check(job, session, job->rank);
	job->check_broadcast = torus_job_check(job, session, BROADCAST_RANK);
	for (i = 0; i < job->config.count; i++)
		if (job->peers[i])
			job->peers[i]->check = torus_job_check(job, session, i);
}

/* Where a rank is attached. */
struct torus_member torus_job_member(const struct torus_job *job, __u32 rank)
{
	if (job->config.members)
		return job->config.members[rank];
	return (struct torus_member) { .node = rank, .group = job->context->info.group };
}

static int peer_fifo(const struct torus_job *job, const __u32 *coords)
{
	switch (job->config.route) {
	case TORUS_ROUTE_DYNAMIC:
		return TORUS_FIFO_ANY;
	case TORUS_ROUTE_PRIORITY:
		return __builtin_ctz(job->context->info.inject_priority);
	case TORUS_ROUTE_SECOND:
		return __builtin_ctz(job->context->machine->second_fifos);
	default:
		return torus_inject_choose(job->context, coords);
	}
}

/**
 * torus_job_header() - the machine's header for one packet
 * @job: the job
 * @header: out: the machine's header
 * @machine: the header of such packets of any length
 * @chunks: length of this one
 */
void torus_job_header(const struct torus_job *job, unsigned char *header,
		      const unsigned char *machine, unsigned int chunks)
{
	memcpy(header, machine, job->form.check_at);
	job->context->machine->resize(header, chunks);
}

/*
 * The other FIFO group of the own node: no hint leads there by itself, and the hardware computes
 * none; with one of a ring's a packet goes all the way round and comes home.
 */
static int peer_round(const struct torus_job *job, const struct peer *peer,
		      const struct torus_member *where, __u32 *hints)
{
	const struct torus_context *context = job->context;
	__u32 dim;

	if (where->node != context->info.node || where->group == context->info.group ||
	    !context->machine->hint)
		return 0;
	for (dim = 0; dim < context->info.ndims; dim++)
		if (context->info.dims[dim] > 1 && !(context->info.mesh >> dim & 1)) {
			*hints = context->machine->hint(2 * dim);
			return 0;
		}
	return torus_error_set(-EHOSTUNREACH,
			       "rank %u is in group %u of this node: packets come home round a "
			       "ring alone, and the fabric is a mesh", peer->rank, where->group);
}

/* The header of packets to a rank, and their FIFO. */
static int peer_aim(struct torus_job *job, struct peer *peer)
{
	struct torus_member where = torus_job_member(job, peer->rank);
	__u32 coords[TORUS_DIMS_MAX] = { 0 };
	struct torus_machine_packet packet = {
		.dest = coords, .chunks = 1, .route = job->config.route,
	};
	bool dynamic;
	int ret;

	torus_relay_aim(job, peer, &where, &packet.hints, &dynamic);
	ret = peer_round(job, peer, &where, &packet.hints);
	if (ret)
		return ret;
	ret = torus_node_coords(job->context, where.node, coords);
	if (ret)
		return ret;
	if (!dynamic && packet.route == TORUS_ROUTE_DYNAMIC)
		packet.route = TORUS_ROUTE_ORDERED;
	packet.node = where.node;
	packet.group = where.group;
	peer->fifo = peer_fifo(job, coords);
	return torus_packet_header(job->context, peer->header, &packet);
}

/**
 * torus_job_fifo() - the injection FIFO for a direction
 * @job: the job
 * @dir: direction, 2 * dimension, + 1 for minus
 *
 * Return: an injection FIFO.
 */
unsigned int torus_job_fifo(const struct torus_job *job, unsigned int dir)
{
	if (job->config.route == TORUS_ROUTE_PRIORITY)
		return __builtin_ctz(job->context->info.inject_priority);
	return torus_inject_spread(job->context, dir);
}

/**
 * torus_job_peer() - what is known of another process of the job
 * @job: the job
 * @rank: its rank, valid
 * @peer: out
 *
 * Return: 0, -ENOBUFS (memory), -ENODEV.
 */
int torus_job_peer(struct torus_job *job, __u32 rank, struct peer **peer)
{
	struct peer *new;
	int ret;

	*peer = job->peers[rank];
	if (*peer)
		return 0;
	new = calloc(1, sizeof(*new));
	if (!new)
		return torus_error_set(-ENOBUFS, "no memory for rank %u", rank);
	new->rank = rank;
	new->check = torus_job_check(job, job->seal ^ job->config.key, rank);
	ret = peer_aim(job, new);
	if (ret) {
		free(new);
		return ret;
	}
	job->peers[rank] = new;
	*peer = new;
	return 0;
}

static int job_check_count(const struct torus_job *job, __u32 count)
{
	if (count && count <= job->form.ranks_max)
		return 0;
	return torus_error_set(-EINVAL, "%u members: 1 to %u", count, job->form.ranks_max);
}

/* Where do we stand in the list of members?  Are they all in the machine? */
static int job_find_rank(struct torus_job *job)
{
	const struct torus_ioc_info *info = &job->context->info;
	__u32 coords[TORUS_DIMS_MAX];
	bool found = false;
	__u32 i;

	for (i = 0; i < job->config.count; i++) {
		struct torus_member at = torus_job_member(job, i);

		if (at.group >= info->groups || torus_number_coords(job->context, at.node, coords))
			return torus_error_set(-ERANGE,
					       "rank %u is at node %u, FIFO group %u: the machine "
					       "has no such node, or only %u groups",
					       i, at.node, at.group, info->groups);
		if (at.node != info->node || at.group != info->group)
			continue;
		if (found)
			return torus_error_set(-EINVAL,
					       "ranks %u and %u are both at node %u, FIFO group %u",
					       job->rank, i, at.node, at.group);
		job->rank = i;
		found = true;
	}
	if (!found)
		return torus_error_set(-EINVAL, "node %u, FIFO group %u is no member of the job",
				       info->node, info->group);
	return 0;
}

/* Where no list of members is given: a rank at every node, by the nodes' numbers. */
static int job_all_nodes(struct torus_job *job)
{
	const struct torus_ioc_info *info = &job->context->info;
	__u32 last = job->context->info.numbering.last, coords[TORUS_DIMS_MAX], node;
	struct torus_member *members;
	int ret = job_check_count(job, info->nodes);

	job->config.count = info->nodes;
	/* Without gaps the rank is the number. */
	if (ret || last + 1 == info->nodes)
		return ret;
	members = calloc(info->nodes, sizeof(*members));
	if (!members)
		return torus_error_set(-ENOMEM, "no memory for a job of %u", info->nodes);
	job->config.members = members;
	for (node = 0; node <= last && members < job->config.members + info->nodes; node++)
		if (!torus_number_coords(job->context, node, coords))
			*members++ = (struct torus_member){ .node = node, .group = info->group };
	return 0;
}

static int job_check_route(const struct torus_context *context, int route)
{
	const struct torus_ioc_info *info = &context->info;
	char why[TORUS_MACHINE_WHY_MAX];
	int ret = torus_route_known(route);

	if (ret)
		return ret;
	if (route == TORUS_ROUTE_PRIORITY &&
	    !(info->features & TORUS_FEATURE_PRIORITY && info->inject_priority))
		return torus_error_set(-EPERM, "priority messages: attached without that right");
	if (route == TORUS_ROUTE_SECOND) {
		ret = torus_machine_demand(info->arch, TORUS_MACHINE_CLASSES, why, sizeof(why));
		if (ret)
			return torus_error_set(ret, "messages: %s", why);
	}
	return 0;
}

static int job_fill_config(struct torus_job *job, const struct torus_job_config *config)
{
	int ret = job_check_route(job->context, config->route);

	if (ret)
		return ret;
	job->config = *config;
	job->config.members = NULL;
	if (!config->memory_max)
		job->config.memory_max = MEMORY_MAX;
	if (!config->length_max)
		job->config.length_max = ~0u;
	job->ordered = torus_machine_ordered(job->context->machine, config->route);
	if (!config->members)
		return job_all_nodes(job);
	ret = job_check_count(job, config->count);
	if (ret)
		return ret;
	job->config.members = calloc(config->count, sizeof(*config->members));
	if (!job->config.members)
		return torus_error_set(-ENOMEM, "no memory for a job of %u", config->count);
	memcpy((void *)job->config.members, config->members,
	       config->count * sizeof(*config->members));
	return 0;
}

/**
 * torus_job_begin() - torus_job_open(), with the dead links that all ranks avoid
 * @job: out
 * @context: an attached context
 * @config: the same in all processes of the job
 * @dead: the links, the same in all processes; NULL: each asks the module
 *
 * Return: as torus_job_open().
 */
int torus_job_begin(struct torus_job **job, struct torus_context *context,
		    const struct torus_job_config *config, const struct dead_links *dead)
{
	struct torus_job *new;
	int ret;

	ret = torus_context_check(context);
	if (ret)
		return ret;
	if (context->job)
		return torus_error_set(-EBUSY,
				       "node %u, FIFO group %u of fabric %s: this context has a "
				       "job open already, with key 0x%x: close it first",
				       context->info.node, context->info.group,
				       context->info.fabric, context->job->config.key);
	new = calloc(1, sizeof(*new));
	if (!new)
		return torus_error_set(-ENOMEM, "no memory for a job");
	torus_progress_note(TORUS_PROGRESS_OPENING);
	new->context = context;
	context->job = new;
	/* Notices end a sleep, too. */
	if (context->notices)
		__atomic_store_n(&context->notice_control->want, TORUS_NOTICE_WANT,
				 __ATOMIC_RELAXED);
	ret = torus_form_init(&new->form, context);
	if (!ret)
		ret = job_fill_config(new, config);
	if (!ret)
		ret = job_find_rank(new);
	if (!ret)
		ret = torus_job_take_view(new, config->axes, config->view);
	if (!ret)
		ret = torus_relay_learn(new, dead);
	if (!ret) {
		new->peers = calloc(new->config.count, sizeof(*new->peers));
		if (!new->peers)
			ret = torus_error_set(-ENOMEM, "no memory for a job of %u",
					      new->config.count);
	}
	if (!ret) {
		torus_job_seal(new, 0);
		ret = torus_connect_open(new);
	}
	if (!ret)
		ret = torus_connect_wait(new, config->timeout_ms);
	torus_progress_note(ret ? TORUS_PROGRESS_NONE : TORUS_PROGRESS_JOINED);
	if (ret) {
		torus_job_close(new);
		return ret;
	}
	*job = new;
	return 0;
}

/**
 * torus_job_open() - become a process of a job
 * @job: out
 * @context: an attached context; it stays the caller's, who must not inject or
 *           receive with it while the job is open
 * @config: the same in all processes of the job
 *
 * Returns when all members have opened the job, in whatever order and however late
 * each of them was started; ranks on nodes that are dead take no part.  Nodes and
 * links that are dead now are avoided: see torus_route_learn(), torus_job_reroute().  After a
 * time-out the text names ranks that are missing, which are asked for it within two seconds more.
 *
 * Return: 0, -EBUSY (the context has a job), -EINVAL, -ERANGE, -EPERM (priority),
 * -EOPNOTSUPP (machine),
 * -ETIMEDOUT (members are missing), -ECONNREFUSED (a job with this key has begun with
 * another process in this one's place), -ENOTCONN (a process has left before all knew that all
 * are there), -EINTR (a signal), -EHOSTUNREACH (dead nodes and
 * links are between the ranks), -ENOBUFS, -ENOMEM, -ENOENT (the fabric is in another
 * network namespace), -EIO, -ENODEV.
 */
int torus_job_open(struct torus_job **job, struct torus_context *context,
		   const struct torus_job_config *config)
{
	return torus_job_begin(job, context, config, NULL);
}

static void job_free_list(struct torus_job *job, struct message_list *list)
{
	while (list->first) {
		struct message *message = list->first;

		torus_message_unlink(list, message);
		torus_assemble_free(job, message);
	}
}

/**
 * torus_job_close() - leave a job
 * @job: the job, or NULL
 *
 * Messages not taken and not sent are lost: see torus_message_flush().  Handles
 * of messages not sent, and of broadcasts, are gone.
 */
void torus_job_close(struct torus_job *job)
{
	__u32 i;

	if (!job)
		return;
	job_free_list(job, &job->ready);
	while (job->broadcasts)
		torus_broadcast_cancel(job, job->broadcasts);
	torus_relay_close(job);
	torus_connect_close(job);
	torus_loss_close(job);
	if (job->context->job == job) {
		job->context->job = NULL;
		if (job->context->notices && !torus_context_forked(job->context))
			__atomic_store_n(&job->context->notice_control->want, 0,
					 __ATOMIC_RELAXED);
	}
	for (i = 0; job->peers && i < job->config.count; i++) {
		struct peer *peer = job->peers[i];

		if (!peer)
			continue;
		job_free_list(job, &peer->open);
		while (peer->sends) {
			struct torus_send *send = peer->sends;

			peer->sends = send->next;
			free(send);
		}
		free(peer);
	}
	torus_assemble_done(job);
	free(job->peers);
	free(job->held);
	free(job->holders);
	free((void *)job->config.members);
	free(job);
}

/**
 * torus_job_reroute() - look anew at what is dead, and lead packets around it
 * @job: the job
 *
 * Packets under way are not called back.  Barriers work only among processes that
 * know the same faults: all call this, or none.
 *
 * Return: 0, -ENOMEM, -ENOENT, -ENODEV.
 */
int torus_job_reroute(struct torus_job *job)
{
	int ret = torus_relay_learn(job, NULL);
	__u32 i;

	for (i = 0; !ret && i < job->config.count; i++)
		if (job->peers[i])
			ret = peer_aim(job, job->peers[i]);
	return ret;
}

/**
 * torus_job_rank() - this process's rank
 * @job: the job
 *
 * Return: 0 to torus_job_size() - 1.
 */
__u32 torus_job_rank(const struct torus_job *job)
{
	return job->rank;
}

/**
 * torus_job_payload() - what a full packet carries of a message
 * @job: the job
 *
 * Return: bytes.
 */
__u32 torus_job_payload(const struct torus_job *job)
{
	return job->form.payload;
}

/**
 * torus_job_size() - the number of processes
 * @job: the job
 *
 * Return: 1 or more.
 */
__u32 torus_job_size(const struct torus_job *job)
{
	return job->config.count;
}

/**
 * torus_job_rank_at() - the rank at a node
 * @job: the job
 * @node: number of the node
 *
 * Return: the rank there in the FIFO group of the caller, TORUS_RANK_NONE if the job has
 * none.
 */
__u32 torus_job_rank_at(const struct torus_job *job, __u32 node)
{
	__u32 i;

	for (i = 0; i < job->config.count; i++) {
		struct torus_member at = torus_job_member(job, i);

		if (at.node == node && at.group == job->context->info.group)
			return i;
	}
	return TORUS_RANK_NONE;
}

/**
 * torus_job_counts() - what went through, and what was rejected
 * @job: the job
 * @counts: out
 */
void torus_job_counts(const struct torus_job *job, struct torus_job_counts *counts)
{
	*counts = job->counts;
}

/**
 * torus_job_move() - move packets both ways, for a call that waits
 * @job: the job
 *
 * Return: as torus_job_progress().
 */
int torus_job_move(struct torus_job *job)
{
	int taken, told, turned, pushed;

	if (torus_context_forked(job->context))
		return torus_error_dead(job->context);
	taken = torus_assemble_drain(job);
	if (taken < 0 && taken != -ENOBUFS)
		return taken;
	told = torus_loss_drain(job);
	if (told < 0)
		return told;
	turned = torus_broadcast_push(job);
	if (turned < 0)
		return turned;
	pushed = torus_send_push(job);
	if (pushed < 0)
		return pushed;
	pushed += turned + told;
	/* once more, for its text is gone behind what sending has looked for */
	if (taken < 0)
		return pushed ? pushed : torus_assemble_drain(job);
	return taken + pushed;
}

/**
 * torus_job_progress() - move packets both ways, without waiting
 * @job: the job
 *
 * Every call that waits does this.  A program that computes for long calls it now
 * and then.
 *
 * Return: packets moved or heard to be lost, or -ENOBUFS (memory_max reached), -ECOMM (the kernel
 * refused packets: messages are lost), -EIO, -ENODEV.
 */
int torus_job_progress(struct torus_job *job)
{
	int ret;

	job->computes = true;
	ret = torus_job_move(job);
	job->computes = false;
	return ret;
}

/**
 * torus_job_wait() - move packets, or wait a little until that may be possible
 * @job: the job
 * @waiter: the wait
 * @sending: it is the kernel's taking of packets that is waited for
 *
 * Return: 0 to look again, or as torus_job_progress() and torus_waiter_step().
 */
int torus_job_wait(struct torus_job *job, struct torus_waiter *waiter, bool sending)
{
	int ret = torus_job_move(job);

	if (ret < 0)
		return ret;
	if (ret > 0) {
		torus_waiter_restart(waiter);
		if (torus_waiter_expired(waiter))
			return torus_error_plain(-ETIMEDOUT, TORUS_SAY_TIME);
		return 0;
	}
	sending |= job->active_count || job->forwards || job->turning;
	waiter->coming = job->coming < ~0u ? job->coming : ~0u;
	return torus_waiter_step(waiter, sending ? POLLIN | POLLOUT : POLLIN);
}
