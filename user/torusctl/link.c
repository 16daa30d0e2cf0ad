// SPDX-License-Identifier: GPL-2.0
/* torusctl link: the state of links, the faults on them, their CRCs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../netlink/counter.h"
#include "../netlink/link.h"
#include "../report/fraction.h"
#include "ctl.h"
#include "linkprint.h"
#include "output.h"
#include "place.h"
#include "target.h"

/* A word of `link set` that has a number behind it. */
struct fault_word {
	const char *name;
	enum torus_attr attr;
	uint32_t *(*number)(struct torus_nl_link *link);
};

static uint32_t *fault_corrupt(struct torus_nl_link *link)
{
	return &link->corrupt;
}

static uint32_t *fault_escape(struct torus_nl_link *link)
{
	return &link->escape;
}

static uint32_t *fault_drop_ack(struct torus_nl_link *link)
{
	return &link->drop_ack;
}

static uint32_t *fault_corrupt_ack(struct torus_nl_link *link)
{
	return &link->corrupt_ack;
}

static uint32_t *fault_ecc_single(struct torus_nl_link *link)
{
	return &link->ecc_single;
}

static uint32_t *fault_ecc_double(struct torus_nl_link *link)
{
	return &link->ecc_double;
}

static uint32_t *fault_parity(struct torus_nl_link *link)
{
	return &link->parity;
}

static const struct fault_word fault_words[] = {
	{ "corrupt", TORUS_A_LINK_CORRUPT, fault_corrupt },
	{ "escape", TORUS_A_LINK_ESCAPE, fault_escape },
	{ "drop-ack", TORUS_A_LINK_DROP_ACK, fault_drop_ack },
	{ "corrupt-ack", TORUS_A_LINK_CORRUPT_ACK, fault_corrupt_ack },
	{ "ecc-single", TORUS_A_LINK_ECC_SINGLE, fault_ecc_single },
	{ "ecc-double", TORUS_A_LINK_ECC_DOUBLE, fault_ecc_double },
	{ "parity", TORUS_A_LINK_PARITY, fault_parity },
};

/* The times of `link set`, which need the length of a tick. */
struct fault_times {
	struct parse_duration delay;
	struct parse_duration at;
	struct parse_duration lasting;
};

#define FAULT_MASK \
	(TORUS_NL_HAS(TORUS_A_LINK_STATE) | TORUS_NL_HAS(TORUS_A_LINK_BER) | \
	 TORUS_NL_HAS(TORUS_A_LINK_CORRUPT) | TORUS_NL_HAS(TORUS_A_LINK_ESCAPE) | \
	 TORUS_NL_HAS(TORUS_A_LINK_DROP_ACK) | TORUS_NL_HAS(TORUS_A_LINK_CORRUPT_ACK) | \
	 TORUS_NL_HAS(TORUS_A_LINK_ECC_SINGLE) | TORUS_NL_HAS(TORUS_A_LINK_ECC_DOUBLE) | \
	 TORUS_NL_HAS(TORUS_A_LINK_PARITY) | TORUS_NL_HAS(TORUS_A_LINK_DELAY) | \
	 TORUS_NL_HAS(TORUS_A_LINK_SENDER))

/* Take one pair of words; false with the reason when they make no sense. */
static bool fault_parse(const char *key, const char *word, struct torus_nl_link *link,
			struct fault_times *times, struct parse_why *why)
{
	enum torus_attr attr = TORUS_A_UNSPEC;
	bool good = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fault_words); i++) {
		if (strcmp(key, fault_words[i].name))
			continue;
		attr = fault_words[i].attr;
		good = parse_u32(key, word, 0, UINT32_MAX, fault_words[i].number(link), why);
	}
	if (!strcmp(key, "state")) {
		attr = TORUS_A_LINK_STATE;
		link->state = !strcmp(word, "up");
		good = link->state || !strcmp(word, "down");
		if (!good)
			snprintf(why->text, sizeof(why->text), "state %s: neither up nor down",
				 word);
	} else if (!strcmp(key, "sender")) {
		attr = TORUS_A_LINK_SENDER;
		link->sender = !strcmp(word, "on");
		good = link->sender || !strcmp(word, "off");
		if (!good)
			snprintf(why->text, sizeof(why->text), "sender %s: neither on nor off",
				 word);
	} else if (!strcmp(key, "ber")) {
		attr = TORUS_A_LINK_BER;
		good = parse_ber(word, &link->ber, why);
	} else if (!strcmp(key, "delay")) {
		attr = TORUS_A_LINK_DELAY;
		good = parse_duration(key, word, &times->delay, why);
	} else if (!strcmp(key, "at")) {
		attr = TORUS_A_LINK_AT;
		good = parse_duration(key, word, &times->at, why);
	} else if (!strcmp(key, "for")) {
		attr = TORUS_A_LINK_FOR;
		good = parse_duration(key, word, &times->lasting, why);
		if (good && !times->lasting.ticks && !times->lasting.fs) {
			snprintf(why->text, sizeof(why->text),
				 "for %s: that would be no time at all", word);
			good = false;
		}
	}
	if (!good)
		return false;
	if (attr == TORUS_A_UNSPEC || (link->present & TORUS_NL_HAS(attr))) {
		snprintf(why->text, sizeof(why->text), "%s: %s", key,
			 attr == TORUS_A_UNSPEC ? "a link has no such thing" : "given twice");
		return false;
	}
	link->present |= TORUS_NL_HAS(attr);
	return true;
}

