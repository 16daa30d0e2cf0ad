// SPDX-License-Identifier: GPL-2.0
/* Let each allocation of a netlink request fail in turn (see alloc_fail.h). */
#include "alloc_fail.h"
#include "../user/netlink/job.h"
#include "../user/netlink/link.h"
#include "../user/netlink/reg.h"
#include "../user/netlink/route.h"
#include "../user/netlink/traffic.h"

static void *image;		/* a copy of the routing tables */
static size_t image_bytes;

static int undo_add(struct torus_nl *nl)
{
	return torus_nl_fabric_del(nl, FABRIC);
}

static int ask_set(struct torus_nl *nl, const void *arg)
{
	const struct torus_nl_param param = { .key = "nice", .value = 3 };

	return torus_nl_fabric_set(nl, FABRIC, &param, 1);
}

static int ask_reset(struct torus_nl *nl, const void *arg)
{
	return torus_nl_fabric_reset(nl, FABRIC);
}

static int ask_fabric(struct torus_nl *nl, const void *arg)
{
	struct torus_nl_fabric fabric;

	return torus_nl_fabric_get(nl, FABRIC, &fabric);
}

static int ask_counters(struct torus_nl *nl, const void *arg)
{
	struct torus_fabric_counters counters;

	return torus_nl_counter_get(nl, FABRIC, &counters);
}

static int ask_traffic(struct torus_nl *nl, const void *arg)
{
	return torus_nl_traffic_start(nl, FABRIC, arg, NULL);
}

static int undo_traffic(struct torus_nl *nl)
{
	int ret = torus_nl_traffic_stop(nl, FABRIC);

	return torus_nl_fabric_reset(nl, FABRIC) ?: ret;
}

static int traffic_begun(void)
{
	static const struct torus_traffic traffic = {
		.pattern = TORUS_PATTERN_NEIGHBOR, .size_min = 32, .size_max = 32, .packets = 1,
	};

	undo_traffic(w.nl);
	return torus_nl_traffic_start(w.nl, FABRIC, &traffic, NULL);
}

static int ask_progress(struct torus_nl *nl, const void *arg)
{
	struct torus_nl_progress progress;

	return torus_nl_traffic_get(nl, FABRIC, &progress);
}

static int ask_table(struct torus_nl *nl, const void *arg)
{
	static const struct torus_pair pairs[] = { { 0, 1, 1, 0 }, { 5, 6, 3, 0 }, { 7, 0, 2, 0 } };
	const struct torus_traffic traffic = {
		.pattern = TORUS_PATTERN_TABLE, .size_min = 256, .size_max = 256, .packets = 2,
	};

	return torus_nl_traffic_pairs(nl, FABRIC, pairs, ARRAY_SIZE(pairs)) ?:
	       torus_nl_traffic_start(nl, FABRIC, &traffic, NULL);
}

static int ask_routes(struct torus_nl *nl, const void *arg)
{
	return torus_nl_route_load(nl, FABRIC, image, image_bytes, arg);
}

static int routes_loaded(void)
{
	return torus_nl_route_load(w.nl, FABRIC, image, image_bytes, NULL);
}

static int ask_image(struct torus_nl *nl, const void *arg)
{
	void *got;
	size_t bytes;
	int ret = torus_nl_route_get(nl, FABRIC, &got, &bytes);

	if (!ret)
		free(got);
	return ret;
}

/* Schedule a fault on every link at a future tick: each fault waits in a list. */
static int ask_link(struct torus_nl *nl, const void *arg)
{
	const struct torus_nl_link link = {
		.at_ticks = 1000000, .for_ticks = 10,
		.present = TORUS_NL_HAS(TORUS_A_LINK_STATE) | TORUS_NL_HAS(TORUS_A_LINK_AT) |
			   TORUS_NL_HAS(TORUS_A_LINK_FOR),
	};

	return torus_nl_link_set(nl, FABRIC, &link);
}

/* Change one attribute of a node: owner, partition or state. @arg: the attribute. */
static int ask_node(struct torus_nl *nl, const void *arg)
{
	const struct torus_nl_node node = {
		.node = 1, .uid = 1000, .partition = 3, .state = TORUS_NODE_FAILED,
		.present = TORUS_NL_HAS(*(const int *)arg),
	};

	return torus_nl_node_set(nl, FABRIC, &node);
}

static int ask_reg(struct torus_nl *nl, const void *arg)
{
	return torus_nl_reg_write(nl, FABRIC, 0, 0, 0);
}

static int ask_job(struct torus_nl *nl, const void *arg)
{
	static __u32 nodes[] = { 3, 1, 2 };
	const struct torus_nl_job job = { .name = "job", .count = 3, .nodes = nodes };

	return torus_nl_job_add(nl, FABRIC, &job);
}

static int undo_job(struct torus_nl *nl)
{
	return torus_nl_job_del(nl, FABRIC, "job");
}

static int take_any(const struct torus_nl_reply *reply, void *item)
{
	return 0;
}

static int ask_dump(struct torus_nl *nl, const void *arg)
{
	const enum torus_cmd cmd = *(const enum torus_cmd *)arg;
	struct torus_nl_list list = { .size = 1, .parse = take_any };
	bool keys = cmd == TORUS_CMD_PARAM_GET, all = cmd == TORUS_CMD_FABRIC_GET;
	struct nl_msg *msg = torus_nl_message(nl, cmd, keys || all ? NULL : FABRIC);
	int ret;

	if (msg && keys)
		nla_put_string(msg, TORUS_A_ARCH, "bgl");
	ret = torus_nl_dump(nl, msg, &list);
	free(list.items);
	return ret;
}

