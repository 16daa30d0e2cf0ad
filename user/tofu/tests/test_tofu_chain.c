// SPDX-License-Identifier: GPL-2.0
/*
 * Run chains of barrier gates on the core's gates with random events. Packets arrive in any order,
 * except that packets from one gate to another stay in order. Members enter and leave at random
 * times.
 */
#include "core/tests/rig.h"
#include "core/tests/draw.h"
#include "arch/tofu/gate.h"
#include "../chain.h"

#define OPERATIONS	100
#define MEMBERS_MAX	1000
#define NOBODY		TOFU_CHAIN_NONE

/*
 * A packet in flight. @next: next packet for the same gate, which has the same source. In an unused
 * entry, @next is the next unused entry.
 */
struct chain_flight {
	struct tofu_gate_packet packet;
	u32 next;
};

/* A set from which the next event is drawn. */
struct bag {
	u32 *items;
	u32 count;
};

struct member {
	struct net *net;
	struct tofu_gates gates;
	u64 vbgs[TOFU_CHAIN_GATES_MAX];
	u32 entered;		/* number of operations entered */
	u32 left;
};

/* Rule by which the next event is drawn. */
enum weather { ANY, PACKETS_FIRST, LATEST_FIRST, ENTER_FIRST, WEATHERS };

/*
 * A chain and its packets in flight. Destinations are numbered member * TOFU_GATES + gate.
 *
 * flights is a pool, and free is the list of its unused entries. first and last are the packets in
 * flight by destination. arriving has the destinations with packets, entering the members that may
 * enter, and leaving the members whose operation is complete. in counts by operation the members
 * that have entered.
 */
struct net {
	struct member *members;
	u32 count;
	u32 weather;
	struct chain_flight *flights;
	u32 free;
	u32 *first;
	u32 *last;
	struct bag arriving;
	struct bag entering;
	struct bag leaving;
	u32 in[OPERATIONS];
	u32 operations;
	u64 packets;
	u32 most_underway;
	const struct tofu_reduction *own;	/* inputs by operation and member; NULL: barriers */
	const struct tofu_reduction *want;	/* expected results by operation */
};

static void *array(size_t count, size_t bytes)
{
	void *made = calloc(count, bytes);

	assert_non_null(made);
	return made;
}

static void bag_put(struct bag *bag, u32 item)
{
	bag->items[bag->count++] = item;
}

static u32 bag_take(struct bag *bag, bool latest)
{
	u32 at = latest ? bag->count - 1 : draw_below(bag->count), item = bag->items[at];

	bag->items[at] = bag->items[--bag->count];
	return item;
}

/* Return the VBG id of a member's gate. Members are on the nodes of a row of groups. */
static u64 vbg_of(u32 member, u32 gate)
{
	u32 coords[TOFU_AXES] = { 0 };

	tofu_slot_coords(member % TOFU_GROUP, coords);
	coords[TOFU_X] = member / TOFU_GROUP;
	return tofu_vbg(coords, 3, gate);
}

static u32 member_of(u64 vbg)
{
	u32 coords[TOFU_AXES];

	assert_true(tofu_vbg_coords(vbg, coords));
	return coords[TOFU_X] * TOFU_GROUP + tofu_slot(coords);
}

static void net_send(void *context, const struct tofu_gate_packet *packet)
{
	struct member *member = context;
	struct net *net = member->net;
	u32 dest = member_of(packet->dest) * TOFU_GATES + tofu_vbg_gate(packet->dest);
	u32 flight = net->free;

	assert_int_not_equal(flight, NOBODY);
	net->free = net->flights[flight].next;
	net->flights[flight] = (struct chain_flight){ .packet = *packet, .next = NOBODY };
	if (net->first[dest] == NOBODY) {
		net->first[dest] = flight;
		bag_put(&net->arriving, dest);
	} else {
		net->flights[net->last[dest]].next = flight;
	}
	net->last[dest] = flight;
	net->packets++;
}

static void net_done(void *context, u32 gate)
{
	struct member *member = context;

	bag_put(&member->net->leaving, (u32)(member - member->net->members));
}

