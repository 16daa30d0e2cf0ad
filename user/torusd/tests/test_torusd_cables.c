// SPDX-License-Identifier: GPL-2.0
/*
 * Test which cables torusd declares dead and which it switches on again: cables that it declared
 * dead itself or before a restart, but not cables that an administrator has switched off. Links and
 * time are stubs that the tests set.
 */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../cable.h"
#include "../log.h"
#include "../table_update.h"
#include "../cable_monitor.h"
#include "core/tests/says.h"
#include "../../netlink/link.h"
#include "../torusd.h"

#define HOLD_MS		1000
#define DRAIN_MS	20
#define NODE		5
#define PEER		6
#define DIR		2

/* State of the simulated module, and recorded actions of torusd. */
static struct {
	struct torus_nl_link links[2];	/* state of the two links of one cable */
	const char *arch;
	int lost;		/* error that the dump of fabrics returns, or 0 */
	uint64_t now_ms;
	char said[1024];
	uint32_t followed;	/* number of requests to change tables */
	bool ends;		/* true if changes of tables succeed */
	uint32_t senders;	/* number of times that the senders of the cable were set */
	/* state to which the senders were set last: enum torus_sender_state */
	uint32_t sender;
} sim;

static struct ctl ctl;
static struct torusd agent;

/* ---------------------------------------------------- stubs that torusd calls */

int torus_nl_fabric_dump(struct torus_nl *nl, struct torus_nl_fabric **fabrics, size_t *count)
{
	if (sim.lost)
		return sim.lost;
	*fabrics = calloc(1, sizeof(**fabrics));
	assert_non_null(*fabrics);
	strcpy((*fabrics)->name, "f");
	strcpy((*fabrics)->arch, sim.arch);
	*count = 1;
	return 0;
}

int torus_nl_link_dump_changed(struct torus_nl *nl, const char *fabric,
			       struct torus_nl_link **links, size_t *count)
{
	size_t i;

	*links = malloc(sizeof(sim.links));
	assert_non_null(*links);
	*count = 0;
	for (i = 0; i < 2; i++)
		if (!sim.links[i].state || !sim.links[i].sender)
			(*links)[(*count)++] = sim.links[i];
	return 0;
}

const char *torus_nl_error(const struct torus_nl *nl)
{
	return "an error";
}

bool torusd_tables_follow(struct torusd *d, const struct torus_nl_fabric *fabric,
			  struct torusd_fabric *watched)
{
	sim.followed++;
	return sim.ends;
}

/* Set both senders of the cable as the module does. */
static void senders(uint32_t state)
{
	size_t i;

	for (i = 0; i < 2; i++) {
		sim.links[i].sender = state == TORUS_SENDER_ON;
		sim.links[i].control = state == TORUS_SENDER_DEAD ? TORUS_LINK_DEAD : 0;
	}
}

void torusd_cable_senders(struct torusd *d, const char *fabric, const struct torusd_cable *cable,
			  uint32_t state)
{
	assert_int_equal(cable->node, NODE);
	assert_int_equal(cable->dir, DIR);
	assert_int_equal(cable->peer, PEER);
	sim.senders++;
	sim.sender = state;
	senders(state);
}

const char *torusd_cable_text(const struct torus_nl_fabric *fabric,
			      const struct torusd_cable *cable, char *text, size_t size)
{
	snprintf(text, size, "%u %u", cable->node, cable->dir);
	return text;
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
	return sim.now_ms;
}

/* ------------------------------------------------------ a cable and its agent */

static void start(void)
{
	torusd_forget(&agent);
	agent = (struct torusd){ .ctl = &ctl, .hold_ms = HOLD_MS, .drain_ms = DRAIN_MS };
}

static void begin(const char *arch)
{
	memset(&sim, 0, sizeof(sim));
	sim.links[0] = (struct torus_nl_link){ .node = NODE, .dir = DIR, .peer = PEER };
	sim.links[1] = (struct torus_nl_link){ .node = PEER, .dir = DIR ^ 1, .peer = NODE };
	sim.arch = arch;
	sim.now_ms = 1;
	sim.ends = true;
	senders(TORUS_SENDER_ON);
	sim.links[0].state = 1;
	sim.links[1].state = 1;
	start();
}

static void cut(bool there, bool back)
{
	sim.links[0].state = !there;
	sim.links[1].state = !back;
}

/* Advance the time by @ms and poll. Return the ms until the next poll. */
static uint64_t look(uint64_t ms)
{
	sim.now_ms += ms;
	sim.said[0] = '\0';
	sim.followed = 0;
	sim.senders = 0;
	return torusd_look(&agent);
}

static void is_quiet(void)
{
	assert_string_equal(sim.said, "");
	assert_int_equal(sim.followed + sim.senders, 0);
}

static void is_back(void)
{
	assert_says_line(sim.said, "cable 5 2 works");
	assert_int_equal(sim.followed, 1);
	assert_int_equal(sim.senders, 1);
	assert_int_equal(sim.sender, TORUS_SENDER_ON);
}

/*
 * Cut the cable and wait until torusd declares it dead. Then set its senders to dead, as the change
 * of tables does.
 */
