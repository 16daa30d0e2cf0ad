// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl monitor: events, one a line, until it is interrupted.  With -j each
 * line is one JSON document.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../netlink/event.h"
#include "../report/report.h"
#include "../words/words.h"
#include "ctl.h"
#include "output.h"

#define BER_BITS	64

static const char *const events[] = {
	[TORUS_EVENT_FABRIC_ADD] = "fabric-add",
	[TORUS_EVENT_FABRIC_DEL] = "fabric-del",
	[TORUS_EVENT_FABRIC_SET] = "fabric-set",
	[TORUS_EVENT_FABRIC_RESET] = "fabric-reset",
	[TORUS_EVENT_NODE_SET] = "node-set",
	[TORUS_EVENT_REG_SET] = "reg-set",
	[TORUS_EVENT_LINK_SET] = "link-set",
	[TORUS_EVENT_LINK_PARKED] = "link-parked",
	[TORUS_EVENT_WATCHDOG] = "watchdog",
	[TORUS_EVENT_TRAFFIC_DONE] = "traffic-done",
	[TORUS_EVENT_WATERMARK] = "watermark",
	[TORUS_EVENT_ERROR] = "error",
};

struct watch {
	struct ctl *ctl;
	const char *fabric;
};

static bool has(const struct torus_nl_event *event, enum torus_attr attr)
{
	return event->present & TORUS_NL_HAS(attr);
}

/* The numbers that an event may carry, under the names of the JSON. */
struct event_number {
	const char *name;
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
		{ "uid", TORUS_A_UID, event->uid },
		{ "partition", TORUS_A_PARTITION, event->partition },
		{ "reg", TORUS_A_REG, event->reg },
		{ "value", TORUS_A_REG_VALUE, event->reg_value },
		{ "corrupt", TORUS_A_LINK_CORRUPT, link->corrupt },
		{ "escape", TORUS_A_LINK_ESCAPE, link->escape },
		{ "drop_ack", TORUS_A_LINK_DROP_ACK, link->drop_ack },
		{ "corrupt_ack", TORUS_A_LINK_CORRUPT_ACK, link->corrupt_ack },
		{ "ecc_single", TORUS_A_LINK_ECC_SINGLE, link->ecc_single },
		{ "ecc_double", TORUS_A_LINK_ECC_DOUBLE, link->ecc_double },
		{ "parity", TORUS_A_LINK_PARITY, link->parity },
		{ "delay", TORUS_A_LINK_DELAY, link->delay_ticks },
		{ "peer", TORUS_A_LINK_PEER, link->peer },
		{ "at", TORUS_A_LINK_AT, link->at_ticks },
		{ "for", TORUS_A_LINK_FOR, link->for_ticks },
	};

	memcpy(numbers, all, sizeof(all));
}

static const char *event_name(uint32_t event)
{
	return event < ARRAY_SIZE(events) ? events[event] : "unknown";
}

static void event_text(const struct torus_nl_event *event)
{
	struct event_number numbers[EVENT_NUMBERS];
	char dir[OUTPUT_TEXT_MAX];
	unsigned int i;

	printf("%s", event->fabric);
	if (has(event, TORUS_A_CLOCK))
		printf(" tick %" PRIu64, event->clock);
	printf(" %s", event_name(event->event));
	if (has(event, TORUS_A_NODE))
		printf(" node %" PRIu32, event->link.node);
	if (has(event, TORUS_A_DIR))
		printf(" %s", word_dir_name(event->link.dir, dir, sizeof(dir)));
	if (has(event, TORUS_A_LINK_STATE))
		printf(" state %s", event->link.state ? "up" : "down");
	if (has(event, TORUS_A_LINK_BER))
		printf(" ber %.6g", word_double(event->link.ber, BER_BITS));
	event_numbers(event, numbers);
	for (i = 0; i < EVENT_NUMBERS; i++)
		if (has(event, numbers[i].attr))
			printf(" %s %" PRIu64, numbers[i].name, numbers[i].value);
	if (*event->text)
		printf(": %s", event->text);
	putchar('\n');
}

static struct json_object *event_json(const struct torus_nl_event *event)
{
	struct json_object *object = json_object_new_object();
	struct event_number numbers[EVENT_NUMBERS];
	char dir[OUTPUT_TEXT_MAX];
	unsigned int i;

	output_string(object, "event", event_name(event->event));
	output_string(object, "fabric", event->fabric);
	if (has(event, TORUS_A_CLOCK))
		output_u64(object, "clock", event->clock);
	if (has(event, TORUS_A_NODE))
		output_u64(object, "node", event->link.node);
	if (has(event, TORUS_A_DIR))
		output_string(object, "dir", word_dir_name(event->link.dir, dir, sizeof(dir)));
	if (has(event, TORUS_A_LINK_STATE))
		output_string(object, "state", event->link.state ? "up" : "down");
	if (has(event, TORUS_A_LINK_BER))
		output_double(object, "ber", word_double(event->link.ber, BER_BITS));
	event_numbers(event, numbers);
	for (i = 0; i < EVENT_NUMBERS; i++)
		if (has(event, numbers[i].attr))
			output_u64(object, numbers[i].name, numbers[i].value);
	if (*event->text)
		output_string(object, "text", event->text);
	return object;
}

static int on_event(const struct torus_nl_reply *reply, void *arg)
{
	const struct watch *watch = arg;
	struct torus_nl_event event;
	int error = torus_nl_event_parse(reply, &event);

	if (error)
		return error;
	if (watch->fabric && strcmp(watch->fabric, event.fabric))
		return 0;
	if (watch->ctl->json)
		output_json(watch->ctl, event_json(&event));
	else
		event_text(&event);
	/* Whoever reads through a pipe wants it now; a reader gone ends the watch. */
	return output_flush() ? -EPIPE : 0;
}

static int monitor(struct ctl *ctl, struct ctl_args *args)
{
	struct watch watch = { .ctl = ctl };
	struct torus_nl_fabric fabric;
	struct word_why why;
	int status;
	int error;

	watch.fabric = ctl_next(args);
	if (watch.fabric && !word_name(watch.fabric, &why))
		return ctl_bad(ctl, "%s", why.text);
	status = ctl_end(ctl, args);
	if (status)
		return status;
	status = ctl_connect(ctl);
	if (status)
		return status;
	if (watch.fabric && torus_nl_fabric_get(ctl->nl, watch.fabric, &fabric))
		return ctl_failed(ctl);
	if (torus_nl_listen(ctl->nl))
		return ctl_failed(ctl);
	do {
		error = torus_nl_receive(ctl->nl, on_event, &watch);
		if (error == -ENOBUFS)
			ctl_tell(ctl, "%s", torus_nl_error(ctl->nl));
	} while (error == -ENOBUFS);
	return error == -EPIPE ? CTL_FAILED : ctl_failed(ctl);
}

static const struct ctl_command commands[] = {
	{ "", "[FABRIC]", monitor },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_monitor = {
	.name = "monitor",
	.help = "events as they happen, one a line",
	.commands = commands,
};