static const struct tofu_gate_ops net_ops = { .send = net_send, .done = net_done };

/* Allocate gates, exchange their ids and set them, as a library does. */
static void net_set(struct net *net)
{
	struct tofu_chain_gate chain[TOFU_CHAIN_GATES_MAX];
	u32 i, k, count;

	for (i = 0; i < net->count; i++) {
		struct member *member = &net->members[i];

		member->net = net;
		tofu_gates_init(&member->gates, vbg_of(i, 0), &net_ops, member);
		count = tofu_chain_gates(net->count, i);
		assert_int_equal(tofu_gates_alloc(&member->gates, count, member->vbgs),
				 TOFU_GATE_FINE);
		bag_put(&net->entering, i);
	}
	for (i = 0; i < net->count; i++) {
		const u64 *own = net->members[i].vbgs;

		count = tofu_chain_build(net->count, i, chain);
		for (k = 0; k < count; k++) {
			const struct tofu_chain_gate *g = &chain[k];
			struct tofu_gate_setting setting = {
				.gate = own[k], .local_source = TOFU_VBG_NULL,
				.remote_source = TOFU_VBG_NULL, .local_dest = TOFU_VBG_NULL,
				.remote_dest = TOFU_VBG_NULL, .path = TOFU_GATE_PATH_DEFAULT,
			};

			if (g->local_source != TOFU_CHAIN_NONE)
				setting.local_source = own[g->local_source];
			if (g->local_dest != TOFU_CHAIN_NONE)
				setting.local_dest = own[g->local_dest];
			if (g->remote_source.member != NOBODY)
				setting.remote_source = net->members[g->remote_source.member]
							.vbgs[g->remote_source.gate];
			if (g->remote_dest.member != NOBODY)
				setting.remote_dest = net->members[g->remote_dest.member]
						      .vbgs[g->remote_dest.gate];
			assert_int_equal(tofu_gates_set(&net->members[i].gates, &setting),
					 TOFU_GATE_FINE);
		}
	}
}

static void net_open(struct net *net, u32 count, u32 operations)
{
	u32 i, dests = count * TOFU_GATES, flights = count * 16;

	memset(net, 0, sizeof(*net));
	net->count = count;
	net->operations = operations;
	net->members = array(count, sizeof(*net->members));
	net->flights = array(flights, sizeof(*net->flights));
	net->first = array(dests, sizeof(u32));
	net->last = array(dests, sizeof(u32));
	net->arriving.items = array(dests, sizeof(u32));
	net->entering.items = array(count, sizeof(u32));
	net->leaving.items = array(count, sizeof(u32));
	for (i = 0; i < dests; i++)
		net->first[i] = NOBODY;
	for (i = 0; i < flights; i++)
		net->flights[i].next = i + 1 < flights ? i + 1 : NOBODY;
	net_set(net);
}

static void net_close(struct net *net)
{
	free(net->members);
	free(net->flights);
	free(net->first);
	free(net->last);
	free(net->arriving.items);
	free(net->entering.items);
	free(net->leaving.items);
}

static void net_deliver(struct net *net)
{
	u32 dest = bag_take(&net->arriving, net->weather == LATEST_FIRST && draw_below(8));
	u32 flight = net->first[dest], underway = 0, i;
	const struct tofu_gate_packet *packet = &net->flights[flight].packet;

	for (i = flight; i != NOBODY; i = net->flights[i].next)
		underway++;
	if (underway > net->most_underway)
		net->most_underway = underway;
	/* the gate would reject a second packet from one source */
	assert_int_equal(tofu_gates_deliver(&net->members[dest / TOFU_GATES].gates, packet),
			 TOFU_GATE_FINE);
	net->first[dest] = net->flights[flight].next;
	if (net->first[dest] != NOBODY)
		bag_put(&net->arriving, dest);
	net->flights[flight].next = net->free;
	net->free = flight;
}

