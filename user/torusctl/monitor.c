// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl monitor: print one event per line until a signal ends it. With -j each line is a JSON
 * document.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../parse/name.h"
#include "../parse/parse.h"
#include "../config/args.h"
#include "cli.h"
#include "../config/ctl.h"
#include "print/event.h"
#include "objects.h"
#include "../config/oneline.h"
#include "print/output.h"
#include "../config/diag.h"

#define KINDS_MAX	16	/* maximum number of event kinds in one call */

/* Names for groups of events. */
static const struct {
	const char *kind;
	const char *events;
} groups[] = {
	{ "program", "attach detach" }, { "interrupt", "watermark error" },
};

/**
 * struct watch - the selected events and their source
 * @ctl: the call
 * @fabric: name of the fabric; NULL: all fabrics
 * @kinds: kinds of events that are printed
 * @nkinds: number of kinds; 0: print all events
 * @names: names for the numbers that events contain
 */
struct watch {
	struct ctl *ctl;
	const char *fabric;
	const char *kinds[KINDS_MAX];
	size_t nkinds;
	struct event_names names;
};

/* Check whether @word is one of the words in @list, which are separated by blanks. */
static bool is_word_of(const char *list, const char *word)
{
	size_t length = strlen(word);
	const char *at = list;

	while ((at = strstr(at, word))) {
		if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return true;
		at += length;
	}
	return false;
}

/*
 * Check whether @kind selects @event. A kind is the event's name, the object at the start of that
 * name, or a group of events.
 */
static bool is_kind(const char *kind, const char *event)
{
	size_t length = strlen(kind);
	size_t i;

	if (!strncmp(event, kind, length) && (!event[length] || event[length] == '-'))
		return true;
	for (i = 0; i < ARRAY_SIZE(groups); i++)
		if (!strcmp(kind, groups[i].kind))
			return is_word_of(groups[i].events, event);
	return false;
}

static bool is_wanted(const struct watch *watch, const struct torus_nl_event *event)
{
	size_t i;

	if (watch->fabric && strcmp(watch->fabric, event->fabric))
		return false;
	for (i = 0; i < watch->nkinds; i++)
		if (is_kind(watch->kinds[i], event_name(event->event)))
			return true;
	return !watch->nkinds;
}

static int on_event(const struct torus_nl_reply *reply, void *arg)
{
	struct watch *watch = arg;
	struct torus_nl_event event;
	struct json_object *record;
	int error = torus_nl_event_parse(reply, &event);

	if (error)
		return error;
	event_learn(&watch->names, &event);
	if (!is_wanted(watch, &event))
		return 0;
	record = event_json(watch->ctl, &watch->names, &event);
	if (watch->ctl->json)
		output_row(watch->ctl, record);
	else
		report_item(NULL, record, event_form);
	/*
	 * flush after each event for the reader of a pipe; stop if the reader has closed the pipe
	 */
	return output_flush() ? -EPIPE : 0;
}

static int kind_add(struct ctl *ctl, struct watch *watch, const char *kind)
{
	char all[512] = "";
	size_t used = 0;
	uint32_t event;
	bool found = false;
	size_t i;

	for (event = 0; event_name(event); event++)
		found |= is_kind(kind, event_name(event));
	if (found && *kind && watch->nkinds < KINDS_MAX) {
		watch->kinds[watch->nkinds++] = kind;
		return CTL_OK;
	}
	if (found && *kind)
		return ctl_reject(ctl, "events %s: must name at most %d kinds", kind, KINDS_MAX);
	for (i = 0; i < ARRAY_SIZE(groups); i++)
		used += snprintf(all + used, sizeof(all) - used, "%s ", groups[i].kind);
	used += snprintf(all + used, sizeof(all) - used, "fabric node reg link traffic counter "
			 "job");
	for (event = 0; event_name(event) && used < sizeof(all); event++)
		used += snprintf(all + used, sizeof(all) - used, " %s", event_name(event));
	return ctl_reject(ctl, "events %s: unknown kind (there are: %s)", kind, all);
}

/* Parse [FABRIC] [events KIND[,KIND]...]. */
static int watch_words(struct ctl *ctl, struct ctl_args *args, struct watch *watch)
{
	const char *word = ctl_next(args);
	struct parse_error why;
	int status = CTL_OK;
	char *comma;
	char *kind;

	if (word && strcmp(word, "events")) {
		watch->fabric = word;
		if (!parse_name(word, &why))
			return ctl_reject(ctl, "%s", why.text);
		word = ctl_next(args);
	}
	if (word && strcmp(word, "events"))
		return ctl_usage(ctl, "unexpected argument: %s", word);
	if (!word)
		return CTL_OK;
	if (args->at == args->count)
		return ctl_usage(ctl, "events: the kinds are missing");
	while (!status && args->at < args->count) {
		for (kind = args->words[args->at++]; kind && !status; kind = comma) {
			comma = strchr(kind, ',');
			if (comma)
				*comma++ = '\0';
			status = kind_add(ctl, watch, kind);
		}
	}
	return status;
}

static int monitor(struct ctl *ctl, struct ctl_args *args)
{
	struct watch watch = { .ctl = ctl };
	struct torus_nl_fabric fabric;
	struct torus_nl *ask;
	int status;
	int error;

	status = watch_words(ctl, args, &watch);
	if (!status)
		status = ctl_connect(ctl);
	if (status)
		return status;
	if (watch.fabric && torus_nl_fabric_get(ctl->nl, watch.fabric, &fabric))
		return ctl_failed(ctl);
	/* a session that receives events cannot send requests */
	ask = torus_nl_new();
	if (!ask || torus_nl_connect(ask)) {
		ctl_error(ctl, "%s", ask ? torus_nl_error(ask) : "out of memory");
		torus_nl_free(ask);
		return CTL_FAILED;
	}
	event_names_init(&watch.names, ask);
	ctl_stoppable();
	error = torus_nl_listen(ctl->nl);
	if (error < 0) {
		torus_nl_free(ask);
		return ctl_failed(ctl);
	}
	if (watch.fabric && !fabric.watched) {
		torus_nl_free(ask);
		ctl_error(ctl,
			  "fabric %s: receiving its events requires CAP_NET_ADMIN in the initial "
			  "user namespace", watch.fabric);
		return CTL_FAILED;
	}
	do {
		error = torus_nl_receive(ctl->nl, on_event, &watch);
		if (error == -ENOBUFS)
			ctl_error(ctl, "%s", torus_nl_error(ctl->nl));
	} while (error == -ENOBUFS);
	torus_nl_free(ask);
	return error == -EPIPE ? CTL_FAILED : ctl_failed(ctl);
}

static const struct ctl_command commands[] = {
	{ "", "[FABRIC] [events KIND[,KIND]...]", monitor },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_monitor = {
	.name = "monitor",
	.help = "print events as they happen, one per line",
	.details = "KIND = fabric node reg link traffic counter: all events of that object;\n"
		   "       program (attach, detach); interrupt (watermark, error); or the name of "
		   "one event\n",
	.commands = commands,
};
