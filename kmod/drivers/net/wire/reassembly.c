// SPDX-License-Identifier: GPL-2.0
/*
 * Reassembly: fragments become datagrams again.
 *
 * The fragments of a sender arrive in order, so that there is one incomplete datagram per sender,
 * and a fragment that is not the next one shows that fragments were lost. A broken datagram stays
 * until its last fragment or the next datagram arrives, so that it is counted once; it may expire
 * or be evicted before, like any incomplete datagram. A datagram is not counted as lost if neither
 * its first nor its last fragment arrives.
 */
#include "reassembly.h"

/* Return: the place of the pointer to a sender's datagram; *place is NULL if there is none. */
static struct torus_net_partial **reassembly_place(struct torus_net_reassembly *r, u32 source)
{
	struct torus_net_partial **place =
		&r->heads[torus_mix(source) % TORUS_NET_REASSEMBLY_HEADS];

	while (*place && (*place)->source != source)
		place = &(*place)->hash;
	return place;
}

/* Take a datagram out of the hash chain and the list. */
static void reassembly_unlink(struct torus_net_reassembly *r, struct torus_net_partial *partial)
{
	*reassembly_place(r, partial->source) = partial->hash;
	if (partial->older)
		partial->older->younger = partial->younger;
	else
		r->oldest = partial->younger;
	if (partial->younger)
		partial->younger->older = partial->older;
	else
		r->youngest = partial->older;
	r->bytes -= partial->cost;
}

static void reassembly_link(struct torus_net_reassembly *r, struct torus_net_partial *partial)
{
	struct torus_net_partial **place = reassembly_place(r, partial->source);

	partial->hash = NULL;
	*place = partial;
	partial->younger = NULL;
	partial->older = r->youngest;
	if (r->youngest)
		r->youngest->younger = partial;
	else
		r->oldest = partial;
	r->youngest = partial;
	r->bytes += partial->cost;
	if (r->bytes > r->peak)
		r->peak = r->bytes;
}

static void reassembly_discard(struct torus_net_reassembly *r, struct torus_net_partial *partial,
			       u64 *count)
{
	reassembly_unlink(r, partial);
	r->ops->free(r->owner, partial);
	(*count)++;
}

/**
 * torus_net_reassembly_init() - initialize
 * @r: [out] no datagrams
 * @ops: memory of datagrams
 * @owner: first argument of @ops
 * @size: bytes of each fragment of a datagram but the last one
 */
void torus_net_reassembly_init(struct torus_net_reassembly *r,
			       const struct torus_net_buffer_ops *ops, void *owner, u32 size)
{
	memset(r, 0, sizeof(*r));
	r->ops = ops;
	r->owner = owner;
	r->size = size;
}

/* Begin a datagram. Return: NULL if there is no memory. */
static struct torus_net_partial *reassembly_begin(struct torus_net_reassembly *r,
						  const struct torus_net_fragment *fragment)
{
	struct torus_net_partial *partial;

	while (r->oldest && r->bytes > TORUS_NET_REASSEMBLY_BYTES - TORUS_NET_DATAGRAM_COST)
		reassembly_discard(r, r->oldest, &r->counts.evicted);
	partial = r->ops->alloc(r->owner, fragment->length);
	if (!partial) {
		r->counts.no_memory++;
		return NULL;
	}
	partial->source = fragment->source;
	partial->id = fragment->id;
	partial->next = 0;
	partial->length = fragment->length;
	partial->ipv6 = fragment->ipv6;
	partial->broken = false;
	reassembly_link(r, partial);
	return partial;
}

/*
 * Find the datagram of a fragment. Return: NULL if there is none. A sender whose datagram is not
 * complete when the next one begins has lost a fragment.
 */
static struct torus_net_partial *reassembly_find(struct torus_net_reassembly *r,
						 const struct torus_net_fragment *fragment)
{
	struct torus_net_partial *partial = *reassembly_place(r, fragment->source);

	if (partial && (!fragment->index || partial->id != fragment->id)) {
		reassembly_discard(r, partial, &r->counts.lost);
		partial = NULL;
	}
	if (!fragment->index)
		return reassembly_begin(r, fragment);
	if (!partial) {
		r->counts.strays++;
		/*
		 * The beginning was lost: count the datagram at its end. If the datagram was
		 * discarded before, it is counted twice.
		 */
		if (fragment->last)
			r->counts.lost++;
	}
	return partial;
}

/**
 * torus_net_reassembly_add() - add a fragment
 * @r: the incomplete datagrams
 * @fragment: its header
 * @data: its bytes, and those that fill up the packet
 * @bytes: number of bytes at @data
 * @now: the time in milliseconds
 *
 * Return: the datagram that is complete now, which belongs to the caller; NULL if there is none.
 */
struct torus_net_partial *torus_net_reassembly_add(struct torus_net_reassembly *r,
						   const struct torus_net_fragment *fragment,
						   const u8 *data, u32 bytes, u32 now)
{
	struct torus_net_partial *partial = reassembly_find(r, fragment);
	u32 size = r->size, expected;

	if (!partial)
		return NULL;
	partial->since = now;
	expected = torus_net_fragment_bytes(partial->length, size, fragment->index);
	if (partial->next != fragment->index || bytes < expected)
		partial->broken = true;
	if (!partial->broken) {
		memcpy(partial->data + partial->next * size, data, expected);
		partial->next++;
		if (partial->next < torus_net_fragments(partial->length, size))
			return NULL;
		reassembly_unlink(r, partial);
		return partial;
	}
	if (fragment->last)
		reassembly_discard(r, partial, &r->counts.lost);
	return NULL;
}

/**
 * torus_net_reassembly_expire() - discard datagrams whose fragments no longer arrive
 * @r: the incomplete datagrams
 * @now: the time in milliseconds
 */
void torus_net_reassembly_expire(struct torus_net_reassembly *r, u32 now)
{
	struct torus_net_partial *partial = r->oldest, *younger;

	for (; partial; partial = younger) {
		younger = partial->younger;
		if (now - partial->since >= TORUS_NET_REASSEMBLY_MS)
			reassembly_discard(r, partial, &r->counts.expired);
	}
}

/**
 * torus_net_reassembly_clear() - free all incomplete datagrams, without counting them
 * @r: the incomplete datagrams
 */
void torus_net_reassembly_clear(struct torus_net_reassembly *r)
{
	u64 unused = 0;

	while (r->oldest)
		reassembly_discard(r, r->oldest, &unused);
}
