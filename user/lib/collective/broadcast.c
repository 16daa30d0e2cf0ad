// SPDX-License-Identifier: GPL-2.0
/*
 * Broadcasts for the program: start one, and wait for its end. broadcast_progress.c moves its
 * packets.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../context/error.h"
#include "../context/node_number.h"
#include "../context/packet.h"
#include "../context/wait.h"
#include "../job/check.h"
#include "../job/liveness.h"
#include "../job/member.h"
#include "../job/memory.h"
#include "../job/move.h"
#include "../job/peer.h"
#include "../job/peer_exit.h"
#include "broadcast.h"
#include "broadcast_progress.h"
#include "broadcast_tree.h"

static int box_fill(const struct torus_job *job, uint32_t root, uint32_t along,
		    struct broadcast_box *box)
{
	const struct torus_ioc_info *info = &job->context->info;
	uint32_t at[TORUS_DIMS_MAX] = { 0 };
	unsigned int dim;
	int ret;

	box->mesh = info->mesh;
	box->along = along;
	for (dim = 0; dim < BROADCAST_DIMS; dim++)
		box->dims[dim] = dim < info->ndims ? info->dims[dim] : 1;
	ret = torus_number_coords(job->context, torus_job_member(job, root).node, at);
	memcpy(box->root, at, sizeof(box->root));
	return ret;
}

/* Check that the machine does not have more dimensions than broadcasts support. */
static int broadcast_machine(const struct torus_job *job)
{
	const struct torus_ioc_info *info = &job->context->info;

	if (info->ndims > BROADCAST_DIMS)
		return torus_error_set(-EOPNOTSUPP,
				       "broadcast in %u dimensions: must be at most %u",
				       info->ndims, BROADCAST_DIMS);
	return 0;
}

/* Set job->held: one bit for each node that has a rank of the job in this process's FIFO group. */
static int broadcast_find_held(struct torus_job *job)
{
	const struct torus_ioc_info *info = &job->context->info;
	uint32_t i;

	if (job->held)
		return 0;
	job->held = calloc(job->context->info.numbering.last / 8 + 1, 1);
	if (!job->held)
		return torus_error_set(-ENOMEM, "out of memory for a broadcast");
	for (i = 0; i < job->config.count; i++) {
		const struct torus_member *at = &job->config.members[i];

		if (at->group == info->group)
			job->held[at->node / 8] |= 1u << at->node % 8;
	}
	return 0;
}

/*
 * Check that a node of the broadcast and its links are alive: row broadcasts cannot avoid a dead
 * node or link.
 */
static int box_check_alive(const struct torus_job *job, uint32_t root,
			   const struct broadcast_box *box, uint32_t node, const uint32_t *at)
{
	unsigned int dir;

	if (!torus_route_node_alive(job->map, node))
		return torus_error_set(-EHOSTUNREACH, "broadcast from rank %u: node %u is dead",
				       root, node);
	for (dir = 0; dir < 2 * BROADCAST_DIMS; dir++) {
		unsigned int dim = dir / 2;
		uint32_t last = dir & 1 ? 0 : box->dims[dim] - 1;

		if (!(box->along >> dim & 1) || box->dims[dim] == 1 ||
		    (box->mesh >> dim & 1 && at[dim] == last) ||
		    torus_route_link_alive(job->map, node, dir))
			continue;
		return torus_error_set(-EHOSTUNREACH,
				       "broadcast from rank %u: link %c%c of node %u is dead", root,
				       "xyz"[dim], "+-"[dir & 1], node);
	}
	return 0;
}

/*
 * Check that each node of the broadcast has a rank of the job in the root's FIFO group.  Check also
 * that these nodes and their links are alive.
 */
