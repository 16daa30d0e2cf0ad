// SPDX-License-Identifier: GPL-2.0
/*
 * The pattern timed:FILE: supply the sources of a fabric with packets from a file.
 *
 * The run stops at a tick, the horizon, before which all packets have been read. There the leader
 * reads BATCH further packets, or more until one has a later tick, and the tick of the last one is
 * the next horizon. So horizons follow from the file alone, and the result does not depend on
 * domains and threads. Between two horizons, the threads of the run take packets from the lists of
 * their own nodes only.
 *
 * Each stream of a node has a list of packets that were read and not sent. The packets of all lists
 * share one array of slabs. A thread that has sent a packet only advances the head of its list. The
 * leader collects the packets before the heads, so the array needs no lock.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/node_number.h"
#include "core/state/domain.h"
#include "../base/message.h"
#include "../base/signals.h"
#include "timed.h"

#define BATCH		16384u
#define PACKETS_MAX	(SIM_TIMED_WAITING_MAX + BATCH)
#define SLAB_PACKETS	4096u
#define SLABS_MAX	((PACKETS_MAX + SLAB_PACKETS - 1) / SLAB_PACKETS)
#define NONE		0xffffffffu

/* A packet in the list of a stream. */
struct entry {
	struct torus_timed_packet packet;
	u32 next;
};

/**
 * struct list - packets of a stream, in the order of their numbers
 * @first: oldest packet whose entry was not collected, or NONE
 * @head: packet that the stream sends next, or NONE
 * @tail: last packet, if there is a head
 * @taken: the core has the head, but has not sent it
 * @sent: number of packets that were sent
 */
struct list {
	u32 first;
	u32 head;
	u32 tail;
	bool taken;
	u64 sent;
};

/**
 * struct sim_timed - a file of packets and the packets that were read and not sent
 * @timed: interface for the core
 * @file: the file
 * @fabric: the fabric
 * @lists: array with a list for each stream; NULL before the first packet
 * @nlists: number of lists
 * @numbers: array with the number of packets that were read, by node
 * @slabs: memory of the packets
 * @nslabs: number of slabs
 * @free: list of unused entries
 * @read: number of packets that were read
 * @last: number of these packets with the tick of the last one
 * @horizon: tick at which the next packets are read
 * @ended: the file has no more packets
 * @complete: all packets were read, and the last horizon was reached
 * @chunks_min: smallest size of a packet
 * @chunks_max: largest size of a packet
 */
struct sim_timed {
	struct torus_timed timed;
	struct sim_timed_file file;
	struct torus_fabric *fabric;
	struct list *lists;
	size_t nlists;
	u64 *numbers;
	struct entry *slabs[SLABS_MAX];
	u32 nslabs;
	u32 free;
	u64 read;
	u64 last;
	u64 horizon;
	bool ended;
	bool complete;
	u32 chunks_min;
	u32 chunks_max;
};

static struct entry *entry_at(const struct sim_timed *timed, u32 index)
{
	return &timed->slabs[index / SLAB_PACKETS][index % SLAB_PACKETS];
}

/* ------------------------------------------------------- interface for the core */

static bool timed_next(struct torus_timed *interface, u32 stream,
		       struct torus_timed_packet *packet)
{
	struct sim_timed *timed = (struct sim_timed *)interface;
	struct list *list = &timed->lists[stream];
	const struct entry *entry;

	if (list->taken) {
		list->sent++;
		list->head = entry_at(timed, list->head)->next;
		list->taken = false;
	}
	if (list->head == NONE)
		return false;
	entry = entry_at(timed, list->head);
	list->taken = true;
	*packet = entry->packet;
	return true;
}

static void timed_backlog(const struct torus_timed *interface, u32 stream, u64 now,
			  struct torus_timed_backlog *backlog)
{
	const struct sim_timed *timed = (const struct sim_timed *)interface;
	const struct list *list = timed->lists ? &timed->lists[stream] : NULL;
	u32 at;

	*backlog = (struct torus_timed_backlog){ .sent = list ? list->sent : 0 };
	for (at = list ? list->head : NONE; at != NONE; at = entry_at(timed, at)->next) {
		const struct torus_timed_packet *packet = &entry_at(timed, at)->packet;

		if (packet->at >= now)
			break;
		backlog->waiting++;
		backlog->waiting_chunks += packet->chunks;
	}
}

/* ------------------------------------------------------------------------ lists */

/* Collect the entries of packets that a stream has sent. */
static void collect(struct sim_timed *timed, struct list *list)
{
	struct entry *entry;
	u32 at;

	for (at = list->first; at != list->head; at = list->first) {
		entry = entry_at(timed, at);
		list->first = entry->next;
		entry->next = timed->free;
		timed->free = at;
	}
}

