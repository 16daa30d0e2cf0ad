// SPDX-License-Identifier: GPL-2.0
/*
 * Change routing tables after the state of cables has changed.
 *
 * New tables replace the old ones at one tick if this strands no packet, and if the waits of both
 * together have no cycle. Otherwise, injection is stopped, the network drains, and the tables are
 * replaced in the empty network. A network can drain only if its packets need no dead cable. If the
 * old tables use a dead cable, interim tables are loaded first at one tick: the old tables with
 * detours around dead cables. For detours that close a cycle or do not exist, see swap_stuck().
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../netlink/counter.h"
#include "../netlink/link.h"
#include "../route/spec/fabric_io.h"
#include "../route/xt/drain_tables.h"
#include "../route/xt/transition.h"
#include "cable.h"
#include "inject_hold.h"
#include "log.h"
#include "table_update.h"
#include "torusd.h"

#define DRAIN_LOOK_MS	2u
/*
 * number of successive polls without a change of the packets in flight, after which these packets
 * are considered stuck
 */
#define STILL_LOOKS	25u

/* State of a change of tables. */
struct change {
	struct torusd *d;
	const struct torus_nl_fabric *fabric;
	struct torusd_fabric *watched;
	struct xt_spec old;		/* the loaded tables, on a map in which all cables work */
	struct xt_spec new;
	size_t out;			/* number of dead cables */
	uint64_t began_ms;
};

static void drops(const struct change *change, uint64_t *link_dead)
{
	struct torus_fabric_counters counters;

	*link_dead = torus_nl_counter_get(change->d->ctl->nl, change->fabric->name, &counters) ?
		     0 : counters.dropped[TORUS_DROP_LINK_DEAD];
}

/*
 * Set the senders of dead cables to dead, which drops the packets that wait for them. Senders of a
 * cable that an administrator has switched off are not changed. Before this, no table may lead to
 * these cables any more.
 */
static void give_up(const struct change *change)
{
	struct torusd_fabric *watched = change->watched;
	uint64_t before, after;
	size_t i;

	drops(change, &before);
	for (i = 0; i < watched->count; i++)
		if (watched->cables[i].dead && !watched->cables[i].word)
			torusd_cable_senders(change->d, change->fabric->name, &watched->cables[i],
					     TORUS_SENDER_DEAD);
	drops(change, &after);
	if (after > before)
		torusd_log(change->fabric->name, "%" PRIu64 " packets on dead cables were lost",
			   after - before);
}

static bool load(const struct change *change, const struct xt_tables *tables)
{
	struct parse_error why;

	if (xt_live_load(change->d->ctl->nl, change->fabric->name, tables, NULL, &why))
		return true;
	torusd_log(NULL, "%s", why.text);
	return false;
}

/*
 * Wait until the network is empty. With @still, also stop waiting when the remaining packets are
 * stuck. Return false after an error or a time-out, both of which are logged.
 */
static bool drain(const struct change *change, bool still)
{
	const struct timespec pause = { .tv_nsec = DRAIN_LOOK_MS * 1000000 };
	uint64_t end = torusd_now_ms() + change->d->drain_ms, last = UINT64_MAX;
	unsigned int same = 0;
	struct torus_nl_fabric now;

	while (torusd_now_ms() < end) {
		if (torus_nl_fabric_get(change->d->ctl->nl, change->fabric->name, &now)) {
			torusd_log(change->fabric->name, "%s",
				   torus_nl_error(change->d->ctl->nl));
			return false;
		}
		if (!now.in_flight)
			return true;
		same = now.in_flight == last ? same + 1 : 0;
		last = now.in_flight;
		if (still && same == STILL_LOOKS)
			return true;
		nanosleep(&pause, NULL);
	}
	torusd_log(change->fabric->name, "network %s after %" PRIu64 " ms with injection held: the "
		   "change of tables will be tried again", still ? "not idle" : "not empty",
		   change->d->drain_ms);
	return false;
}

static void change_log(const struct change *change, const char *how)
{
	torusd_log(change->fabric->name,
		   "tables for %zu dead cables: %s, %" PRIu64 " ms; %" PRIu64 " entries without a "
		   "path", change->out, how,
		   torusd_now_ms() - change->began_ms, change->new.made.unreached);
}

/*
 * Stop injection, drain, load the new tables and resume injection. Return false after a failure,
 * which is logged.
 */
static bool swap_empty(const struct change *change, const char *how)
{
	bool done;

	if (!torusd_inject_hold(change->d, change->fabric->name))
		return false;
	done = drain(change, false);
	if (done)
		done = load(change, change->new.tables);
	torusd_inject_go(change->d, change->fabric->name);
	if (done)
		change_log(change, how);
	return done;
}

