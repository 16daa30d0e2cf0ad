// SPDX-License-Identifier: GPL-2.0
/*
 * Tofu saturated by packets of software of each size and by gets. Requests and replies take all
 * paths, from nodes with both orders of the axes. No deadlock occurs, and all packets arrive. The
 * test sends a million packets, with TORUS_SOAK=1 ten million.
 */
#include <stdlib.h>

#include "arch/tofu/engine.h"
#include "arch/tofu/header.h"
#include "core/tests/rig.h"

#define SHAPE		"4x2x2"
#define TNIS		4u
#define GETS		600	/* gets per node */
#define GET_MAX		10000	/* maximum bytes of a get */
#define OTHERS	5	/* packets of software before each get */
#define OFFSET_MASK	((1ull << TORUS_STADD_BITS) - 1)

/**
 * struct mixed_member - a program that sends to all other nodes, and gets from them, as fast as it
 *   can
 * @f: the fabric
 * @node: index of the program's node
 * @gets: number of gets that it posts
 * @next: number of the next get, by engine
 * @others: packets of software since the last get, by engine
 * @sent: number of packets of software that it has sent
 * @received: number of packets of software that it has received
 * @bytes: number of bytes that gets have returned
 * @wanted: number of bytes that gets have requested
 * @ended: number of gets that have ended
 */
struct mixed_member {
	struct torus_fabric *f;
	u32 node;
	u32 gets;
	u32 next[TNIS];
	u32 others[TNIS];
	u64 sent;
	u64 received;
	u64 bytes;
	u64 wanted;
	u32 ended;
};

/* A get: the peer, the offset in its memory, and the length. */
struct get {
	u32 peer;
	u32 from;
	u32 length;
};

static struct get get_of(const struct mixed_member *own, u32 number)
{
	u64 rng = torus_random_seed(3, own->node, number);
	u32 peer = (u32)(torus_random(&rng) % (own->f->nodes - 1));

	return (struct get){
		.peer = peer + (peer >= own->node),
		.from = (u32)(torus_random(&rng) % 5000),
		.length = 1 + (u32)(torus_random(&rng) % GET_MAX),
	};
}

static u8 pattern[1 << 16];

/* Return the contents of a node's memory and packets, a function of node and offset. */
static const u8 *bytes_of(u32 node, u32 at)
{
	return &pattern[node * 97 + at];
}

/*
 * Make a packet of software of 32 to 2048 bytes to a random node; the fabric's policy selects the
 * path.
 */
static u32 pull_software(struct mixed_member *own, u32 room, u8 *bytes, u32 *number)
{
	u64 rng = torus_random_seed(4, own->node, own->sent);
	u32 chunks = 1 + (u32)(torus_random(&rng) % TOFU_PACKET_CHUNKS);
	struct tofu_header h = {
		.fifo = TORUS_TOFU_FIFO_ANY, .path = TORUS_TOFU_PATH_ANY, .chunks = (u8)chunks,
		.sw = (u16)own->node,
	};

	if (room < chunks)
		return 0;
	torus_geometry_coords(&own->f->cfg.geo, (u32)(torus_random(&rng) % own->f->nodes), h.dest);
	tofu_header_pack(&h, bytes);
	memcpy(bytes + TORUS_TOFU_HEADER_BYTES, bytes_of(own->node, 0),
	       chunks * TOFU_CHUNK_BYTES - TORUS_TOFU_HEADER_BYTES);
	*number = (u32)own->sent++;
	return chunks;
}

static u32 pull_get(struct mixed_member *own, u32 fifo, u32 room, u8 *bytes, u32 *number)
{
	struct tofu_header h = {
		.fifo = TORUS_TOFU_FIFO_GATE, .chunks = TORUS_TOFU_COMMAND_CHUNKS,
		.sw = TORUS_TOFU_KIND_COMMAND << TORUS_TOFU_KIND_SHIFT,
		.path = (u8)(own->next[fifo] / TNIS % TOFU_PATHS),
	};
	struct torus_tofu_command c = {
		.op = TORUS_TOFU_GET, .peer_engine = (u8)fifo, .flags = TORUS_TOFU_TELL_LOCAL,
	};
	struct get get;

	if (room < TORUS_TOFU_COMMAND_CHUNKS)
		return 0;
	*number = own->next[fifo];
	own->next[fifo] += TNIS;
	own->others[fifo] = 0;
	get = get_of(own, *number);
	torus_geometry_coords(&own->f->cfg.geo, get.peer, h.dest);
	c.local = (u64)*number << TORUS_STADD_BITS;
	c.remote = get.from;
	c.length = get.length;
	own->wanted += get.length;
	tofu_header_pack(&h, bytes);
	memcpy(bytes + TORUS_TOFU_HEADER_BYTES, &c, sizeof(c));
	return TORUS_TOFU_COMMAND_CHUNKS;
}