/*
 * Make sure that there is a free entry. If few packets have been sent since the last call, add a
 * slab, so that the lists are searched once for thousands of packets.
 */
static bool reserve(struct sim_timed *timed)
{
	u32 at, found = 0, first = timed->nslabs * SLAB_PACKETS;
	struct entry *slab;
	size_t i;

	if (timed->free != NONE)
		return true;
	for (i = 0; i < timed->nlists; i++)
		collect(timed, &timed->lists[i]);
	for (at = timed->free; at != NONE && found < SLAB_PACKETS; found++)
		at = entry_at(timed, at)->next;
	if (found == SLAB_PACKETS || timed->nslabs == SLABS_MAX)
		return timed->free != NONE;
	slab = malloc(SLAB_PACKETS * sizeof(*slab));
	if (!slab)
		return timed->free != NONE;
	timed->slabs[timed->nslabs++] = slab;
	for (i = 0; i < SLAB_PACKETS; i++) {
		slab[i].next = timed->free;
		timed->free = first + (u32)i;
	}
	return true;
}

/* Add a packet to the list of its stream. Return false without memory. */
static bool add(struct sim_timed *timed, u32 node, const struct torus_timed_packet *packet)
{
	u32 stream = torus_timed_stream(timed->fabric, node, packet), at;
	struct list *list = &timed->lists[stream];
	struct entry *entry;

	collect(timed, list);
	if (!reserve(timed))
		return false;
	at = timed->free;
	entry = entry_at(timed, at);
	timed->free = entry->next;
	*entry = (struct entry){ .packet = *packet, .next = NONE };
	if (list->head == NONE) {
		list->first = at;
		list->head = at;
	} else {
		entry_at(timed, list->tail)->next = at;
	}
	list->tail = at;
	torus_timed_added(timed->fabric, node, stream);
	return true;
}

/* ---------------------------------------------------------------------- feeding */

/* Allocate the lists. The workload, which determines their number, must have been started. */
static int make_lists(struct sim_timed *timed)
{
	u32 nodes = timed->fabric->nodes;
	size_t i;

	timed->nlists = (size_t)nodes * torus_timed_streams(timed->fabric);
	timed->lists = calloc(timed->nlists, sizeof(*timed->lists));
	timed->numbers = calloc(nodes, sizeof(*timed->numbers));
	if (!timed->lists || !timed->numbers)
		return sim_error("%s: out of memory for the sources of %u nodes",
				 timed->file.name, nodes);
	for (i = 0; i < timed->nlists; i++)
		timed->lists[i] = (struct list){ .first = NONE, .head = NONE };
	return SIM_OK;
}

/* Count the packets that were read and not sent. */
static u64 pending(const struct sim_timed *timed)
{
	u64 sent = 0;
	u32 i;

	for (i = 0; i < timed->fabric->ndomains; i++)
		sent += timed->fabric->domain[i].stats.injected;
	return timed->read - sent;
}

/* Note that the file has ended. The last horizon is the tick after the last packet. */
static int end_file(struct sim_timed *timed)
{
	if (!timed->read)
		return sim_reject("%s: must contain at least one packet, TICK SOURCE DESTINATION "
				  "BYTES", timed->file.name);
	timed->ended = true;
	timed->last = 0;
	timed->horizon = timed->file.tick + 1;
	return SIM_OK;
}

/* Read the next packet and add it to its list. */
static int feed_one(struct sim_timed *timed)
{
	u64 before = timed->file.tick;
	struct torus_timed_packet packet;
	bool found;
	u32 node;
	int status = sim_timed_file_next(&timed->file, &node, &packet, &found);

	if (status)
		return status;
	if (!found)
		return sim_interrupted() ? SIM_OK : end_file(timed);
	packet.number = timed->numbers[node]++;
	timed->last = packet.at > before ? 1 : timed->last + 1;
	timed->read++;
	if (packet.chunks < timed->chunks_min || !timed->chunks_min)
		timed->chunks_min = packet.chunks;
	if (packet.chunks > timed->chunks_max)
		timed->chunks_max = packet.chunks;
	return add(timed, node, &packet) ? SIM_OK :
	       sim_error("%s: out of memory for packets that wait", timed->file.name);
}

/**
 * sim_timed_feed - read further packets if the fabric has reached the horizon
 * @timed: the packets; their workload must have been started, and no run may be in progress
 * @full: [out] true if more than SIM_TIMED_WAITING_MAX packets wait at their sources
 *
 * Packets of the current tick count as waiting, too, if they must be read in several parts.
 *
 * Return: SIM_OK; SIM_USAGE or SIM_FAILED after an error message.
 */
