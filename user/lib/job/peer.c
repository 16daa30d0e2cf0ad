// SPDX-License-Identifier: GPL-2.0
/*
 * Create and look up struct peer, the state of another rank: header, check and injection FIFO of
 * packets to it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../context/error.h"
#include "../context/inject.h"
#include "../context/packet.h"
#include "check.h"
#include "member.h"
#include "peer.h"
#include "relay.h"

/**
 * torus_job_seal() - compute the start values of packet checks for a session
 * @job: the job
 * @session: number of the session; 0: not known yet, use the key alone
 */
void torus_job_seal(struct torus_job *job, uint32_t session)
{
	uint32_t i;

	job->seal = job->config.key ^ session;
	job->check = torus_job_check(job, session, job->rank);
	job->check_broadcast = torus_job_check(job, session, BROADCAST_RANK);
	for (i = 0; i < job->config.count; i++)
		if (job->peers[i])
			job->peers[i]->check = torus_job_check(job, session, i);
}

static int peer_fifo(const struct torus_job *job, const uint32_t *coords)
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
 * torus_job_header() - make the machine's header of one packet
 * @job: the job
 * @header: [out] the machine's header
 * @machine: header of any packet with the same destination; only its length is changed
 * @chunks: length of the packet
 */
void torus_job_header(const struct torus_job *job, unsigned char *header,
		      const unsigned char *machine, unsigned int chunks)
{
	memcpy(header, machine, job->format.check_at);
	job->context->machine->resize(header, chunks);
}

/*
 * Get hints for packets to another FIFO group of this node.  The hardware computes no hints for its
 * own node.  With a hint in a dimension that is a ring, the packet travels around the ring and
 * returns.
 */
static int peer_round(const struct torus_job *job, const struct peer *peer,
		      const struct torus_member *where, uint32_t *hints)
{
	const struct torus_context *context = job->context;
	uint32_t dim;

	if (where->node != context->info.node || where->group == context->info.group ||
	    !context->machine->hint)
		return 0;
	for (dim = 0; dim < context->info.ndims; dim++)
		if (context->info.dims[dim] > 1 && !(context->info.mesh >> dim & 1)) {
			*hints = context->machine->hint(2 * dim);
			return 0;
		}
	return torus_error_set(-EHOSTUNREACH,
			       "rank %u is in group %u of this node: packets to the own node "
			       "require a torus dimension, but the fabric is a mesh", peer->rank,
			       where->group);
}

/* Compute the header and the injection FIFO of packets to a rank. */
static int peer_aim(struct torus_job *job, struct peer *peer)
{
	struct torus_member where = torus_job_member(job, peer->rank);
	uint32_t coords[TORUS_DIMS_MAX] = { 0 };
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
 * torus_job_fifo() - select the injection FIFO for a direction
 * @job: the job
 * @dir: direction: 2 * dimension, + 1 for minus
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
 * torus_job_peer() - look up the state of another process of the job, or create it
 * @job: the job
 * @rank: valid rank of the process
 * @peer: [out] the state
 *
 * Return: 0, -ENOBUFS (memory), -EHOSTUNREACH (packets to the own node need a ring), -ENODEV.
 */
int torus_job_peer(struct torus_job *job, uint32_t rank, struct peer **peer)
{
	struct peer *new;
	int ret;

	*peer = job->peers[rank];
	if (*peer)
		return 0;
	new = calloc(1, sizeof(*new));
	if (!new)
		return torus_error_set(-ENOBUFS, "out of memory for rank %u", rank);
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

/**
 * torus_send_fifo() - select an injection FIFO with free space for a packet to a rank
 * @job: the job
 * @peer: the rank
 * @chunks: length of the packet
 * @fifos: if packets to the rank may use any FIFO, select a FIFO below this number
 *
 * Return: as torus_inject_find().
 */
int torus_send_fifo(struct torus_job *job, const struct peer *peer, unsigned int chunks,
		    unsigned int fifos)
{
	return torus_inject_find(job->context, peer->fifo, chunks, fifos);
}

/**
 * torus_job_reroute() - read the dead nodes and links again, and route packets around them
 * @job: the job
 *
 * The routes of all sub-jobs change, too.  Packets under way keep their routes.  Barriers work only
 * among processes that know the same faults: all processes call this, or none.
 *
 * Return: 0, -EINVAL (@job is a sub-job), -ENOMEM, -ENODEV, or as torus_route_learn().
 */
int torus_job_reroute(struct torus_job *job)
{
	struct torus_job *each;
	uint32_t i;
	int ret;

	if (job->root != job)
		return torus_error_set(-EINVAL, "reroute: must be called with the job that was "
				       "opened, not with a sub-job");
	ret = torus_relay_learn(job, NULL);
	if (ret)
		return ret;
	/* The old map is gone, so no sub-job may keep it, whatever fails. */
	for (each = job->next; each; each = each->next) {
		int shared = torus_relay_share(each);

		ret = ret ? ret : shared;
	}
	for (each = job; !ret && each; each = each->next)
		for (i = 0; !ret && i < each->config.count; i++)
			if (each->peers[i])
				ret = peer_aim(each, each->peers[i]);
	return ret;
}