static int box_check_nodes(struct torus_job *job, uint32_t root, const struct broadcast_box *box)
{
	const struct torus_ioc_info *info = &job->context->info;
	uint32_t group = torus_job_member(job, root).group;
	uint32_t last = job->context->info.numbering.last, at[TORUS_DIMS_MAX] = { 0 }, node;
	int ret = 0;

	if (!job->config.members && !job->map)
		return 0;
	if (group != info->group)
		return torus_error_set(-EINVAL,
				       "broadcast from rank %u, which is in FIFO group %u: rank %u "
				       "must be in the same group, not in %u",
				       root, group, job->rank, info->group);
	if (job->config.members)
		ret = broadcast_find_held(job);
	for (node = 0; !ret && node <= last; node++) {
		/* numbers of nodes may have gaps */
		if (torus_number_coords(job->context, node, at) ||
		    !torus_broadcast_inside(box, at))
			continue;
		if (job->held && !(job->held[node / 8] >> node % 8 & 1))
			return torus_error_set(-EINVAL,
					       "broadcast from rank %u: the job has no rank at "
					       "node %u (%u,%u,%u), FIFO group %u",
					       root, node, at[0], at[1], at[2], group);
		if (job->map)
			ret = box_check_alive(job, root, box, node, at);
	}
	return ret;
}

/* Compute the streams of packets that this rank injects. */
static int broadcast_plan(struct torus_job *job, const struct broadcast_box *box,
			  struct torus_broadcast *broadcast)
{
	const struct torus_ioc_info *info = &job->context->info;
	const struct torus_machine *machine = job->context->machine;
	struct broadcast_turn turns[BROADCAST_TURNS_MAX];
	unsigned int colour, count, i;

	broadcast->colours = torus_broadcast_colours(box);
	for (colour = 0; colour < broadcast->colours; colour++) {
		count = torus_broadcast_turns(box, colour, info->coords, turns);
		for (i = 0; i < count; i++) {
			struct broadcast_stream *stream = &broadcast->streams[broadcast->count++];
			unsigned int dim = turns[i].dir / 2;
			uint32_t n = info->dims[dim], hops = turns[i].hops;
			uint32_t dest[TORUS_DIMS_MAX];
			const struct torus_machine_packet packet = {
				.dest = dest, .group = info->group, .chunks = 1,
				.route = job->config.route, .deposit = true,
				.hints = machine->hint(turns[i].dir),
			};
			int ret;

			memcpy(dest, info->coords, sizeof(dest));
			dest[dim] = (dest[dim] + (turns[i].dir & 1 ? n - hops : hops)) % n;
			ret = torus_packet_header(job->context, stream->header, &packet);
			if (ret)
				return ret;
			stream->fifo = torus_job_fifo(job, turns[i].dir);
			stream->next = colour;
		}
	}
	return 0;
}

static void broadcast_append(struct torus_job *job, struct torus_broadcast *broadcast)
{
	broadcast->prev = job->broadcasts_last;
	if (broadcast->prev)
		broadcast->prev->next = broadcast;
	else
		job->broadcasts = broadcast;
	job->broadcasts_last = broadcast;
}

static void broadcast_remove(struct torus_job *job, struct torus_broadcast *broadcast)
{
	if (broadcast->prev)
		broadcast->prev->next = broadcast->next;
	else
		job->broadcasts = broadcast->next;
	if (broadcast->next)
		broadcast->next->prev = broadcast->prev;
	else
		job->broadcasts_last = broadcast->prev;
}

/*
 * Free the memory that the library has allocated for a broadcast before the program started the
 * broadcast.
 */
static void broadcast_drop_memory(struct torus_job *job, struct torus_broadcast *broadcast)
{
	if (!broadcast->early)
		return;
	free(broadcast->data);
	broadcast->data = NULL;
	broadcast->early = false;
	job->counts.memory -= broadcast->memory;
	broadcast->memory = 0;
}

static void broadcast_free(struct torus_job *job, struct torus_broadcast *broadcast)
{
	torus_broadcast_tree_free(job, broadcast);
	broadcast_drop_memory(job, broadcast);
	free(broadcast->seen);
	free(broadcast);
}