int sim_timed_feed(struct sim_timed *timed, bool *full)
{
	u64 now = torus_fabric_clock(timed->fabric), waiting, added;
	int status = timed->lists ? SIM_OK : make_lists(timed);

	*full = false;
	if (status || timed->complete || now < timed->horizon)
		return status;
	waiting = pending(timed);
	*full = waiting > SIM_TIMED_WAITING_MAX + timed->last;
	timed->complete = timed->ended;
	if (*full || timed->complete)
		return SIM_OK;
	for (added = 0; !timed->ended && !sim_interrupted() &&
	     (added < BATCH || timed->file.tick <= now); added++) {
		*full = waiting + added == PACKETS_MAX;
		status = *full ? SIM_OK : feed_one(timed);
		if (status || *full)
			return status;
	}
	if (!timed->ended)
		timed->horizon = timed->file.tick;
	return SIM_OK;
}

/**
 * sim_timed_next - return the tick at which the run must stop for sim_timed_feed()
 * @timed: the packets
 *
 * Return: the tick; 0 if sim_timed_feed() has found that no packets are left.
 */
u64 sim_timed_next(const struct sim_timed *timed)
{
	return timed->complete ? 0 : timed->horizon;
}

/**
 * sim_timed_share - share of the file that was read, for progress reports
 * @timed: the packets
 *
 * Return: 0 to 1.
 */
double sim_timed_share(const struct sim_timed *timed)
{
	return sim_timed_file_share(&timed->file);
}

/**
 * sim_timed_report - report that too many packets wait
 * @timed: the packets, after sim_timed_feed() has found this
 *
 * Return: SIM_FAILED.
 */
int sim_timed_report(const struct sim_timed *timed)
{
	const struct torus_fabric *fabric = timed->fabric;
	u32 streams = torus_timed_streams(fabric), node, i, busiest = 0;
	u64 most = 0, waiting;

	for (node = 0; node < fabric->nodes; node++) {
		waiting = timed->numbers[node];
		for (i = 0; i < streams; i++)
			waiting -= timed->lists[(size_t)node * streams + i].sent;
		if (waiting <= most)
			continue;
		most = waiting;
		busiest = node;
	}
	return sim_error("%s: more than %u packets wait at their sources at tick %llu; the busiest "
			 "source is node %u, with %llu packets", timed->file.name,
			 SIM_TIMED_WAITING_MAX, torus_fabric_clock(fabric),
			 torus_node_number(&fabric->cfg.geo, busiest), most);
}

/**
 * sim_timed_totals - store the number and the sizes of the packets that were read
 * @timed: the packets, at least one of which was read
 * @traffic: [in, out] the workload
 */
void sim_timed_totals(const struct sim_timed *timed, struct torus_traffic *traffic)
{
	traffic->packets = timed->read;
	traffic->size_min = timed->chunks_min * timed->fabric->arch->chunk_bytes;
	traffic->size_max = timed->chunks_max * timed->fabric->arch->chunk_bytes;
}

/**
 * sim_timed_begin - open a file of packets, and make it the supplier of a fabric's workload
 * @timed: [out] the packets; sim_timed_end() must follow, also after an error
 * @name: name of the file, which must outlive @timed; "-" is standard input
 * @fabric: a fabric without a workload
 *
 * Return: SIM_OK; SIM_USAGE or SIM_FAILED after an error message.
 */
int sim_timed_begin(struct sim_timed **timed, const char *name, struct torus_fabric *fabric)
{
	int status;

	*timed = calloc(1, sizeof(**timed));
	if (!*timed)
		return sim_error("%s: out of memory for its packets", name);
	**timed = (struct sim_timed){
		.timed = { .next = timed_next, .backlog = timed_backlog },
		.fabric = fabric, .free = NONE,
	};
	status = sim_timed_file_open(&(*timed)->file, name, fabric);
	if (!status)
		torus_traffic_timed(fabric, &(*timed)->timed);
	return status;
}

/**
 * sim_timed_end - close the file and free the packets
 * @timed: the packets, or NULL; no run may follow
 */
void sim_timed_end(struct sim_timed *timed)
{
	u32 i;

	if (!timed)
		return;
	torus_traffic_timed(timed->fabric, NULL);
	sim_timed_file_close(&timed->file);
	for (i = 0; i < timed->nslabs; i++)
		free(timed->slabs[i]);
	free(timed->lists);
	free(timed->numbers);
	free(timed);
}
