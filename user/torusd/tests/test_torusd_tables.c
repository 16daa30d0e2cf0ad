// SPDX-License-Identifier: GPL-2.0
/*
 * Test changes of tables on a simulated machine under load: each kind of change, packets lost by
 * cut cables, and injection that an administrator has stopped. Stubs answer torusd's requests to
 * the module. Each request for the number of packets in flight advances the simulated time.
 */
#include <stdlib.h>
#include <string.h>

#include "../cable.h"
#include "../inject_hold.h"
#include "../log.h"
#include "../table_update.h"
#include "core/link/dead_node.h"
#include "core/run/routing_tables.h"
#include "core/run/windows.h"
#include "core/tests/live_params.h"
#include "core/tests/rig.h"
#include "core/base/node_number.h"
#include "core/link/fault.h"
#include "core/run/watchdog.h"
#include "../../netlink/counter.h"
#include "../../netlink/link.h"
#include "../../netlink/route.h"
#include "../../route/xt/table_store.h"
#include "../torusd.h"

#define SHAPE	"4x4x4"
#define NODES	64u
#define STEP	3000	/* ticks per poll */
#define CUT	20000
#define STAND	40000	/* ticks after which a cut cable blocks as many packets as it can */
#define EACH	1500	/* packets per node */
#define DRAIN_MS	2000

/*
 * Words in torusd's log: tables were loaded, tables were changed, the drain timed out, packets were
 * lost.
 */
#define LOADED		"table loaded"
#define CHANGED		"table cable entries"
#define RESTLESS	"injection ms"
#define LOST		"packet cable lost"

/* State of the simulated module. */
static struct {
	struct torus_fabric *f;
	char inject[16];
	char said[2048];	/* log of torusd */
	uint64_t now_ms;
	uint64_t until;		/* tick up to which the network has been simulated */
	/*
	 * value of the injection that an administrator sets at the next request, whatever the
	 * current value is
	 */
	const char *meanwhile;
	/* value of the injection that an administrator sets as soon as torusd has set "drain" */
	const char *words;
	u32 loads;		/* number of requests that loaded tables */
	u32 same;		/* number of these requests whose tables were already loaded */
	/* number of the request to load tables that fails; 0: no request fails */
	u32 refuse_load;
	int no_tables;		/* error that a request for the tables returns, or 0 */
	/* true if the number of packets in flight keeps changing and never reaches 0 */
	bool restless;
} sim;

static void pass(u64 ticks)
{
	sim.until += ticks;
	torus_fabric_run(sim.f, sim.until, 0, 1);
}

/* ---------------------------------------------------- stubs that torusd calls */

static void fabric_describe(struct torus_nl_fabric *fabric)
{
	*fabric = (struct torus_nl_fabric){
		.name = "f", .arch = "xt", .dims = { 4, 4, 4 }, .ndims = 3, .nodes = NODES,
		.numbering = sim.f->cfg.geo.numbering, .numbered = true,
		.in_flight = torus_fabric_in_flight(sim.f),
		.params = { { .key = "inject", .is_text = true } }, .nparams = 1,
	};
	strcpy(fabric->params[0].text, sim.inject);
}

int torus_nl_fabric_get(struct torus_nl *nl, const char *name, struct torus_nl_fabric *fabric)
{
	pass(STEP);
	if (sim.words && !strcmp(sim.inject, "drain")) {
		strcpy(sim.inject, sim.words);
		sim.words = NULL;
	}
	if (sim.meanwhile) {
		strcpy(sim.inject, sim.meanwhile);
		sim.meanwhile = NULL;
	}
	fabric_describe(fabric);
	if (sim.restless)
		fabric->in_flight = 1 + sim.until;
	return 0;
}

int torus_nl_fabric_dump(struct torus_nl *nl, struct torus_nl_fabric **fabrics, size_t *count)
{
	*fabrics = malloc(sizeof(**fabrics));
	assert_non_null(*fabrics);
	fabric_describe(*fabrics);
	*count = 1;
	return 0;
}