static void net_enter(struct net *net)
{
	u32 number = bag_take(&net->entering, false);
	struct member *member = &net->members[number];
	u32 operation = member->entered++;

	net->in[operation]++;
	if (net->own) {
		const struct tofu_reduction *own = &net->own[operation * net->count + number];
		u64 values[TOFU_WORDS_MAX];

		tofu_reduce_values(own, values);
		assert_int_equal(tofu_gates_start(&member->gates, member->vbgs[0], own->op,
						  values, own->count), TOFU_GATE_FINE);
	} else {
		assert_int_equal(tofu_gates_start(&member->gates, member->vbgs[0],
						  TOFU_OP_BARRIER, NULL, 0), TOFU_GATE_FINE);
	}
}

/*
 * Let a member leave. Check that all members have entered, and that the result has the expected
 * bits.
 */
static void net_leave(struct net *net)
{
	u32 number = bag_take(&net->leaving, false);
	struct member *member = &net->members[number];
	struct tofu_reduction result;

	assert_int_equal(net->in[member->left], net->count);
	assert_int_equal(tofu_gates_poll(&member->gates, member->vbgs[0], &result),
			 TOFU_GATE_FINE);
	if (net->want) {
		const struct tofu_reduction *want = &net->want[member->left];
		u8 bytes[TOFU_REDUCE_BYTES_MAX], expected[TOFU_REDUCE_BYTES_MAX];

		assert_int_equal(tofu_reduce_bytes(&result), tofu_reduce_bytes(want));
		tofu_reduce_pack(&result, bytes);
		tofu_reduce_pack(want, expected);
		assert_memory_equal(bytes, expected, tofu_reduce_bytes(want));
	}
	member->left++;
	if (member->entered < net->operations)
		bag_put(&net->entering, number);
}

static void net_run(struct net *net)
{
	u32 i;

	for (;;) {
		u32 arriving = net->arriving.count, entering = net->entering.count;
		u32 leaving = net->leaving.count, draw;

		if (net->weather == PACKETS_FIRST && (arriving || leaving))
			entering = 0;
		if (net->weather == ENTER_FIRST && entering)
			arriving = 0;
		if (!(arriving + entering + leaving))
			break;
		draw = draw_below(arriving + entering + leaving);
		if (draw < arriving)
			net_deliver(net);
		else if (draw < arriving + entering)
			net_enter(net);
		else
			net_leave(net);
	}
	for (i = 0; i < net->count; i++)
		assert_int_equal(net->members[i].left, net->operations);
	assert_int_equal(net->packets, (u64)tofu_chain_packets(net->count) * net->operations);
}

/* Check figure 6: 16 members with four gates each; each gate sends one packet, 64 in total. */
static void test_figure(void **state)
{
	struct tofu_chain_gate gates[TOFU_CHAIN_GATES_MAX];
	struct net net;
	u32 i, k;

	assert_int_equal(tofu_chain_packets(16), 64);
	for (i = 0; i < 16; i++) {
		assert_int_equal(tofu_chain_build(16, i, gates), 4);
		for (k = 0; k < 4; k++) {
			assert_int_not_equal(gates[k].remote_source.member, NOBODY);
			assert_int_not_equal(gates[k].remote_dest.member, NOBODY);
		}
	}
	net_open(&net, 16, 1);
	net_run(&net);
	assert_int_equal(net.packets, 64);
	net_close(&net);
}

/*
 * Check that each source of a signal names its destination, and the destination names its source.
 */
