// SPDX-License-Identifier: GPL-2.0
/* Monitor all cables. Record which cables are out and since when, and react to changes. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../common/array.h"
#include "../machine/machine.h"
#include "../netlink/link.h"
#include "cable.h"
#include "log.h"
#include "table_update.h"
#include "torusd.h"
#include "cable_monitor.h"

#define TEXT_MAX	96	/* maximum bytes of a cable's text */
#define NEVER		UINT64_MAX

static struct torusd_fabric *fabric_find(struct torusd *d, const char *name)
{
	struct torusd_fabric *added;
	size_t i;

	for (i = 0; i < d->count; i++)
		if (!strcmp(d->fabrics[i].name, name))
			return &d->fabrics[i];
	added = torus_array_add(&d->fabrics, &d->count);
	if (!added)
		return NULL;
	*added = (struct torusd_fabric){ .count = 0 };
	strcpy(added->name, name);
	return added;
}

/*
 * Find the record of a link's cable, or add one if @add. The record names the end from which the
 * cable leads in plus direction.
 */
static struct torusd_cable *cable_find(struct torusd_fabric *watched,
				       const struct torus_nl_link *link, bool add)
{
	struct torusd_cable cable = {
		.node = link->dir & 1 ? link->peer : link->node, .dir = link->dir & ~1u,
		.peer = link->dir & 1 ? link->node : link->peer, .since_ms = torusd_now_ms(),
	};
	struct torusd_cable *added;
	size_t i;

	for (i = 0; i < watched->count; i++)
		if (watched->cables[i].node == cable.node && watched->cables[i].dir == cable.dir)
			return &watched->cables[i];
	if (!add)
		return NULL;
	added = torus_array_add(&watched->cables, &watched->count);
	if (added)
		*added = cable;
	return added;
}

/*
 * Update the record of the cable to which a link belongs. The cable is out if the link is down, if
 * the link's sender is parked, or if an administrator has switched the sender off.
 *
 * If the sender is off, an administrator has switched it off (word), unless torusd has set it to
 * dead (own). torusd has set a sender to dead in these cases:
 * - the link fails, too
 * - torusd has declared the cable dead, and no administrator has switched it off
 * - this is the first poll: an earlier torusd has set the sender to dead
 */
static void link_note(struct torusd_fabric *watched, const struct torus_nl_link *link)
{
	bool dead = link->control & TORUS_LINK_DEAD, fails, own, word;
	struct torusd_cable *cable = cable_find(watched, link, false);

	fails = !link->state || link->control & TORUS_LINK_PARKED;
	own = dead && (fails || !watched->looked || (cable && cable->dead && !cable->word));
	word = !link->sender && !own;
	if (!fails && !word && !own)
		return;
	if (!cable)
		cable = cable_find(watched, link, true);
	if (!cable)
		return;
	if (dead && !cable->dead)
		cable->since_ms = 0;
	/*
	 * if the link works again but its sender is dead, the cable was repaired: leave @seen unset
	 */
	if (!fails && !word)
		return;
	cable->seen = true;
	cable->word = (cable->word && cable->dead) || (word && !fails);
}

/*
 * Declare cables dead that have been out for hold_ms. Return the ms until the next cable is due, or
 * NEVER if no cable is due.
 */
static uint64_t take_dead(struct torusd *d, const struct torus_nl_fabric *fabric,
			  struct torusd_fabric *watched, bool *changed)
{
	uint64_t now = torusd_now_ms(), next = NEVER;
	char text[TEXT_MAX];
	size_t i;

	for (i = 0; i < watched->count; i++) {
		struct torusd_cable *cable = &watched->cables[i];
		uint64_t out = now - cable->since_ms;

		if (!cable->seen || cable->dead)
			continue;
		if (out < d->hold_ms) {
			next = d->hold_ms - out < next ? d->hold_ms - out : next;
			continue;
		}
		cable->dead = true;
		*changed = true;
		torusd_cable_text(fabric, cable, text, sizeof(text));
		if (!cable->since_ms)
			torusd_log(fabric->name, "cable %s is still dead", text);
		else
			torusd_log(fabric->name, "cable %s is dead: %s for %" PRIu64 " ms", text,
				   cable->word ? "switched off" : "down or parked", out);
	}
	return next;
}

/* Remove the records of cables that work again. Switch senders on that torusd has set to dead. */
static void take_back(struct torusd *d, const struct torus_nl_fabric *fabric,
		      struct torusd_fabric *watched, bool *changed)
{
	size_t i, kept = 0;
	char text[TEXT_MAX];