int torus_nl_fabric_set(struct torus_nl *nl, const char *name,
			const struct torus_nl_param *params, size_t nparams)
{
	struct torus_error err;

	assert_int_equal(nparams, 1);
	assert_string_equal(params->key, "inject");
	strcpy(sim.inject, params->text);
	assert_int_equal(torus_fabric_set(sim.f, "inject", sim.inject, &err), 0);
	return 0;
}

const char *torus_nl_error(const struct torus_nl *nl)
{
	return "an error";
}

int torus_nl_counter_get(struct torus_nl *nl, const char *fabric,
			 struct torus_fabric_counters *counters)
{
	torus_fabric_counters(sim.f, counters);
	return 0;
}

int torus_nl_link_dump_changed(struct torus_nl *nl, const char *fabric,
			       struct torus_nl_link **links, size_t *count)
{
	return -EOPNOTSUPP;
}

int torus_nl_route_load(struct torus_nl *nl, const char *fabric, const void *image,
			size_t bytes, const uint64_t *at)
{
	struct torus_error err;
	const void *loaded;
	size_t there;

	assert_null(at);
	sim.loads++;
	loaded = sim.f->arch->routes_image(sim.f, &there);
	sim.same += loaded && there == bytes && !memcmp(loaded, image, bytes);
	if (sim.refuse_load && !--sim.refuse_load)
		return -ENOMEM;
	return torus_fabric_routes_load(sim.f, image, bytes, TORUS_ROUTES_NOW, &err);
}

int torus_nl_route_get(struct torus_nl *nl, const char *fabric, void **image, size_t *bytes)
{
	const void *loaded = sim.f->arch->routes_image(sim.f, bytes);

	if (sim.no_tables)
		return sim.no_tables;
	if (!loaded)
		return -ENODATA;
	*image = malloc(*bytes);
	assert_non_null(*image);
	memcpy(*image, loaded, *bytes);
	return 0;
}

void torusd_cable_senders(struct torusd *d, const char *fabric, const struct torusd_cable *cable,
			  u32 state)
{
	u32 node = torus_node_index(&sim.f->cfg.geo, cable->node);
	u32 peer = torus_node_index(&sim.f->cfg.geo, cable->peer);
	struct torus_error err;

	assert_int_equal(torus_senders_set(sim.f, node, cable->dir, state, &err), 0);
	assert_int_equal(torus_senders_set(sim.f, peer, cable->dir ^ 1, state, &err), 0);
}

void torusd_log(const char *fabric, const char *format, ...)
{
	size_t length = strlen(sim.said);
	va_list args;

	va_start(args, format);
	vsnprintf(sim.said + length, sizeof(sim.said) - length, format, args);
	va_end(args);
	length = strlen(sim.said);
	snprintf(sim.said + length, sizeof(sim.said) - length, "\n");
}

uint64_t torusd_now_ms(void)
{
	return sim.now_ms++;
}

/* ---------------------------------------------------- a machine and its agent */

static struct ctl ctl;
static struct torusd agent = { .ctl = &ctl, .drain_ms = DRAIN_MS };
static struct torusd_cable cables[XT_DIRS];
static struct torusd_fabric watched;

/*
 * Let torusd change the tables. Return false if torusd must retry the change. sim.said then has the
 * log.
 */
static bool look(void)
{
	struct torus_nl_fabric fabric;

	sim.said[0] = '\0';
	fabric_describe(&fabric);
	return torusd_tables_follow(&agent, &fabric, &watched);
}

/* Check whether torusd's log says that the network was drained for the change. */
static bool said_drained(void)
{
	return says(sim.said, CHANGED " drained");
}

static void begin(void)
{
	memset(&sim, 0, sizeof(sim));
	sim.f = rig_make_arch("xt", SHAPE, "");
	strcpy(sim.inject, "go");
	watched = (struct torusd_fabric){ .name = "f", .cables = cables };
	assert_true(look());
	assert_says(sim.said, LOADED);
}

