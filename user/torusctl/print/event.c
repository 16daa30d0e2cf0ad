// SPDX-License-Identifier: GPL-2.0
/* Convert events to records with the names of nodes, directions and registers. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "../../report/json.h"
#include "../../parse/fault.h"
#include "../../parse/integer.h"
#include "../../parse/shape.h"
#include "../../parse/parse.h"
#include "event.h"
#include "output.h"
#include "../../config/node_addr.h"
#include "uapi_tables.h"

#define BER_BITS	64
#define TIME_MAX	48	/* buffer size for a time of day, in bytes */

/* uapi_tables.h has TORUS_EACH_EVENT: scripts/uapi.py generates the list from linux/torus.h. */
#define EVENT(event, name)	[event] = name,

static const char *const events[] = { TORUS_EACH_EVENT(EVENT) };

/**
 * event_name - get the name of a type of events
 * @event: enum torus_event_type
 *
 * Return: its name, or NULL if the number is unknown.
 */
const char *event_name(uint32_t event)
{
	return event < ARRAY_SIZE(events) ? events[event] : NULL;
}

static const char *name_or_unknown(const struct torus_nl_event *event)
{
	const char *name = event_name(event->event);

	return name ? name : "unknown";
}

/* ------------------------------------------------------------------- names */

/**
 * event_names_init - initialize an empty table of names
 * @names: [out] the table
 * @ask: session for requests to the module; must stay valid as long as @names
 */
void event_names_init(struct event_names *names, struct torus_nl *ask)
{
	*names = (struct event_names){ .ask = ask };
}

/**
 * event_learn - read the names for the numbers in an event from the module, unless @names has them
 * @names: [in, out] the table
 * @event: the event
 *
 * If the fabric was deleted meanwhile, the numbers of the event are printed without names.
 */
void event_learn(struct event_names *names, const struct torus_nl_event *event)
{
	bool other = strcmp(names->fabric.name, event->fabric);

	if (!other && event->event != TORUS_EVENT_FABRIC_ADD)
		return;
	free(names->regs);
	names->regs = NULL;
	names->nregs = 0;
	names->fabric.name[0] = '\0';
	if (event->event == TORUS_EVENT_FABRIC_DEL ||
	    torus_nl_fabric_get(names->ask, event->fabric, &names->fabric))
		names->fabric.name[0] = '\0';
	else if (torus_nl_reg_list(names->ask, event->fabric, &names->regs, &names->nregs))
		names->regs = NULL;
}

static const struct torus_nl_fabric *known(const struct event_names *names)
{
	return *names->fabric.name ? &names->fabric : NULL;
}

static const char *reg_name(const struct event_names *names, uint32_t offset)
{
	size_t i;

	for (i = 0; names->regs && i < names->nregs; i++)
		if (names->regs[i].reg == offset)
			return names->regs[i].name;
	return NULL;
}

static const char *time_of_day(char *text, size_t size)
{
	struct timeval now;
	struct tm local;
	size_t used;

	gettimeofday(&now, NULL);
	localtime_r(&now.tv_sec, &local);
	used = strftime(text, size, "%Y-%m-%dT%H:%M:%S", &local);
	snprintf(text + used, size - used, ".%06ld", (long)now.tv_usec);
	return text;
}

/* ------------------------------------------------------------------ numbers */

static bool has(const struct torus_nl_event *event, enum torus_attr attr)
{
	return event->present & TORUS_NL_HAS(attr);
}

/* A number in an event: the JSON key, the netlink attribute and the value. */
struct event_number {
	const char *key;
	enum torus_attr attr;
	uint64_t value;
};

#define EVENT_NUMBERS	16

static void event_numbers(const struct torus_nl_event *event,
			  struct event_number numbers[EVENT_NUMBERS])
{
	const struct torus_nl_link *link = &event->link;
	const struct event_number all[EVENT_NUMBERS] = {
		{ "group", TORUS_A_GROUP, event->group },
		{ "partition", TORUS_A_PARTITION, event->partition },
		{ "corrupt", TORUS_A_LINK_CORRUPT, link->corrupt },
		{ "escape", TORUS_A_LINK_ESCAPE, link->escape },
		{ "drop_ack", TORUS_A_LINK_DROP_ACK, link->drop_ack },
		{ "drop_nack", TORUS_A_LINK_DROP_NACK, link->drop_nack },
		{ "corrupt_ack", TORUS_A_LINK_CORRUPT_ACK, link->corrupt_ack },
		{ "ecc_single", TORUS_A_LINK_ECC_SINGLE, link->ecc_single },
		{ "ecc_double", TORUS_A_LINK_ECC_DOUBLE, link->ecc_double },
		{ "parity", TORUS_A_LINK_PARITY, link->parity },
		{ "delay", TORUS_A_LINK_DELAY, link->delay_ticks },
		{ "peer", TORUS_A_LINK_PEER, link->peer },
		{ "at", TORUS_A_LINK_AT, link->at_ticks },
		{ "for", TORUS_A_LINK_FOR, link->for_ticks },
		{ "seed", TORUS_A_SEED, event->seed },
		{ "domains", TORUS_A_DOMAINS, event->domains },
	};

	memcpy(numbers, all, sizeof(all));
}

/* ------------------------------------------------------------------- records */

