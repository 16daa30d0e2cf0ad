// SPDX-License-Identifier: GPL-2.0
/*
 * Routes around dead nodes and links, and packets that are sent on for others.
 *
 * A packet for a rank that no hints reach goes to the FIFO group of another rank,
 * whose library sends it on when it drains its rings.  It is marked (KIND_RELAYED)
 * and otherwise as the receiver wants it: only the machine's header changes on the
 * way.  For whom it is tells its check, a CRC-32 that begins with the key and the
 * receiver's rank: over known bytes it can be turned back to those four.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "crc.h"
#include "error.h"
#include "inject.h"
#include "job.h"
#include "memory.h"
#include "relay.h"
#include "route.h"
#include "send.h"

/* The rank at a node through which packets may be sent on. */
static int relay_member(const struct torus_job *job, __u32 node, struct torus_member *member)
{
	__u32 i;

	for (i = 0; i < job->config.count; i++) {
		*member = torus_job_member(job, i);
		if (member->node == node)
			return 0;
	}
	return -ENOENT;
}

static unsigned char *relay_nodes(const struct torus_job *job)
{
	unsigned char *nodes = calloc(job->context->info.numbering.last / 8 + 1, 1);
	__u32 i;

	for (i = 0; nodes && i < job->config.count; i++) {
		__u32 node = torus_job_member(job, i).node;

		nodes[node / 8] |= 1u << node % 8;
	}
	return nodes;
}

/**
 * torus_relay_learn() - what is dead in the job's fabric now
 * @job: the job
 * @dead: the links that all ranks were given; NULL: ask the module
 *
 * Where user/route knows no ways around what is dead, nothing is taken for dead.
 *
 * Return: 0, -ENOMEM, or as torus_route_learn().
 */
int torus_relay_learn(struct torus_job *job, const struct dead_links *dead)
{
	struct torus_route_map *map;
	unsigned char *nodes = NULL;
	int ret;

	if (!torus_machine_can(job->context->machine, TORUS_MACHINE_AVOID))
		return 0;
	ret = dead ? torus_route_given(job->context, dead, &map) :
		     torus_route_learn(job->context, &map);
	if (ret)
		return ret;
	if (torus_route_intact(map)) {
		torus_route_map_free(map);
		map = NULL;
	} else {
		nodes = relay_nodes(job);
		if (!nodes) {
			torus_route_map_free(map);
			return torus_error_set(-ENOMEM, "no memory for a job's relays");
		}
	}
	torus_relay_forget(job);
	job->map = map;
	job->relays = nodes;
	return 0;
}

/**
 * torus_relay_forget() - nothing is known to be dead
 * @job: the job
 */
void torus_relay_forget(struct torus_job *job)
{
	torus_route_map_free(job->map);
	free(job->relays);
	free(job->tree);
	job->map = NULL;
	job->relays = NULL;
	job->tree = NULL;
}

__u32 torus_relay_flags(const struct torus_job *job)
{
	return job->config.route == TORUS_ROUTE_DYNAMIC && !job->context->link_down ?
	       0 : TORUS_ROUTE_IN_ORDER;
}

/**
 * torus_relay_aim() - where packets to a rank go, and with which hints
 * @job: the job
 * @peer: the rank; @peer->relayed and @peer->blocked are set
 * @where: the rank's place; out: the relay's if there is one
 * @hints: out: 0: the hardware's
 * @dynamic: out: whether a dynamic packet may go by them
 */
void torus_relay_aim(struct torus_job *job, struct peer *peer, struct torus_member *where,
		     __u32 *hints, bool *dynamic)
{
	struct torus_route_choice choice;

	peer->relayed = false;
	peer->blocked = false;
	*hints = 0;
	*dynamic = true;
	if (!job->map || where->node == job->context->info.node)
		return;
	torus_route_choose(job->map, job->context->info.node, where->node, torus_relay_flags(job),
			   job->relays, &choice);
	*hints = choice.leg[0].hints;
	*dynamic = choice.leg[0].dynamic;
	peer->blocked = choice.kind == TORUS_ROUTE_BLOCKED;
	if (choice.kind == TORUS_ROUTE_RELAY)
		peer->relayed = !relay_member(job, choice.relay, where);
}

/**
 * torus_relay_refuse() - report that no way leads from one rank to another
 * @job: the job, which knows what is dead
 * @from: the sending rank
 * @to: the other
 * @flags: TORUS_ROUTE_DIRECT: no rank may send packets on, 0: one may
 *
 * The text names a node or link without which there would be a way.
 *
 * Return: -EHOSTUNREACH.
 */