TEST_F_TIMEOUT(failslab, add, 3600)
{
	if (!self->able)
		SKIP(return, NO_FAULTS);
	TRIALS({ .what = "add bgl", .ask = ask_add, .undo = undo_add, .arg = &bgl },
	       { .what = "add xt", .ask = ask_add, .undo = undo_add, .arg = &xt },
	       { .what = "add tofu", .ask = ask_add, .undo = undo_add, .arg = &tofu },
	       { .what = "add kncube", .ask = ask_add, .undo = undo_add, .arg = &kncube },
	       { .what = "add, time virtual", .ask = ask_add, .undo = undo_add,
		 .arg = &in_virtual_time });
}

TEST_F_TIMEOUT(failslab, configure, 3600)
{
	static const int owner = TORUS_A_UID, partition = TORUS_A_PARTITION,
			 state = TORUS_A_NODE_STATE;

	if (!self->able)
		SKIP(return, NO_FAULTS);
	TRIALS({ .what = "set", .fabric = &bgl, .ask = ask_set },
	       { .what = "reset", .fabric = &bgl, .ask = ask_reset },
	       { .what = "link set", .fabric = &bgl, .ask = ask_link, .undo = undo_traffic },
	       { .what = "node owner", .fabric = &bgl, .ask = ask_node, .arg = &owner },
	       { .what = "node partition", .fabric = &bgl, .ask = ask_node, .arg = &partition },
	       { .what = "node state", .fabric = &bgl, .ask = ask_node, .undo = undo_traffic,
		 .arg = &state },
	       { .what = "reg write", .fabric = &bgl, .ask = ask_reg },
	       { .what = "job add", .fabric = &bgl, .ask = ask_job, .undo = undo_job });
}

TEST_F_TIMEOUT(failslab, traffic, 3600)
{
	static const struct torus_traffic open_loop = {
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = 64, .size_max = 256,
		.load = 1u << 30, .warmup = 100, .cycles = 1000,
	}, all = {
		.pattern = TORUS_PATTERN_ALLTOALL, .size_min = 256, .size_max = 256, .packets = 1,
	}, mixed = {
		.pattern = TORUS_PATTERN_PERMUTATION, .size_min = 32, .size_max = 32, .packets = 2,
	}, replied = {
		.pattern = TORUS_PATTERN_HOTSPOT, .size_min = 64, .size_max = 64, .packets = 1,
		.hots = 1, .share = ~0u, .reply = 32,
	};

	if (!self->able)
		SKIP(return, NO_FAULTS);
	TRIALS({ .what = "traffic uniform", .fabric = &bgl, .ask = ask_traffic,
	       .undo = undo_traffic, .arg = &open_loop },
	       { .what = "traffic alltoall", .fabric = &bgl, .ask = ask_traffic,
		 .undo = undo_traffic, .arg = &all },
	       { .what = "traffic permutation", .fabric = &bgl, .ask = ask_traffic,
		 .undo = undo_traffic, .arg = &mixed },
	       { .what = "traffic hotspot", .fabric = &bgl, .ask = ask_traffic,
		 .undo = undo_traffic, .arg = &replied },
	       { .what = "table", .fabric = &bgl, .ask = ask_table, .undo = undo_traffic },
	       { .what = "traffic get", .fabric = &bgl, .before = traffic_begun,
		 .ask = ask_progress, .undo = undo_traffic });
}

TEST_F_TIMEOUT(failslab, routes, 3600)
{
	static const __u64 later = 1000000;

	if (!self->able)
		SKIP(return, NO_FAULTS);
	ASSERT_EQ(0, system("torusctl fabric add " FABRIC " arch xt shape 2x2x1"));
	ASSERT_EQ(0, torus_nl_route_get(w.nl, FABRIC, &image, &image_bytes));
	ASSERT_EQ(0, torus_nl_fabric_del(w.nl, FABRIC));
	TRIALS({ .what = "routes", .fabric = &xt, .ask = ask_routes },
	       { .what = "routes at a tick", .fabric = &xt, .ask = ask_routes,
		 .undo = undo_traffic, .arg = &later },
	       { .what = "routes get", .fabric = &xt, .before = routes_loaded,
		 .ask = ask_image });
	free(image);
}

TEST_F_TIMEOUT(failslab, ask, 3600)
{
	static const enum torus_cmd dumps[] = {
		TORUS_CMD_FABRIC_GET, TORUS_CMD_NODE_GET, TORUS_CMD_REG_GET, TORUS_CMD_LINK_GET,
		TORUS_CMD_LINK_CHECK, TORUS_CMD_COUNTER_GET, TORUS_CMD_FAULT_GET,
		TORUS_CMD_CONTEXT_GET, TORUS_CMD_PARAM_GET, TORUS_CMD_JOB_GET,
	};
	size_t i;

	if (!self->able)
		SKIP(return, NO_FAULTS);
	TRIALS({ .what = "fabric get", .fabric = &bgl, .ask = ask_fabric },
	       { .what = "counters get", .fabric = &bgl, .ask = ask_counters });
	for (i = 0; i < ARRAY_SIZE(dumps); i++)
		TRIALS({ .what = "dump", .fabric = &bgl, .ask = ask_dump, .arg = &dumps[i] });
}

TEST_HARNESS_MAIN