/**
 * torus_broadcast_new() - allocate a broadcast and start to take part in it
 * @job: the job
 * @root: root of the broadcast
 * @along: TORUS_BROADCAST_*
 * @number: number of the broadcast, counted for @root and @along
 * @data: buffer of the program; NULL with @early
 * @length: length in bytes
 * @early: the program has not started the broadcast yet: allocate memory for the bytes
 * @new: [out] the broadcast
 *
 * Return: 0, -EINVAL (this rank is not part of the broadcast), -ENOBUFS, -ERANGE.
 */
int torus_broadcast_new(struct torus_job *job, const struct peer *root, uint32_t along,
			uint32_t number, void *data, uint32_t length, bool early,
			struct torus_broadcast **new)
{
	struct torus_broadcast *broadcast;
	struct broadcast_box box;
	int ret;

	ret = box_fill(job, root->rank, along, &box);
	if (ret)
		return ret;
	if (!torus_broadcast_inside(&box, job->context->info.coords))
		return torus_error_set(-EINVAL,
				       "broadcast from rank %u: rank %u at %u,%u,%u is not in the "
				       "line or plane of the root",
				       root->rank, job->rank, job->context->info.coords[0],
				       job->context->info.coords[1],
				       job->context->info.coords[2]);
	broadcast = calloc(1, sizeof(*broadcast));
	if (!broadcast)
		goto no_memory;
	broadcast->root = root->rank;
	broadcast->along = along;
	broadcast->number = number;
	broadcast->data = data;
	broadcast->length = length;
	broadcast->packets = torus_msg_packets(&job->format, length);
	if (root->rank != job->rank) {
		broadcast->missing = broadcast->packets;
		broadcast->seen = calloc((broadcast->packets + 7ull) / 8, 1);
		if (!broadcast->seen)
			goto no_memory;
	}
	if (early) {
		__u64 memory = sizeof(*broadcast) + (__u64)length;

		ret = torus_memory_account(job, memory, !job->root->computes);
		if (ret)
			goto failed;
		broadcast->early = true;
		broadcast->memory = memory;
		broadcast->data = malloc(length ? length : 1);
		if (!broadcast->data)
			goto no_memory;
	}
	if (torus_machine_can(job->context->machine, TORUS_MACHINE_DEPOSIT))
		ret = broadcast_plan(job, &box, broadcast);
	else
		ret = torus_broadcast_tree_plan(job, &box, broadcast);
	if (ret)
		goto failed;
	broadcast_append(job, broadcast);
	*new = broadcast;
	return 0;

no_memory:
	ret = torus_error_set(-ENOBUFS, "out of memory for a broadcast of %u bytes", length);
failed:
	if (broadcast)
		broadcast_free(job, broadcast);
	return ret;
}

/*
 * Give the program a broadcast whose packets arrived before the program started it.
 */
static int broadcast_adopt(struct torus_job *job, struct torus_broadcast *broadcast, void *data,
			   uint32_t length)
{
	if (length != broadcast->length)
		return torus_error_set(-EMSGSIZE,
				       "broadcast from rank %u: the root sends %u bytes, not %u",
				       broadcast->root, broadcast->length, length);
	if (length)
		memcpy(data, broadcast->data, length);
	broadcast_drop_memory(job, broadcast);
	broadcast->data = data;
	return 0;
}

