// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl fabric step and run: advance a paused fabric, and print the events of packets in the
 * format of torus-sim run --trace.
 *
 * The module runs the fabric piece by piece, one piece for each request. If a signal ends torusctl,
 * no request follows, and the fabric stays paused.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "../common/array.h"
#include "../config/args.h"
#include "../config/diag.h"
#include "../config/fabric_args.h"
#include "../config/node_addr.h"
#include "../netlink/fabric.h"
#include "../netlink/paused_run.h"
#include "../parse/integer.h"
#include "../parse/node_set.h"
#include "../parse/time.h"
#include "../report/json.h"
#include "event_list.h"
#include "paused_run.h"
#include "print/output.h"

#define WORDS_MAX	64		/* maximum number of arguments NODES */
#define TICKS_MAX	(1ull << 40)	/* maximum ticks of a step */

/**
 * struct run - a call of step or run
 * @ctl: the call
 * @name: name of the fabric
 * @fabric: the fabric, described by the module; its clock is that of the last events printed
 * @request: the run
 * @reg: name of the register in @request, if it has one
 * @until: tick at which the run ends, as it was typed, if @request.has_tick
 * @places: the arguments NODES
 * @nplaces: number of these arguments
 * @nodes: the numbers of their nodes
 * @nnodes: number of nodes
 * @list: events that are not printed yet
 */
struct run {
	struct ctl *ctl;
	const char *name;
	struct torus_nl_fabric fabric;
	struct torus_nl_run request;
	char reg[TORUS_NAME_MAX];
	struct parse_time until;
	struct parse_places places[WORDS_MAX];
	size_t nplaces;
	uint32_t *nodes;
	size_t nnodes;
	struct event_list list;
};

/* ----------------------------------------------------------------- arguments */

/* Parse [N]. */
static int step_words(struct run *run, struct ctl_args *args)
{
	const char *word = ctl_next(args);
	struct parse_error why;
	__u64 ticks = 1;

	if (word && !parse_number("step", word, 1, TICKS_MAX, &ticks, &why))
		return ctl_reject(run->ctl, "%s", why.text);
	run->request.ticks = ticks;
	return ctl_end(run->ctl, args);
}

/* Parse REG[=VALUE]. */
static int access_word(struct run *run, const char *word)
{
	size_t length = strcspn(word, "=");
	struct parse_error why;

	if (length >= sizeof(run->reg))
		return ctl_reject(run->ctl, "register %s: must have at most %zu characters", word,
				  sizeof(run->reg) - 1);
	memcpy(run->reg, word, length);
	run->reg[length] = '\0';
	run->request.reg = run->reg;
	run->request.has_value = word[length];
	if (word[length] && !parse_u32(run->reg, word + length + 1, 0, ~0u, &run->request.value,
				       &why))
		return ctl_reject(run->ctl, "%s", why.text);
	return CTL_OK;
}

/* Parse the argument of an event that has one. @word: [in, out] next word, NULL at the end. */
static int event_word(struct run *run, struct ctl_args *args, const char **word)
{
	const char *event = run->request.event, *argument = *word;

	/* nodes begin with a digit */
	if (!argument || !isalpha((unsigned char)*argument) || !strcmp(argument, "all"))
		return CTL_OK;
	if (strcmp(event, "interrupt") && strcmp(event, "access"))
		return CTL_OK;
	*word = ctl_next(args);
	if (!strcmp(event, "access"))
		return access_word(run, argument);
	run->request.cause = argument;
	return CTL_OK;
}

/* Parse until TICK|EVENT [CAUSE|REG[=VALUE]] [NODES]. */
static int run_words(struct run *run, struct ctl_args *args)
{
	const char *word = ctl_next(args);
	struct parse_error why;
	int status;

	if (!word)
		return ctl_usage(run->ctl, "the word until is missing");
	if (strcmp(word, "until"))
		return ctl_usage(run->ctl, "unexpected argument: %s", word);
	word = ctl_next(args);
	if (!word)
		return ctl_usage(run->ctl, "until: a tick or an event is missing");
	if (isdigit((unsigned char)*word)) {
		run->request.has_tick = true;
		if (!parse_time("until", word, &run->until, &why))
			return ctl_reject(run->ctl, "%s", why.text);
		return ctl_end(run->ctl, args);
	}
	run->request.event = word;
	word = ctl_next(args);
	status = event_word(run, args, &word);
	if (status)
		return status;
	for (; word; word = ctl_next(args)) {
		if (run->nplaces == WORDS_MAX)
			return ctl_reject(run->ctl, "nodes %s: must be at most %d arguments", word,
					  WORDS_MAX);
		if (!parse_places(word, &run->places[run->nplaces++], &why))
			return ctl_reject(run->ctl, "%s", why.text);
	}
	return CTL_OK;
}

/* Convert the arguments NODES to numbers of nodes. */
static int run_nodes(struct run *run)
{
	struct place_list list;
	size_t i, k;
	int status;

	for (i = 0; i < run->nplaces; i++) {
		list = (struct place_list){ .count = 0 };
		status = place_numbers(run->ctl, &run->fabric, &run->places[i], &list);
		for (k = 0; !status && k < list.count; k++) {
			uint32_t *node = torus_array_add(&run->nodes, &run->nnodes);

			if (node) {
				*node = list.numbers[k];
				continue;
			}
			ctl_error(run->ctl, "out of memory for the nodes");
			status = CTL_FAILED;
		}
		free(list.numbers);
		if (status)
			return status;
	}
	if (run->nnodes > TORUS_NL_RUN_NODES_MAX)
		return ctl_reject(run->ctl, "%zu nodes: must be at most %d; without nodes, the "
				  "events of all nodes count", run->nnodes, TORUS_NL_RUN_NODES_MAX);
	run->request.nodes = run->nodes;
	run->request.nnodes = run->nnodes;
	return CTL_OK;
}