static void state(u32 node, u32 dir, u32 up)
{
	const struct torus_fault fault = {
		.what = TORUS_FAULT_STATE, .node = node, .dir = dir, .state = up,
	};

	rig_fault(sim.f, &fault);
}

/* Cut or repair a cable, and record it for torusd. */
static void note_cable(u32 node, u32 dir, bool cut)
{
	const struct torus_geometry *g = &sim.f->cfg.geo;
	u32 peer = torus_geometry_neighbor(g, node, dir);
	struct torusd_cable cable = {
		.node = torus_node_number(g, node), .dir = dir,
		.peer = torus_node_number(g, peer), .seen = cut, .dead = cut,
	};

	state(node, dir, !cut);
	state(peer, dir ^ 1, !cut);
	if (cut)
		cables[watched.count++] = cable;
	else
		torusd_cable_senders(&agent, "f", &cable, TORUS_SENDER_ON);
}

static void set_cable(u32 node, u32 dir, bool cut)
{
	watched.count = 0;
	note_cable(node, dir, cut);
	if (cut)
		pass(STAND);
}

/*
 * Run until no packet is left, and check that all are delivered or dropped. Return the number of
 * packets dropped at dead links. @nowhere: [out] number of packets dropped for other reasons.
 */
static u64 ended(u64 *nowhere)
{
	struct torus_fabric_counters counters;
	u64 lost;
	u32 i;

	rig_drain(sim.f);
	rig_empty(sim.f);
	torus_fabric_counters(sim.f, &counters);
	lost = counters.dropped[TORUS_DROP_LINK_DEAD];
	for (*nowhere = 0, i = 0; i < COUNT(counters.dropped); i++)
		*nowhere += i == TORUS_DROP_LINK_DEAD ? 0 : counters.dropped[i];
	assert_int_equal(counters.delivered + lost + *nowhere, EACH * NODES);
	torus_fabric_destroy(sim.f);
	return lost;
}

static u64 end(void)
{
	u64 nowhere, lost = ended(&nowhere);

	assert_int_equal(nowhere, 0);
	return lost;
}

/* ----------------------------------------------------------------------- tests */

/* Check that the traffic continues: packets are still in flight or to be sent. */
static void under_load(void)
{
	struct torus_fabric_counters counters;

	torus_fabric_counters(sim.f, &counters);
	assert_true(counters.delivered < EACH * NODES - 10000);
}

/*
 * Cut and repair single cables. Some changes happen at one tick, others after a drain; both must
 * occur for cuts and for repairs.
 */
static void test_single_cables(void **unused)
{
	u32 seen[2][2] = { { 0 } }, i, way, home;
	u64 lost;

	for (i = 0; i < 6; i++) {
		u32 node = i * 29 % NODES, dir = i % 3 * 2;

		begin();
		rig_packets(sim.f, EACH, 8, 72);
		pass(CUT);
		set_cable(node, dir, true);
		assert_true(look());
		way = said_drained();
		assert_says(sim.said, "one tick");
		assert_says(sim.said, LOST);
		assert_string_equal(sim.inject, "go");
		under_load();
		pass(STAND);
		rig_count(sim.f);
		set_cable(node, dir, false);
		assert_true(look());
		home = said_drained();
		assert_int_equal(says(sim.said, "one tick"), !home);
		assert_string_equal(sim.inject, "go");
		seen[0][way]++;
		seen[1][home]++;
		lost = end();
		/*
		 * the limit per direction is the link's window, and one packet in each staging
		 * buffer
		 */
		assert_in_range(lost, 1, 2 * (128 + 24));
	}
	print_message("at one tick %u there and %u back, drained %u and %u\n", seen[0][0],
		      seen[1][0], seen[0][1], seen[1][1]);
	assert_true(seen[0][0] && seen[0][1] && seen[1][0] && seen[1][1]);
}

/* A cable for which both cut and repair need an empty network. */
#define DRAINED_NODE	29
#define DRAINED_DIR	2