/**
 * torus_broadcast_start() - start to take part in a broadcast
 * @job: the job
 * @root: rank that has the bytes
 * @along: TORUS_BROADCAST_X, _Y, _Z: one for a line, two for a plane, all for the machine
 * @data: the bytes at the root; a buffer for them at the other ranks, which must be in the root's
 *        line or plane.  Must not be used until the broadcast has ended
 * @length: length in bytes, 0 to 2^32 - 1, the same at all ranks
 * @broadcast: [out] a handle: call torus_broadcast_test() or torus_broadcast_wait() until the call
 *             frees the handle
 *
 * Broadcasts with the same root and dimensions are matched in the order in which they are started.
 * Broadcasts with different roots or dimensions may be started in any order.
 *
 * Return: 0; -EINVAL when the rank or the dimensions are invalid, this rank is not in the root's
 * line or plane, or a node there has no rank of the job in the root's FIFO group; -EHOSTUNREACH
 * when a node or a link there is known to be dead: row broadcasts cannot avoid it as messages do;
 * -EOPNOTSUPP on a machine of more dimensions; -EMSGSIZE when @length is more than length_max or
 * differs from the root's; -ENOMEM, -ENOBUFS, -ENODEV.
 */
int torus_broadcast_start(struct torus_job *job, uint32_t root, uint32_t along, void *data,
			  uint32_t length, struct torus_broadcast **broadcast)
{
	struct torus_broadcast *new;
	struct broadcast_box box;
	struct peer *peer;
	uint32_t number;
	int ret;

	ret = broadcast_machine(job);
	if (ret)
		return ret;
	if (root >= job->config.count)
		return torus_error_set(-EINVAL,
				       "rank %u: must be below %u, the number of ranks of the job",
				       root,
				       job->config.count);
	if (!along || along & ~TORUS_BROADCAST_CUBE)
		return torus_error_set(-EINVAL, "broadcast along dimensions %#x: must be 1 to %#x",
				       along,
				       TORUS_BROADCAST_CUBE);
	if (length > job->config.length_max)
		return torus_error_set(-EMSGSIZE,
				       "broadcast of %u bytes: must be at most length_max %u",
				       length,
				       job->config.length_max);
	ret = torus_job_peer(job, root, &peer);
	if (ret)
		return ret;
	ret = box_fill(job, root, along, &box);
	if (!ret)
		ret = box_check_nodes(job, root, &box);
	if (ret)
		return ret;
	number = peer->broadcasts[along];
	new = torus_broadcast_find(job, root, along, number);
	if (new) {
		ret = broadcast_adopt(job, new, data, length);
		/*
		 * this call fails and ends the broadcast here: the next one has the next number
		 */
		if (ret) {
			peer->broadcasts[along]++;
			torus_broadcast_cancel(job, new);
		}
	} else {
		ret = torus_broadcast_new(job, peer, along, number, data, length, false, &new);
	}
	if (ret)
		return ret;
	peer->broadcasts[along]++;
	if (root == job->rank)
		torus_store_be32(new->trailer,
				 torus_message_crc(job, root, BROADCAST_RANK, number, along, data,
						   length));
	*broadcast = new;
	return 0;
}

/**
 * torus_broadcast_cancel() - stop taking part in a broadcast
 * @job: the job
 * @broadcast: the handle, which is freed
 *
 * Other ranks may miss packets that this rank should have forwarded: close the job.
 */
void torus_broadcast_cancel(struct torus_job *job, struct torus_broadcast *broadcast)
{
	broadcast_remove(job, broadcast);
	broadcast_free(job, broadcast);
}

/*
 * Check whether all packets have arrived and this rank has injected all packets that it forwards.
 * A row broadcast also ends at once if the root sends another number of bytes.
 */
static bool broadcast_finished(const struct torus_broadcast *broadcast)
{
	unsigned int i;

	if (broadcast->error == -EMSGSIZE && !broadcast->tree)
		return true;
	if (broadcast->missing)
		return false;
	if (broadcast->tree)
		return torus_broadcast_tree_ended(broadcast);
	for (i = 0; i < broadcast->count; i++)
		if (broadcast->streams[i].next < broadcast->packets)
			return false;
	return true;
}

/*
 * End a broadcast.  Return: 1, or the error of the bytes, after which the handle is freed.  If the
 * bytes could not be sent to a child, return the error of that message instead.  Then the handle
 * stays valid, and a repeated call returns the same error.
 */