/* -------------------------------------------------------------------- output */

/* Keep the events of a piece. */
static int run_keep(struct run *run, const struct torus_nl_piece *piece)
{
	int status = CTL_OK;
	size_t i;

	for (i = 0; i < piece->count && !status; i++)
		status = event_list_add(run->ctl, &run->list, &piece->events[i]);
	return status;
}

/* Print the header of events. Calls of a batch print one, until the fabric is another one. */
static void run_print_head(const struct run *run)
{
	static char headed[TORUS_NAME_MAX + PARSE_SHAPE_MAX + 64];
	char shape[PARSE_SHAPE_MAX], key[sizeof(headed)];

	snprintf(key, sizeof(key), "%s %s %s %llu", run->name, run->fabric.arch,
		 torus_geometry_shape(&run->list.config.geo, shape, sizeof(shape)),
		 (unsigned long long)run->fabric.tick_fs);
	if (!strcmp(key, headed))
		return;
	strcpy(headed, key);
	packet_event_head(stdout, &run->list.config);
}

/* Print the events of all pieces since the last call. */
static void run_print(struct run *run, const struct torus_nl_piece *piece, uint64_t lost)
{
	if (!run->ctl->json && run->list.count)
		run_print_head(run);
	event_list_print(stdout, run->ctl->json, &run->list);
	if (lost)
		packet_event_lost(stdout, run->ctl->json, run->fabric.clock, lost);
	run->fabric.clock = piece->clock;
}

/* Print where and why the fabric has stopped. */
static void run_print_end(const struct run *run, const struct torus_nl_piece *piece)
{
	struct json_object *doc = json_object_new_object();

	report_add_u64(doc, "tick", piece->clock);
	report_add_text(doc, "why", piece->why);
	if (*piece->event) {
		report_add_text(doc, "event", piece->event);
		report_add_u64(doc, "node", piece->node);
	}
	if (*piece->cause)
		report_add_text(doc, "cause", piece->cause);
	if (*piece->reg) {
		report_add_text(doc, "register", piece->reg);
		report_add_u64(doc, "value", piece->value);
	}
	if (run->ctl->json)
		output_row(run->ctl, doc);
	else
		report_item(NULL, doc, run->ctl->quiet ? "{tick}\n" :
			    "# stopped at tick {tick}: {why%m}\n");
}

/* ----------------------------------------------------------------------- run */

/* Let the module do all pieces of a run. */
static int run_pieces(struct run *run)
{
	static struct torus_nl_piece piece;
	uint64_t lost = 0;

	if (torus_nl_run_begin(run->ctl->nl, run->name, &run->request))
		return ctl_failed(run->ctl);
	do {
		if (torus_nl_run_next(run->ctl->nl, run->name, &piece))
			return ctl_failed(run->ctl);
		if (run_keep(run, &piece))
			return CTL_FAILED;
		lost += piece.lost;
		if (piece.left)
			continue;
		run_print(run, &piece, lost);
		lost = 0;
	} while (!piece.done);
	run_print_end(run, &piece);
	if (!piece.early)
		return ctl_done(run->ctl);
	ctl_error(run->ctl, "fabric %s: stopped at tick %llu: %s", run->name,
		  (unsigned long long)piece.clock, piece.why);
	return CTL_FAILED;
}

static int run_call(struct ctl *ctl, struct ctl_args *args,
		    int (*words)(struct run *run, struct ctl_args *args))
{
	struct run run = { .ctl = ctl, .request = { .record = !ctl->quiet } };
	int status = fabric_args_name(ctl, args, &run.name);

	if (!status)
		status = words(&run, args);
	if (!status)
		status = ctl_connect(ctl);
	if (status)
		return status;
	if (torus_nl_fabric_get(ctl->nl, run.name, &run.fabric))
		return ctl_failed(ctl);
	run.request.tick = parse_time_ticks(&run.until, run.fabric.tick_fs);
	status = run_nodes(&run);
	if (!status)
		status = event_list_begin(ctl, &run.fabric, &run.list);
	if (!status)
		status = run_pieces(&run);
	free(run.nodes);
	event_list_free(&run.list);
	return status;
}

/**
 * fabric_step - run torusctl fabric step NAME [N]
 *
 * Return: CTL_OK; CTL_FAILED or CTL_USAGE after an error message.
 */
int fabric_step(struct ctl *ctl, struct ctl_args *args)
{
	return run_call(ctl, args, step_words);
}

/**
 * fabric_run - run torusctl fabric run NAME until TICK|EVENT [CAUSE|REG[=VALUE]] [NODES]
 *
 * Return: CTL_OK; CTL_USAGE after an error message; CTL_FAILED after an error message, also if the
 * run has ended before its tick or its event.
 */
int fabric_run(struct ctl *ctl, struct ctl_args *args)
{
	return run_call(ctl, args, run_words);
}