static void test_hold_of_administrator_is_kept(void **unused)
{
	struct torus_error err;

	/* an administrator holds injection before the change, and ends the hold after the change */
	begin();
	rig_packets(sim.f, EACH, 8, 72);
	pass(CUT);
	assert_int_equal(torus_fabric_set(sim.f, "inject", "hold", &err), 0);
	strcpy(sim.inject, "hold");
	set_cable(DRAINED_NODE, DRAINED_DIR, true);
	assert_true(look());
	assert_true(said_drained());
	assert_string_equal(sim.inject, "hold");
	assert_int_equal(torus_fabric_set(sim.f, "inject", "go", &err), 0);
	strcpy(sim.inject, "go");
	/* the administrator's value arrives while torusd's "drain" is set */
	set_cable(DRAINED_NODE, DRAINED_DIR, false);
	pass(STEP);
	sim.words = "hold";
	assert_true(look());
	assert_null(sim.words);
	assert_true(said_drained());
	assert_string_equal(sim.inject, "hold");
	assert_int_equal(torus_fabric_set(sim.f, "inject", "go", &err), 0);
	end();
}

/* Cut three cables: the detours around them and the old tables together close a cycle. */
static void cut_circle(bool cut)
{
	watched.count = 0;
	note_cable(rig_node(sim.f, 2, 2, 2), 4, cut);
	note_cable(rig_node(sim.f, 2, 2, 1), 4, cut);
	note_cable(rig_node(sim.f, 3, 0, 1), 4, cut);
	if (cut)
		pass(STAND);
}

/* Cut all cables of a node, so that packets to the node have no detour. */
static void cut_off(bool cut)
{
	u32 dir;

	watched.count = 0;
	for (dir = 0; dir < XT_DIRS; dir++)
		note_cable(rig_node(sim.f, 1, 2, 2), dir, cut);
	if (cut)
		pass(STAND);
}

static void test_interim_tables_and_isolated_node(void **unused)
{
	static const struct {
		void (*cut)(bool cut);
		u32 loads;
		bool drained;
	} ways[] = {
		{ cut_circle, 2, true }, { cut_off, 1, false },
	};
	u64 lost, nowhere;
	u32 i;

	for (i = 0; i < COUNT(ways); i++) {
		begin();
		rig_packets(sim.f, EACH, 8, 72);
		pass(CUT);
		ways[i].cut(true);
		sim.loads = 0;
		assert_true(look());
		assert_says(sim.said, CHANGED " injection");
		assert_int_equal(said_drained(), ways[i].drained);
		/* a change with interim tables loads two tables */
		assert_int_equal(sim.loads, ways[i].loads);
		assert_int_equal(sim.same, 0);
		assert_says(sim.said, LOST);
		assert_string_equal(sim.inject, "go");
		under_load();
		pass(STAND);
		rig_count(sim.f);
		ways[i].cut(false);
		assert_true(look());
		assert_string_equal(sim.inject, "go");
		lost = ended(&nowhere);
		assert_in_range(lost, 1, XT_DIRS * 2 * (128 + 24));
		/* some pairs of nodes have no route while the cables are cut */
		assert_true(nowhere > 0);
	}
}

/* Check that a change fails, is logged with a reason, and must be retried. */
static void fails(const char *why, const char *others)
{
	assert_false(look());
	assert_says(sim.said, why);
	assert_false(says(sim.said, others));
	assert_false(says(sim.said, CHANGED));
	assert_string_equal(sim.inject, "go");
}

static void cut_drained(bool cut)
{
	set_cable(DRAINED_NODE, DRAINED_DIR, cut);
}

static void cut_at_once(bool cut)
{
	set_cable(0, 0, cut);
}

/*
 * The module rejects one load of tables after the other. Afterwards, the retried change succeeds.
 */