static int broadcast_conclude(struct torus_job *job, struct torus_broadcast *broadcast)
{
	int ret = broadcast->error, lost = torus_broadcast_tree_free(job, broadcast);

	if (!ret && lost)
		return torus_error_set(lost,
				       "broadcast %u from rank %u: the data was not forwarded",
				       broadcast->number, broadcast->root);
	if (ret == -EMSGSIZE)
		torus_error_set(ret, "broadcast %u from rank %u: the length must be %u bytes",
				broadcast->number, broadcast->root, broadcast->length);
	else if (ret && broadcast->lost)
		torus_error_set(ret, "broadcast %u from rank %u: message %u from rank %u was lost",
				broadcast->number, broadcast->root, broadcast->lost_number,
				broadcast->above);
	else if (ret)
		torus_error_set(ret, "broadcast %u from rank %u: its CRC-32 is wrong",
				broadcast->number, broadcast->root);
	else
		job->counts.broadcasts++;
	torus_broadcast_cancel(job, broadcast);
	return ret ? ret : 1;
}

/**
 * torus_broadcast_test() - check whether a broadcast has ended here
 * @job: the job
 * @broadcast: the handle
 *
 * Return: 1 if all bytes have arrived and all packets of this rank are in the injection rings: the
 * handle is freed; 0 if not.  After these errors the handle is freed, too: -EBADMSG when the bytes
 * are damaged, or the message with them was lost; -EMSGSIZE when the root sends another number of
 * bytes.  With the handle still valid: an error of torus_job_progress(), or on a machine without
 * row broadcasts, where ranks forward the bytes by messages, -ENOTCONN or -EHOSTUNREACH when one of
 * the ranks to which this one sends cannot receive them, or -ENOMEM.
 */
int torus_broadcast_test(struct torus_job *job, struct torus_broadcast *broadcast)
{
	int ret = broadcast_finished(broadcast) ? 0 : torus_job_move(job);

	if (broadcast->tree)
		torus_broadcast_tree_lost(job, broadcast);
	if (broadcast_finished(broadcast))
		return broadcast_conclude(job, broadcast);
	return ret < 0 ? ret : 0;
}

/* Mark the ranks that inject packets of a colour on the path to this rank. */
static void broadcast_mark_way(const struct torus_job *job, const struct broadcast_box *box,
			       unsigned int colour, unsigned char *ranks)
{
	const struct torus_ioc_info *info = &job->context->info;
	uint32_t way[BROADCAST_WAY_MAX][BROADCAST_DIMS], at[TORUS_DIMS_MAX] = { 0 }, rank;
	unsigned int count = torus_broadcast_way(box, colour, info->coords, way), i;

	for (i = 0; i < count; i++) {
		memcpy(at, way[i], sizeof(way[i]));
		rank = torus_job_rank_at(job, torus_numbering_number(&info->numbering, info->ndims,
								     info->dims, at));
		if (rank != TORUS_RANK_NONE)
			ranks[rank] = 1;
	}
}

/*
 * Return an array with a flag for each rank: the broadcast needs the rank, either to forward
 * missing packets or to receive packets.  NULL: no memory.
 */
static unsigned char *broadcast_ranks(const struct torus_job *job, const struct torus_broadcast *b)
{
	unsigned char *ranks = calloc(job->config.count, 1);
	struct broadcast_box box;
	uint32_t colour, i;

	for (i = 0; ranks && b->missing && i < b->steps; i++)
		ranks[b->way[i]] = 1;
	for (i = 0; ranks && !b->missing && i < b->begun; i++)
		ranks[b->below[i]] = !!b->sends[i]->peer;
	if (!ranks || !b->missing || b->tree || !b->seen || box_fill(job, b->root, b->along, &box))
		return ranks;
	for (colour = 0; colour < b->colours; colour++)
		for (i = colour; i < b->packets; i += b->colours)
			if (!(b->seen[i / 8] >> i % 8 & 1)) {
				broadcast_mark_way(job, &box, colour, ranks);
				break;
			}
	return ranks;
}