	for (i = 0; i < watched->count; i++) {
		struct torusd_cable *cable = &watched->cables[i];
		bool dead = cable->dead || !cable->since_ms;

		if (cable->seen) {
			watched->cables[kept++] = *cable;
			continue;
		}
		torusd_cable_text(fabric, cable, text, sizeof(text));
		if (dead)
			torusd_log(fabric->name, "cable %s works again", text);
		if (dead && !cable->word)
			torusd_cable_senders(d, fabric->name, cable, TORUS_SENDER_ON);
		*changed |= dead;
	}
	watched->count = kept;
}

/*
 * Set the senders of dead cables to dead, unless an administrator has switched a sender off. This
 * is for machines without routing tables, whose programs route around dead senders.
 */
static void avoid(struct torusd *d, const struct torus_nl_fabric *fabric,
		  struct torusd_fabric *watched)
{
	size_t i, out = 0;

	for (i = 0; i < watched->count; i++) {
		out += watched->cables[i].dead;
		if (watched->cables[i].dead && !watched->cables[i].word)
			torusd_cable_senders(d, fabric->name, &watched->cables[i],
					     TORUS_SENDER_DEAD);
	}
	torusd_log(fabric->name, "%zu cables are out of service because their senders are dead",
		   out);
}

static void fabric_follow(struct torusd *d, const struct torus_nl_fabric *fabric,
			  struct torusd_fabric *watched)
{
	const struct torus_machine *machine = torus_machine_find(fabric->arch);

	watched->retry_ms = 0;
	if (!torus_machine_can(machine, TORUS_MACHINE_TABLES))
		avoid(d, fabric, watched);
	else if (!torusd_tables_follow(d, fabric, watched))
		watched->retry_ms = torusd_now_ms() + 5 * d->drain_ms;
}

/* Return @wait, or the ms until a failed change of tables is retried, whichever is less. */
static uint64_t until_retry(const struct torusd_fabric *watched, uint64_t wait)
{
	uint64_t now = torusd_now_ms(), left;

	if (!watched->retry_ms)
		return wait;
	left = watched->retry_ms > now ? watched->retry_ms - now : 0;
	return left < wait ? left : wait;
}

static uint64_t fabric_look(struct torusd *d, const struct torus_nl_fabric *fabric)
{
	struct torusd_fabric *watched = fabric_find(d, fabric->name);
	struct torus_nl_link *links;
	bool changed = false;
	uint64_t next;
	size_t count, i;

	if (!watched)
		return NEVER;
	watched->there = true;
	/* the fabric may have been removed since the dump of fabrics */
	if (torus_nl_link_dump_changed(d->ctl->nl, fabric->name, &links, &count))
		return NEVER;
	for (i = 0; i < watched->count; i++)
		watched->cables[i].seen = false;
	for (i = 0; i < count; i++)
		link_note(watched, &links[i]);
	free(links);
	watched->looked = true;
	take_back(d, fabric, watched, &changed);
	next = take_dead(d, fabric, watched, &changed);
	if (changed || (watched->retry_ms && torusd_now_ms() >= watched->retry_ms))
		fabric_follow(d, fabric, watched);
	return until_retry(watched, next);
}

/* Free the records of fabrics that were removed. */
static void fabrics_drop(struct torusd *d)
{
	size_t i, kept = 0;

	for (i = 0; i < d->count; i++) {
		if (d->fabrics[i].there)
			d->fabrics[kept++] = d->fabrics[i];
		else
			free(d->fabrics[i].cables);
	}
	d->count = kept;
}

/**
 * torusd_look - poll the cables of all fabrics, and react to changes
 * @d: the agent. Its member @blind is set to 0, or to the error of the dump of fabrics: -ENOENT if
 *    the module was unloaded
 *
 * Return: ms until the next poll, at most half of hold_ms, or 20 ms if half of hold_ms is less.
 */
uint64_t torusd_look(struct torusd *d)
{
	uint64_t next = d->hold_ms / 2 < 20 ? 20 : d->hold_ms / 2, one;
	struct torus_nl_fabric *fabrics;
	size_t count, i;
	int error = torus_nl_fabric_dump(d->ctl->nl, &fabrics, &count);

	/* log the error once, and not at every poll while the module is not loaded */
	if (error && error != d->blind)
		torusd_log(NULL, "%s", error == -ENOENT ? "the module was removed" :
			   torus_nl_error(d->ctl->nl));
	d->blind = error;
	if (error)
		return next;
	for (i = 0; i < d->count; i++)
		d->fabrics[i].there = false;
	for (i = 0; i < count; i++) {
		one = fabric_look(d, &fabrics[i]);
		next = one < next ? one : next;
	}
	free(fabrics);
	fabrics_drop(d);
	return next;
}

/**
 * torusd_forget - free the records of all fabrics
 * @d: the agent
 */
void torusd_forget(struct torusd *d)
{
	while (d->count)
		free(d->fabrics[--d->count].cables);
	free(d->fabrics);
	d->fabrics = NULL;
}