static void test_rejected_load_is_retried(void **unused)
{
	static const struct {
		void (*cut)(bool cut);
		u32 loads;	/* number of loads of tables that the change needs */
	} ways[] = {
		{ cut_at_once, 1 }, { cut_drained, 2 }, { cut_circle, 2 }, { cut_off, 1 },
	};
	u32 i, which;

	for (i = 0; i < COUNT(ways); i++)
		for (which = 1; which <= ways[i].loads; which++) {
			begin();
			ways[i].cut(true);
			sim.refuse_load = which;
			fails("an error", RESTLESS);
			assert_int_equal(sim.refuse_load, 0);
			assert_true(look());
			assert_says(sim.said, CHANGED);
			torus_fabric_destroy(sim.f);
		}
}

/* The time limit of the drain ends before the network is empty or stuck. */
static void test_drain_times_out(void **unused)
{
	static const struct {
		void (*cut)(bool cut);
		const char *why;
		u32 loads;
	} ways[] = {
		{ cut_drained, RESTLESS " 10 empty", 1 },
		{ cut_circle, RESTLESS " 10", 0 },
		{ cut_off, RESTLESS " 10", 0 },
	};
	u32 i;

	for (i = 0; i < COUNT(ways); i++) {
		begin();
		ways[i].cut(true);
		sim.restless = true;
		sim.loads = 0;
		agent.drain_ms = 10;
		fails(ways[i].why, "an error");
		assert_int_equal(sim.loads, ways[i].loads);
		sim.restless = false;
		agent.drain_ms = DRAIN_MS;
		assert_true(look());
		assert_says(sim.said, CHANGED);
		torus_fabric_destroy(sim.f);
	}
}

/* Tables that cannot be read must not be treated like missing tables. */
static void test_unreadable_tables(void **unused)
{
	struct torus_nl_fabric fabric;

	begin();
	sim.loads = 0;
	sim.no_tables = -EAGAIN;
	fails("an error", LOADED);
	sim.no_tables = -ENODATA;
	sim.refuse_load = 1;
	fails("an error", LOADED);
	assert_int_equal(sim.loads, 1);
	sim.refuse_load = 0;
	assert_true(look());
	assert_says(sim.said, LOADED);
	/* if tables cannot be computed, none are loaded */
	sim.said[0] = '\0';
	fabric_describe(&fabric);
	strcpy(fabric.arch, "bgl");
	assert_false(torusd_tables_follow(&agent, &fabric, &watched));
	assert_says(sim.said, "fabric f");
	torus_fabric_destroy(sim.f);
}

/* Injection that a killed torusd has stopped is resumed; an administrator's hold is kept. */
static void test_drain_of_killed_torusd_ends(void **unused)
{
	static const char *const words[][2] = {
		{ "go", "go" }, { "hold", "hold" }, { "drain", "go" },
	};
	struct torus_nl_fabric fabric;
	u32 i;

	begin();
	for (i = 0; i < COUNT(words); i++) {
		strcpy(sim.inject, words[i][0]);
		sim.said[0] = '\0';
		torusd_inject_found(&agent);
		assert_string_equal(sim.inject, words[i][1]);
		if (!strcmp(words[i][0], "drain"))
			assert_says(sim.said, "injection table");
		else
			assert_string_equal(sim.said, "");
		/* an administrator's value arrives during a change */
		strcpy(sim.inject, "go");
		assert_true(torusd_inject_hold(&agent, "f"));
		assert_string_equal(sim.inject, "drain");
		sim.meanwhile = "hold";
		assert_int_equal(torus_nl_fabric_get(NULL, "f", &fabric), 0);
		torusd_inject_go(&agent, "f");
		assert_string_equal(sim.inject, "hold");
	}
	torus_fabric_destroy(sim.f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_single_cables),
		cmocka_unit_test(test_hold_of_administrator_is_kept),
		cmocka_unit_test(test_interim_tables_and_isolated_node),
		cmocka_unit_test(test_rejected_load_is_retried),
		cmocka_unit_test(test_drain_times_out),
		cmocka_unit_test(test_unreadable_tables),
		cmocka_unit_test(test_drain_of_killed_torusd_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