static void test_ends_meet(void **state)
{
	static const u32 large[] = { 4095, 4096, 4097, 65535, 100000 };
	u32 n, i, k;

	for (n = 1; n <= MEMBERS_MAX + COUNT(large); n++) {
		u32 members = n <= MEMBERS_MAX ? n : large[n - MEMBERS_MAX - 1];
		struct tofu_chain_gate gates[TOFU_CHAIN_GATES_MAX], other[TOFU_CHAIN_GATES_MAX];
		u32 packets = 0, step = members > 64 ? 1 + draw_below(members / 32) : 1;

		for (i = 0; i < members; i += step) {
			u32 count = tofu_chain_build(members, i, gates);

			assert_in_range(count, 1, TOFU_CHAIN_GATES_MAX);
			assert_int_equal(count, tofu_chain_gates(members, i));
			for (k = 0; k < count; k++) {
				struct tofu_chain_peer to = gates[k].remote_dest;

				u32 next = gates[k].local_dest;

				if (next != TOFU_CHAIN_NONE)
					assert_int_equal(gates[next].local_source, k);
				if (to.member == NOBODY)
					continue;
				packets++;
				assert_in_range(to.gate, 0,
						tofu_chain_build(members, to.member, other) - 1);
				assert_int_equal(other[to.gate].remote_source.member, i);
				assert_int_equal(other[to.gate].remote_source.gate, k);
			}
		}
		if (step == 1)
			assert_int_equal(packets, tofu_chain_packets(members));
	}
	assert_int_equal(tofu_chain_gates(0, 0), 0);
	assert_int_equal(tofu_chain_gates(5, 5), 0);
	assert_int_equal(tofu_chain_gates(TOFU_CHAIN_MEMBERS_MAX + 1, 0), 0);
	assert_int_equal(tofu_chain_gates(TOFU_CHAIN_MEMBERS_MAX, 0), 24);
	assert_int_equal(tofu_chain_gates(TOFU_CHAIN_MEMBERS_MAX - 1, 0), TOFU_CHAIN_GATES_MAX);
	assert_int_equal(tofu_chain_packets(0), 0);
	assert_int_equal(tofu_chain_build(5, 7, NULL), 0);
}

/* Return the next size to run: all sizes, or about twenty of them. */
static u32 next_size(u32 size, bool all)
{
	static const u32 sizes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 23, 31, 33, 64, 97, 144,
				     200, 320, 511, MEMBERS_MAX };
	u32 i;

	if (all)
		return size + 1;
	for (i = 0; i < COUNT(sizes) && sizes[i] <= size; i++)
		continue;
	return i < COUNT(sizes) ? sizes[i] : MEMBERS_MAX + 1;
}

/* Check that no member leaves a barrier before the last one has entered, in any order of events. */
static void test_barriers(void **state)
{
	u32 size, most = 0;

	for (size = 1; size <= MEMBERS_MAX; size = next_size(size, rig_soak())) {
		struct net net;

		net_open(&net, size, OPERATIONS);
		net.weather = draw_below(WEATHERS);
		net_run(&net);
		most = net.most_underway > most ? net.most_underway : most;
		net_close(&net);
	}
	/* some packets arrived one operation early */
	assert_int_equal(most, 2);
}

/* Run a reduction of each operation and word count, with different values for each member. */
static void test_reductions(void **state)
{
	u32 size, i, k;

	for (size = 1; size <= MEMBERS_MAX; size = next_size(size, false)) {
		struct tofu_reduction *own = array(OPERATIONS * size, sizeof(*own));
		struct tofu_reduction want[OPERATIONS] = { 0 };
		u32 op, count, operations = 0;
		u64 values[TOFU_WORDS_MAX];
		struct net net;

		for (op = TOFU_OP_BARRIER; op < TOFU_OPS; op++) {
			for (count = 0; count <= TOFU_WORDS_MAX; count++) {
				struct tofu_reduction *one = &own[operations * size];

				if (tofu_reduce_judge(op, count))
					continue;
				for (i = 0; i < size; i++) {
					for (k = 0; k < count; k++)
						values[k] = draw() & ~(1ull << 62);
					tofu_reduce_set(&one[i], op, values, count);
					if (i)
						tofu_reduce_combine(&want[operations], &one[i]);
					else
						want[operations] = one[0];
				}
				operations++;
			}
		}
		net_open(&net, size, operations);
		net.weather = draw_below(WEATHERS);
		net.own = own;
		net.want = want;
		net_run(&net);
		net_close(&net);
		free(own);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figure),
		cmocka_unit_test(test_ends_meet),
		cmocka_unit_test(test_barriers),
		cmocka_unit_test(test_reductions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