/* Check like torus_peer_exit_check() whether a rank that the broadcast needs has left. */
static int broadcast_look(struct torus_job *job, const struct torus_broadcast *b,
			  struct peer_exit *watch)
{
	free((void *)watch->ranks);
	watch->ranks = broadcast_ranks(job, b);
	return torus_peer_exit_check(job, watch);
}

/**
 * torus_broadcast_wait() - wait until a broadcast has ended here
 * @job: the job
 * @broadcast: the handle
 * @timeout_ms: milliseconds; -1: no limit, 0: do not wait (-EAGAIN)
 *
 * Return: 0, -EBADMSG or -EMSGSIZE, and the handle is freed.  The handle stays valid after other
 * errors: -EAGAIN, -ETIMEDOUT, -ENOTCONN (the process of the root, of a rank on the path from the
 * root, or of a rank to which this one sends has left), -EHOSTUNREACH, -EINTR, -ENOMEM, -ENOBUFS,
 * -ECOMM, -EIO, -ENODEV.
 */
int torus_broadcast_wait(struct torus_job *job, struct torus_broadcast *broadcast,
			 int timeout_ms)
{
	struct torus_waiter waiter;
	struct peer_exit watch;
	int ret;

	torus_waiter_init(&waiter, job->context, timeout_ms);
	torus_peer_exit_start(job, &watch, &waiter, broadcast->root, NULL);
	for (;;) {
		ret = torus_broadcast_test(job, broadcast);
		if (ret) {
			ret = ret < 0 ? ret : 0;
			break;
		}
		if (!timeout_ms)
			return torus_error_plain(-EAGAIN,
						 "the broadcast is not complete yet");
		ret = torus_job_wait(job, &waiter, false);
		if (ret == -ETIMEDOUT)
			ret = broadcast_look(job, broadcast, &watch);
		if (ret == -ETIMEDOUT && timeout_ms >= TORUS_POLL_MS)
			ret = torus_liveness_explain(job, ret,
						     "broadcast %u from rank %u: %u of %u packets "
						     "missing after %d ms", broadcast->number,
						     broadcast->root, broadcast->missing,
						     broadcast->packets, timeout_ms);
		if (ret)
			break;
	}
	free((void *)watch.ranks);
	return ret;
}

/**
 * torus_broadcast() - send the same bytes to all ranks of a line, a plane or the machine
 * @job: the job
 * @root: rank that has the bytes
 * @along: as torus_broadcast_start()
 * @data: as torus_broadcast_start()
 * @length: as torus_broadcast_start()
 * @timeout_ms: milliseconds; 0 or -1: no limit
 *
 * All ranks of the line, plane or machine call it.  It returns when the bytes have arrived and
 * @data may be used; other ranks may still wait.  After an error other than -EINVAL the ranks no
 * longer agree: close the job.  Exceptions are errors that all ranks get before anything is sent:
 * -EOPNOTSUPP, -EHOSTUNREACH, and -EMSGSIZE for length_max.
 *
 * Return: 0, -ETIMEDOUT, -ENOTCONN, -EINTR, -EBADMSG, -ECOMM, -EIO, or as torus_broadcast_start().
 */
int torus_broadcast(struct torus_job *job, uint32_t root, uint32_t along, void *data,
		    uint32_t length, int timeout_ms)
{
	struct torus_broadcast *broadcast;
	int ret;

	ret = torus_broadcast_start(job, root, along, data, length, &broadcast);
	if (ret)
		return ret;
	ret = torus_broadcast_wait(job, broadcast, timeout_ms ? timeout_ms : -1);
	if (ret && ret != -EBADMSG && ret != -EMSGSIZE)
		torus_broadcast_cancel(job, broadcast);
	return ret;
}