/* Return true if the old tables route no packet over a dead cable; false if there is no memory. */
static bool old_serves(const struct change *change)
{
	struct xt_tables *tables = change->old.tables;
	const struct xt_map *map = tables->map;
	struct xt_check check;
	bool serves;

	if (xt_check_init(&check, map))
		return false;
	tables->map = change->new.map;
	xt_check_run(&check, tables);
	tables->map = map;
	serves = !check.ends[XT_END_CABLE];
	xt_check_free(&check);
	return serves;
}

/*
 * Change tables if the waits with detours may have a cycle. Stop injection, and wait until all
 * packets that need no dead cable are delivered. The few remaining packets then follow the interim
 * tables. If there are no interim tables (@between is NULL), for example because some packets have
 * no detour, the remaining packets follow the new tables.
 */
static bool swap_stuck(const struct change *change, const struct xt_tables *between)
{
	bool done;

	if (!torusd_inject_hold(change->d, change->fabric->name))
		return false;
	done = drain(change, true);
	if (done)
		done = load(change, between ? between : change->new.tables);
	if (done)
		give_up(change);
	if (done && between)
		done = drain(change, false) && load(change, change->new.tables);
	torusd_inject_go(change->d, change->fabric->name);
	if (done)
		change_log(change, between ?
			   "injection held, packets at a dead cable rerouted, drained, swapped" :
			   "injection held, swapped while idle");
	return done;
}

static bool swap_between(const struct change *change)
{
	struct xt_tables *between;
	bool circles, done;
	int ret = xt_drain_tables_make(&between, change->old.tables, change->new.map, &circles);

	if (ret || circles) {
		done = swap_stuck(change, ret ? NULL : between);
	} else {
		done = load(change, between);
		if (done) {
			give_up(change);
			done = swap_empty(change,
					  "rerouted at one tick, injection held, drained, swapped");
		}
	}
	xt_tables_free(between);
	return done;
}

static bool swap(const struct change *change)
{
	struct xt_transition together;

	if (xt_transition_check(&together, change->old.tables, change->new.tables)) {
		torusd_log(change->fabric->name,
			   "out of memory for the check of old and new tables together");
		return false;
	}
	if (xt_transition_safe(&together)) {
		if (!load(change, change->new.tables))
			return false;
		give_up(change);
		change_log(change, "swapped at one tick");
		return true;
	}
	torusd_log(change->fabric->name, "old and new tables together: %" PRIu64 " of %" PRIu64 " "
		   "positions strand packets, %u channels form a cycle", together.stranded,
		   together.states, together.circle);
	if (old_serves(change)) {
		give_up(change);
		return swap_empty(change, "injection held, drained, swapped");
	}
	return swap_between(change);
}

/* Compute the new tables: policy v3, automatic datelines, without dead cables. */
static bool compute(struct change *change, struct parse_error *why)
{
	const char *const words[XT_KEYS] = { NULL };
	struct torusd_fabric *watched = change->watched;
	size_t i;

	if (!xt_live_map(change->fabric, &change->new, why))
		return false;
	for (i = 0; i < watched->count; i++) {
		uint32_t node = xt_map_find(change->new.map, watched->cables[i].node);

		if (!watched->cables[i].dead || node == XT_NONE)
			continue;
		xt_map_set(change->new.map, node, watched->cables[i].dir, XT_BROKEN);
		change->out++;
	}
	return xt_spec_words(&change->new, words, why) && xt_spec_compute(&change->new, why);
}

/**
 * torusd_tables_follow - load tables that fit the state of a fabric's cables
 * @d: the agent
 * @fabric: the fabric
 * @watched: state of its cables
 *
 * Return: false if the change must be retried.
 */
bool torusd_tables_follow(struct torusd *d, const struct torus_nl_fabric *fabric,
			  struct torusd_fabric *watched)
{
	struct change change = { .d = d, .fabric = fabric, .watched = watched,
				 .began_ms = torusd_now_ms() };
	struct parse_error why;
	bool done = false;
	int error;

	if (!compute(&change, &why)) {
		torusd_log(NULL, "%s", why.text);
	} else {
		error = xt_live_read(d->ctl->nl, fabric, &change.old, &why);
		if (!error) {
			done = swap(&change);
		} else if (error != -ENODATA) {
			torusd_log(NULL, "%s", why.text);
		} else if (load(&change, change.new.tables)) {
			/* a fabric without tables has no packets in flight */
			change_log(&change, "loaded into a fabric without tables");
			done = true;
		}
	}
	xt_spec_free(&change.old);
	xt_spec_free(&change.new);
	return done;
}