static u32 member_pull(void *client, u32 fifo, u32 room, u8 *bytes, u32 *number)
{
	struct mixed_member *own = client;
	u32 chunks;

	if (fifo >= TNIS || own->next[fifo] >= own->gets)
		return 0;
	if (own->others[fifo] == OTHERS)
		return pull_get(own, fifo, room, bytes, number);
	chunks = pull_software(own, room, bytes, number);
	own->others[fifo] += chunks > 0;
	return chunks;
}

static void member_refused(void *client, u32 fifo, u32 code)
{
	fail_msg("get rejected: code %u", code);
}

static void member_accepted(void *client, u32 fifo)
{
}

static void member_notify(void *client)
{
}

static bool member_push(void *client, u32 fifo, const u8 *bytes, u32 chunks)
{
	struct mixed_member *own = client;
	struct torus_tofu_notice notice;
	struct tofu_header h;

	tofu_header_unpack(&h, bytes);
	if (h.fifo == TORUS_TOFU_FIFO_GATE) {
		memcpy(&notice, bytes + TORUS_TOFU_HEADER_BYTES, sizeof(notice));
		assert_int_equal(notice.type, TORUS_TOFU_LCL_GET);
		assert_int_equal(notice.code, TORUS_TOFU_FINE);
		own->ended++;
		return true;
	}
	assert_memory_equal(bytes + TORUS_TOFU_HEADER_BYTES, bytes_of(h.sw, 0),
			    chunks * TOFU_CHUNK_BYTES - TORUS_TOFU_HEADER_BYTES);
	own->received++;
	return true;
}

/*
 * Serve a memory access: a read returns the function of node and offset, a write of a get's reply
 * is compared with it.
 */
static u32 member_memory(void *client, struct torus_access *access)
{
	struct mixed_member *own = client;
	struct get get;

	if (access->op == TORUS_ACCESS_READ) {
		memcpy(access->bytes, bytes_of(own->node, (u32)access->start + access->at),
		       access->length);
	} else if (access->length) {
		get = get_of(own, (u32)(access->start >> TORUS_STADD_BITS));
		assert_int_equal(access->start & OFFSET_MASK, 0);
		assert_memory_equal(access->bytes, bytes_of(get.peer, get.from + access->at),
				    access->length);
		own->bytes += access->length;
	}
	return TORUS_ACCESS_FINE;
}

static const struct torus_nic_ops member_ops = {
	.pull = member_pull,
	.refused = member_refused,
	.accepted = member_accepted,
	.push = member_push,
	.notify = member_notify,
	.memory = member_memory,
};

static void member_join(struct mixed_member *own, struct torus_fabric *f, u32 node, u32 gets)
{
	struct torus_error err;
	u32 fifo, generation;

	*own = (struct mixed_member){ .f = f, .node = node, .gets = gets };
	for (fifo = 0; fifo < TNIS; fifo++)
		own->next[fifo] = fifo;
	if (torus_nic_attach(f, node, 0, false, &member_ops, own, &generation, &err))
		fail_msg("%s", err.text);
}

static void test_mixed(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", SHAPE, "path=roundrobin");
	struct mixed_member *member = calloc(f->nodes, sizeof(*member));
	u32 node, at, more = rig_soak() ? 10 : 1;
	u64 sent = 0, received = 0;
	struct torus_stats stats;

	for (at = 0; at < COUNT(pattern); at++)
		pattern[at] = (u8)torus_mix(at);
	for (node = 0; node < f->nodes; node++)
		member_join(&member[node], f, node, more * GETS);
	rig_settle(f);
	torus_stats_sum(f, &stats);
	for (node = 0; node < f->nodes; node++) {
		const struct mixed_member *own = &member[node];

		assert_int_equal(own->ended, own->gets);
		assert_int_equal(own->bytes, own->wanted);
		sent += own->sent;
		received += own->received;
		torus_nic_detach(f, node, 0);
	}
	printf("%llu packets, of them %llu of software's\n", (unsigned long long)stats.delivered,
	       (unsigned long long)sent);
	assert_int_equal(received, sent);
	assert_int_equal(stats.delivered, stats.injected);
	assert_true(stats.delivered >= more * 1000000ull);
	rig_empty(f);
	free(member);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mixed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
