// SPDX-License-Identifier: GPL-2.0
/*
 * Route packets around dead nodes and links.  A packet for a rank that no hints reach is sent to
 * the FIFO group of another rank, whose library forwards it when it drains its rings: see
 * forward.c.
 */
#include <errno.h>
#include <stdlib.h>
#include "../context/dead_links.h"
#include "../context/error.h"
#include "job.h"
#include "member.h"
#include "relay.h"

/* Find the first rank at a node, which can forward packets. */
static int relay_member(const struct torus_job *job, uint32_t node, struct torus_member *member)
{
	uint32_t i;

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
	uint32_t i;

	for (i = 0; nodes && i < job->config.count; i++) {
		uint32_t node = torus_job_member(job, i).node;

		nodes[node / 8] |= 1u << node % 8;
	}
	return nodes;
}

/**
 * torus_relay_learn() - update the map of dead nodes and links that the job avoids
 * @job: the job
 * @dead: dead links, the same at all ranks; NULL: ask the module
 *
 * On machines for which user/route computes no paths around faults, the job has no map.
 *
 * Return: 0, -ENOMEM, or as torus_route_given() or torus_route_learn().
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
			return torus_error_set(-ENOMEM, "out of memory for the relays of a job");
		}
	}
	torus_relay_forget(job);
	job->map = map;
	job->context->avoided = map;
	job->relays = nodes;
	return 0;
}

/**
 * torus_relay_share() - use the map of the root in a sub-job
 * @job: the sub-job
 *
 * Return: 0, -ENOMEM.
 */
int torus_relay_share(struct torus_job *job)
{
	torus_relay_forget(job);
	job->map = job->root->map;
	if (!job->map)
		return 0;
	job->relays = relay_nodes(job);
	return job->relays ? 0 : torus_error_set(-ENOMEM, "out of memory for the relays of a job");
}

/**
 * torus_relay_forget() - free the map of dead nodes and links
 * @job: the job; a sub-job does not own the map
 */
void torus_relay_forget(struct torus_job *job)
{
	if (job->root == job) {
		torus_route_map_free(job->map);
		job->context->avoided = NULL;
	}
	free(job->relays);
	free(job->tree);
	job->map = NULL;
	job->relays = NULL;
	job->tree = NULL;
}

uint32_t torus_relay_flags(const struct torus_job *job)
{
	return job->config.route == TORUS_ROUTE_DYNAMIC && !job->context->link_down ?
	       0 : TORUS_ROUTE_IN_ORDER;
}

/**
 * torus_relay_aim() - select the path of packets to a rank
 * @job: the job
 * @peer: the rank; @peer->relayed and @peer->blocked are set
 * @where: [in, out] the rank's node and group; those of the relay if there is one
 * @hints: [out] hints of the packets; 0: the hardware's
 * @dynamic: [out] dynamic packets may use the path
 */
void torus_relay_aim(struct torus_job *job, struct peer *peer, struct torus_member *where,
		     uint32_t *hints, bool *dynamic)
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
 * torus_relay_refuse() - report that no path leads from one rank to another
 * @job: the job, with a map
 * @from: rank of the sender
 * @to: rank of the receiver
 * @flags: TORUS_ROUTE_DIRECT: a path without a relay; 0: a rank may relay the packets
 *
 * The text names a dead node or link that blocks the path, if one is found.
 *
 * Return: -EHOSTUNREACH.
 */
int torus_relay_refuse(const struct torus_job *job, uint32_t from, uint32_t to, uint32_t flags)
{
	const unsigned char *relays = flags & TORUS_ROUTE_DIRECT ? NULL : job->relays;
	uint32_t source = torus_job_member(job, from).node, node = torus_job_member(job, to).node;
	struct torus_route_fault fault;
	int count;

	if (!torus_route_node_alive(job->map, node))
		return torus_error_set(-EHOSTUNREACH, "rank %u: its node %u is dead", to, node);
	flags |= torus_relay_flags(job);
	count = torus_route_blame(job->map, source, node, flags, relays, &fault, 1);
	/* no fault blocks the path there, so the path back is blocked */
	if (!count)
		count = torus_route_blame(job->map, node, source, flags, relays, &fault, 1);
	if (count <= 0)
		return torus_error_set(-EHOSTUNREACH,
				       "rank %u at node %u: no hint bits lead there and back", to,
				       node);
	if (fault.dir == TORUS_ROUTE_NONE)
		return torus_error_set(-EHOSTUNREACH,
				       "rank %u at node %u: no path leads around node %u, which is "
				       "dead", to, node, fault.node);
	return torus_error_set(-EHOSTUNREACH,
			       "rank %u at node %u: no path leads around link %c%c of node %u, "
			       "which is down, parked or off", to, node, "xyz"[fault.dir / 2],
			       "+-"[fault.dir & 1], fault.node);
}