static int link_set(struct ctl *ctl, struct ctl_args *args)
{
	struct torus_nl_link link = { .present = 0 };
	struct fault_times times = { .at = { 0, 0 } };
	struct parse_why why;
	struct target target;
	const char *word;
	const char *key;
	int status;

	status = target_parse(ctl, args, TARGET_NODE | TARGET_DIR | TARGET_ALL, &target);
	if (status)
		return status;
	while ((key = ctl_next(args))) {
		word = ctl_next(args);
		if (!word)
			return ctl_usage(ctl, "%s: its value is missing", key);
		if (!fault_parse(key, word, &link, &times, &why))
			return ctl_bad(ctl, "%s", why.text);
	}
	if (!(link.present & FAULT_MASK))
		return ctl_usage(ctl, "there is nothing to set");
	status = target_find(ctl, &target);
	if (status)
		return status;
	if (target.has_node)
		link.present |= TORUS_NL_HAS(TORUS_A_NODE);
	if (target.has_dir)
		link.present |= TORUS_NL_HAS(TORUS_A_DIR);
	link.node = target.node;
	link.dir = target.dir;
	link.delay_ticks = target_ticks(&target, &times.delay);
	link.at_ticks = target_ticks(&target, &times.at);
	link.for_ticks = target_ticks(&target, &times.lasting);
	return torus_nl_link_set(ctl->nl, target.name, &link) ? ctl_failed(ctl) : ctl_done(ctl);
}

static void links_print(struct ctl *ctl, const struct torus_nl_fabric *fabric,
			const struct torus_nl_link *links, size_t count)
{
	struct json_object *list = NULL;
	size_t i;

	if (ctl->json)
		list = json_object_new_array();
	for (i = 0; i < count; i++) {
		if (list)
			json_object_array_add(list, link_json(ctl, fabric, &links[i]));
		else
			link_text(ctl, fabric, &links[i]);
	}
	if (list)
		output_json(ctl, list);
}

static int link_show(struct ctl *ctl, struct ctl_args *args)
{
	struct torus_nl_link *links;
	struct torus_nl_link one;
	struct target target;
	size_t count;
	int status;

	status = target_parse(ctl, args, TARGET_MAY_NODE | TARGET_MAY_DIR, &target);
	if (status)
		return status;
	status = ctl_end(ctl, args);
	if (status)
		return status;
	status = target_find(ctl, &target);
	if (status)
		return status;
	if (target.has_dir) {
		if (torus_nl_link_get(ctl->nl, target.name, target.node, target.dir, &one))
			return ctl_failed(ctl);
		links_print(ctl, &target.fabric, &one, 1);
		return ctl_done(ctl);
	}
	if (torus_nl_link_dump(ctl->nl, target.name, target.has_node ? &target.node : NULL,
			       &links, &count))
		return ctl_failed(ctl);
	links_print(ctl, &target.fabric, links, count);
	free(links);
	return ctl_done(ctl);
}

static int link_check(struct ctl *ctl, struct ctl_args *args)
{
	struct torus_fabric_counters counters;
	struct torus_nl_link *differ;
	struct json_object *list;
	struct json_object *doc;
	struct target target;
	size_t count;
	size_t i;
	int status;

	status = target_parse(ctl, args, TARGET_FABRIC, &target);
	if (status)
		return status;
	status = ctl_end(ctl, args);
	if (status)
		return status;
	status = target_find(ctl, &target);
	if (status)
		return status;
	if (torus_nl_counter_get(ctl->nl, target.name, &counters))
		return ctl_failed(ctl);
	if (torus_nl_link_check(ctl->nl, target.name, &differ, &count))
		return ctl_failed(ctl);
	if (ctl->json) {
		doc = json_object_new_object();
		list = json_object_new_array();
		for (i = 0; i < count; i++)
			json_object_array_add(list, link_json(ctl, &target.fabric, &differ[i]));
		output_string(doc, "fabric", target.name);
		output_u64(doc, "links", counters.links);
		output_bool(doc, "equal", !count);
		json_object_object_add(doc, "differ", list);
		output_json(ctl, doc);
	} else {
		for (i = 0; i < count; i++)
			link_text(ctl, &target.fabric, &differ[i]);
		if (count)
			printf("%" PRIu64 " links, the CRCs of %zu differ\n",
			       (uint64_t)counters.links, count);
		else
			printf("%" PRIu64 " links, all CRCs equal\n", (uint64_t)counters.links);
	}
	free(differ);
	ctl_done(ctl);
	return count ? CTL_FAILED : CTL_OK;
}

static const struct ctl_command commands[] = {
	{ "show", "FABRIC [NODE [DIR]]", link_show },
	{ "set", "FABRIC NODE|all DIR|all FAULT... [at TICK] [for TICKS]", link_set },
	{ "check", "FABRIC", link_check },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_link = {
	.name = "link",
	.help = "links: state, faults, the CRCs of both ends",
	.details = "NODE = coordinates like 1,2,3 or a number; DIR = x+ x- y+ y- ..\n"
		   "FAULT = state up|down | ber P | corrupt N | escape N | drop-ack N |\n"
		   "        corrupt-ack N | ecc-single N | ecc-double N | parity N |\n"
		   "        delay TICKS | sender on|off\n"
		   "N = the next N packets; TICKS may be a time: 20us\n"
		   "ecc-*, parity: read so from the buffers at the link's far end\n"
		   "Receivers and retransmissions are stopped by register link_control\n",
	.commands = commands,
};