static void add_what(struct json_object *object, const struct event_names *names,
		     const struct torus_nl_event *event)
{
	struct json_object *params;
	const char *name;
	char text[PARSE_SHAPE_MAX];
	size_t i;

	if (*event->arch) {
		report_add_text(object, "arch", event->arch);
		report_add_text(object, "shape",
				parse_shape_text(event->nshape, event->shape, text, sizeof(text)));
	}
	if (has(event, TORUS_A_REG)) {
		name = reg_name(names, event->reg);
		report_add_u64(object, "reg", event->reg);
		if (name)
			report_add_text(object, "register", name);
		report_add_u64(object, "value", event->reg_value);
	}
	/* null: the node has no owner, so every user may attach */
	if (has(event, TORUS_A_UID))
		json_object_object_add(object, "uid", event->uid == UINT32_MAX ? NULL :
				       json_object_new_uint64(event->uid));
	if (*event->command)
		report_add_text(object, "command", event->command);
	if (event->signal)
		report_add_u64(object, "signal", event->signal);
	if (!event->nparams)
		return;
	params = json_object_new_object();
	for (i = 0; i < event->nparams; i++) {
		const struct torus_nl_param *param = &event->params[i];

		if (*param->text)
			report_add_text(params, param->key, param->text);
		else
			report_add_u64(params, param->key, param->value);
	}
	json_object_object_add(object, "params", params);
}

/* Add the members that only the text output shows to the record of an event. */
static void add_text(struct json_object *object, const struct torus_nl_event *event)
{
	const char *signal = sigabbrev_np(event->signal);
	char text[OUTPUT_TEXT_MAX];

	snprintf(text, sizeof(text), "%" PRIu32, event->uid);
	if (has(event, TORUS_A_UID))
		report_add_text(object, "owner", event->uid == UINT32_MAX ? "any" : text);
	if (signal)
		snprintf(text, sizeof(text), "SIG%s", signal);
	else
		snprintf(text, sizeof(text), "signal %" PRIu32, event->signal);
	if (event->signal)
		report_add_text(object, "killed", text);
}

const char event_form[] =
	"{+time}[{time}] {/}{fabric}{+clock} tick {clock}{/} {event}"
	"{+node} node " OUTPUT_PLACE "{:}{?event=link-set} all{/}{/}"
	"{+dir} {dir}{:}{?event=link-set} all{/}{/}"
	"{+arch} arch {arch} shape {shape}{/}"
	"{+reg} {+register}{register}{:}register 0x{reg%02x}{/} 0x{value%08x}{/}"
	"{+state} state {state}{/}{+sender} sender {sender}{/}{+ber} ber {ber%.6g}{/}"
	"{+group} group {group}{/}{+partition} partition {partition}{/}"
	"{+corrupt} corrupt {corrupt}{/}{+escape} escape {escape}{/}"
	"{+drop_ack} drop-ack {drop_ack}{/}{+drop_nack} drop-nack {drop_nack}{/}"
	"{+corrupt_ack} corrupt-ack {corrupt_ack}{/}{+ecc_single} ecc-single {ecc_single}{/}"
	"{+ecc_double} ecc-double {ecc_double}{/}{+parity} parity {parity}{/}"
	"{+delay} delay {delay}{/}{+peer} peer {peer}{/}{+at} at {at}{/}{+for} for {for}{/}"
	"{+seed} seed {seed}{/}{+domains} domains {domains}{/}{+command} {command}{/}"
	"{+owner} uid {owner}{/}{+killed} killed by {killed}{/}"
	"{#params} {@} {.}{/}{+text}: {text%m}{/}\n";

/**
 * event_json - convert an event to a record
 * @ctl: the call; with option --timestamp the record has the time of day
 * @names: names for the numbers in the event
 * @event: the event
 *
 * Return: the record; event_form formats it as text.
 */
struct json_object *event_json(const struct ctl *ctl, const struct event_names *names,
			       const struct torus_nl_event *event)
{
	struct json_object *object = json_object_new_object();
	struct event_number numbers[EVENT_NUMBERS];
	char dir[OUTPUT_TEXT_MAX];
	char text[TIME_MAX];
	unsigned int i;

	if (ctl->timestamp)
		report_add_text(object, "time", time_of_day(text, sizeof(text)));
	report_add_text(object, "event", name_or_unknown(event));
	report_add_text(object, "fabric", event->fabric);
	if (has(event, TORUS_A_CLOCK))
		report_add_u64(object, "clock", event->clock);
	if (has(event, TORUS_A_NODE) && known(names))
		output_node(object, known(names), event->link.node);
	else if (has(event, TORUS_A_NODE))
		report_add_u64(object, "node", event->link.node);
	if (has(event, TORUS_A_DIR))
		report_add_text(object, "dir", parse_dir_name(event->link.dir, dir, sizeof(dir)));
	if (has(event, TORUS_A_LINK_STATE))
		report_add_text(object, "state", event->link.state ? "up" : "down");
	if (has(event, TORUS_A_LINK_SENDER))
		report_add_text(object, "sender", parse_sender_name(event->link.sender));
	if (has(event, TORUS_A_NODE_STATE))
		report_add_text(object, "state", parse_node_state_name(event->node_state));
	if (has(event, TORUS_A_LINK_BER))
		report_add_double(object, "ber", parse_double(event->link.ber, BER_BITS));
	event_numbers(event, numbers);
	for (i = 0; i < EVENT_NUMBERS; i++)
		if (has(event, numbers[i].attr))
			report_add_u64(object, numbers[i].key, numbers[i].value);
	add_what(object, names, event);
	if (*event->text)
		report_add_text(object, "text", event->text);
	if (!ctl->json)
		add_text(object, event);
	return object;
}