int torus_relay_refuse(const struct torus_job *job, __u32 from, __u32 to, __u32 flags)
{
	const unsigned char *relays = flags & TORUS_ROUTE_DIRECT ? NULL : job->relays;
	__u32 source = torus_job_member(job, from).node, node = torus_job_member(job, to).node;
	struct torus_route_fault fault;
	int count;

	if (!torus_route_node_alive(job->map, node))
		return torus_error_set(-EHOSTUNREACH, "rank %u: its node %u is dead", to, node);
	flags |= torus_relay_flags(job);
	count = torus_route_blame(job->map, source, node, flags, relays, &fault, 1);
	/* the way back is what is missing */
	if (!count)
		count = torus_route_blame(job->map, node, source, flags, relays, &fault, 1);
	if (count <= 0)
		return torus_error_set(-EHOSTUNREACH,
				       "rank %u at node %u: no hints lead there and back", to,
				       node);
	if (fault.dir == TORUS_ROUTE_NONE)
		return torus_error_set(-EHOSTUNREACH,
				       "rank %u at node %u: no way leads around node %u, which is "
				       "dead", to, node, fault.node);
	return torus_error_set(-EHOSTUNREACH,
			       "rank %u at node %u: no way leads around link %c%c of node %u, "
			       "which is down, parked or off", to, node, "xyz"[fault.dir / 2],
			       "+-"[fault.dir & 1], fault.node);
}

/*
 * Keep a packet until there is room to send it on to a rank.  Messages in memory do not count:
 * packets that free it may follow this one.  0; -EAGAIN if memory_max of such packets wait, which
 * leave by themselves; -ENOBUFS.
 */
static int forward_append(struct torus_job *job, struct peer *peer, const struct torus_view *view)
{
	size_t memory = sizeof(struct forward) + view->bytes;
	struct forward *forward;

	if (job->forwards && job->forwards_memory + memory > job->config.memory_max)
		return torus_error_plain(-EAGAIN, "packets to be sent on fill memory_max");
	forward = malloc(memory);
	if (!forward)
		return torus_error_set(-ENOBUFS, "no memory for a packet to send on");
	job->forwards_memory += memory;
	torus_assemble_memory(job, memory, true);
	forward->next = NULL;
	forward->peer = peer;
	forward->chunks = view->chunks;
	forward->memory = memory;
	torus_view_copy(view, 0, forward->bytes, view->bytes);
	torus_job_header(job, forward->bytes, peer->header, view->chunks);
	if (job->forwards)
		job->forwards_last->next = forward;
	else
		job->forwards = forward;
	job->forwards_last = forward;
	return 0;
}

/**
 * torus_relay_take() - a packet has arrived that may be for another rank
 * @job: the job
 * @view: the packet
 *
 * Return: 1 if it is taken, to be sent on; 0 if it is none of those; -EAGAIN or -ENOBUFS when
 * it must wait in its ring; -ENODEV.
 */
int torus_relay_take(struct torus_job *job, const struct torus_view *view)
{
	unsigned int kind = torus_form_kind(&job->form, view);
	unsigned char key[4];
	struct peer *peer;
	__u32 dest, source;
	int ret;

	if (!(kind & KIND_RELAYED))
		return 0;
	torus_store_be32(key, (kind & ~FORM_KIND_FLAGS) == KIND_CONNECT ? job->config.key :
			 job->seal);
	dest = torus_form_dest(&job->form, view, torus_lib_crc32(0, key, sizeof(key)), &source);
	if (dest == job->rank || dest >= job->config.count || source >= job->config.count ||
	    source == job->rank)
		return 0;
	ret = torus_job_peer(job, dest, &peer);
	if (ret)
		return ret;
	/* From here it must go by itself, or it would go on and on. */
	if (peer->relayed || peer->blocked) {
		job->counts.rejected_relay++;
		return 1;
	}
	ret = forward_append(job, peer, view);
	return ret ? ret : 1;
}

static void forward_first_free(struct torus_job *job)
{
	struct forward *forward = job->forwards;

	job->forwards = forward->next;
	job->forwards_memory -= forward->memory;
	job->counts.memory -= forward->memory;
	free(forward);
}

/**
 * torus_relay_push() - send on what waits, while there is room
 * @job: the job
 * @budget: packets at most
 *
 * Return: packets injected, -EIO, -ENODEV.
 */
int torus_relay_push(struct torus_job *job, int budget)
{
	int pushed = 0;

	while (job->forwards && pushed < budget) {
		const struct forward *forward = job->forwards;
		int fifo = torus_send_fifo(job, forward->peer, forward->chunks,
					   job->context->info.inject_fifos);

		if (fifo < 0)
			return fifo == -EAGAIN ? pushed : fifo;
		torus_inject_put(job->context, fifo, 0, forward->bytes,
				 (size_t)forward->chunks * job->form.chunk_bytes);
		torus_inject_commit(job->context, fifo, forward->chunks);
		job->counts.relayed_packets++;
		forward_first_free(job);
		pushed++;
	}
	return pushed;
}

/**
 * torus_relay_close() - done: what waits to be sent on is lost
 * @job: the job
 */
void torus_relay_close(struct torus_job *job)
{
	while (job->forwards)
		forward_first_free(job);
	torus_relay_forget(job);
}