static void die(void)
{
	cut(true, true);
	look(0);
	is_quiet();
	look(HOLD_MS);
	assert_says_line(sim.said, "cable 5 2 dead 1000");
	assert_int_equal(sim.followed, 1);
	senders(TORUS_SENDER_DEAD);
}

/* ----------------------------------------------------------------------- tests */

static void test_cable_dies_and_works_again(void **unused)
{
	begin("xt");
	assert_int_equal(look(0), HOLD_MS / 2);
	is_quiet();
	cut(false, true);
	look(10);
	assert_int_equal(look(HOLD_MS - 100), 100);
	is_quiet();
	cut(false, false);
	look(200);
	is_quiet();
	die();
	look(HOLD_MS);
	is_quiet();
	cut(false, true);
	look(10);
	is_quiet();
	cut(false, false);
	look(10);
	is_back();
	look(10);
	is_quiet();
	torusd_forget(&agent);
}

/* Restart torusd between the cut and the repair of a cable, or after both. */
static void test_restart_of_torusd(void **unused)
{
	begin("xt");
	look(0);
	die();
	start();
	look(10);
	assert_says_line(sim.said, "cable 5 2 dead");
	assert_int_equal(sim.followed, 1);
	assert_int_equal(sim.senders, 0);
	start();
	/* only one of the two links is still down */
	cut(false, true);
	look(10);
	assert_says_line(sim.said, "cable 5 2 dead");
	assert_int_equal(sim.senders, 0);
	start();
	cut(false, false);
	look(10);
	is_back();
	look(10);
	is_quiet();
	torusd_forget(&agent);
}

/*
 * On a machine without tables, torusd sets the senders to dead. After the repair it sets them to on
 * again.
 */
static void test_machine_without_tables(void **unused)
{
	begin("bgl");
	look(0);
	cut(true, true);
	look(0);
	look(HOLD_MS);
	assert_int_equal(sim.sender, TORUS_SENDER_DEAD);
	assert_int_equal(sim.followed, 0);
	start();
	cut(false, false);
	look(0);
	assert_says(sim.said, "cable 5 2 works 0 out sender dead");
	assert_int_equal(sim.sender, TORUS_SENDER_ON);
	torusd_forget(&agent);
}

/* torusd does not change senders that an administrator has switched off or set to dead. */
static void test_administrator_switches_off(void **unused)
{
	static const uint32_t states[] = { TORUS_SENDER_OFF, TORUS_SENDER_DEAD };
	size_t i;

	for (i = 0; i < 2; i++) {
		begin("xt");
		look(0);
		senders(states[i]);
		look(10);
		look(HOLD_MS);
		look(HOLD_MS);
		assert_int_equal(sim.senders, 0);
		assert_int_equal(sim.links[0].sender, 0);
		senders(TORUS_SENDER_ON);
		look(10);
		assert_says_line(sim.said, "cable 5 2 works");
		assert_int_equal(sim.followed, 1);
		assert_int_equal(sim.senders, 0);
	}
	/*
	 * the same applies after a restart: an administrator has switched off a sender that is off
	 * but not dead
	 */
	senders(TORUS_SENDER_OFF);
	start();
	look(0);
	look(HOLD_MS);
	assert_says_line(sim.said, "cable 5 2 dead off 1000");
	assert_int_equal(sim.senders, 0);
	torusd_forget(&agent);
}

/* A failed change of tables is retried in time, even if the next poll of the cables is later. */
static void test_failed_change_is_retried(void **unused)
{
	uint64_t again = 5 * DRAIN_MS;

	begin("xt");
	look(0);
	sim.ends = false;
	cut(true, true);
	look(0);
	assert_int_equal(look(HOLD_MS), again);
	assert_int_equal(look(again - 30), 30);
	assert_int_equal(sim.followed, 0);
	assert_int_equal(look(30), again);
	assert_int_equal(sim.followed, 1);
	sim.ends = true;
	assert_int_equal(look(again + 1), HOLD_MS / 2);
	assert_int_equal(sim.followed, 1);
	look(HOLD_MS);
	assert_int_equal(sim.followed, 0);
	torusd_forget(&agent);
}

/* An error of the dump of fabrics is logged once, and stored in @blind for the caller. */
static void test_error_is_logged_once(void **unused)
{
	begin("xt");
	look(0);
	sim.lost = -EAGAIN;
	look(0);
	assert_string_equal(sim.said, "an error\n");
	assert_int_equal(agent.blind, -EAGAIN);
	look(0);
	is_quiet();
	sim.lost = -ENOENT;
	look(0);
	assert_says_line(sim.said, "module");
	assert_int_equal(agent.blind, -ENOENT);
	look(0);
	is_quiet();
	sim.lost = 0;
	look(0);
	is_quiet();
	assert_int_equal(agent.blind, 0);
	torusd_forget(&agent);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cable_dies_and_works_again),
		cmocka_unit_test(test_restart_of_torusd),
		cmocka_unit_test(test_machine_without_tables),
		cmocka_unit_test(test_administrator_switches_off),
		cmocka_unit_test(test_failed_change_is_retried),
		cmocka_unit_test(test_error_is_logged_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
