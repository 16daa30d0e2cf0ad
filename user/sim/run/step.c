// SPDX-License-Identifier: GPL-2.0
/*
 * The options --stop-at and --step: stop a run at a tick or after the tick of an event, and advance
 * it by one tick, or by a given number, for each line on standard input.
 *
 * When the run stops at --stop-at, the events of its last tick are printed. With --step, the events
 * of each further step are printed.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

#include "../../parse/integer.h"
#include "../../parse/parse.h"
#include "../../report/json.h"
#include "../../report/report.h"
#include "../base/message.h"
#include "../base/signals.h"
#include "core/base/node_number.h"
#include "step.h"

#define NEVER	(~0ull)
/* Maximum number of ticks of a step. */
#define STEP_MAX	(1ull << 40)

/**
 * sim_step_begin - prepare the stops of a run
 * @step: [out] the state
 * @options: options of the run
 * @trace: recorder of the fabric's events
 * @fabric: the fabric, before its first tick
 */
void sim_step_begin(struct sim_step *step, const struct sim_run_config *options,
		    struct sim_trace *trace, struct torus_fabric *fabric)
{
	const struct sim_stop_at *stop = &options->stop_at;

	*step = (struct sim_step){
		.options = options, .trace = trace, .fabric = fabric, .next = NEVER,
		.stepping = options->step && !stop->word,
	};
	if (step->stepping)
		step->next = 0;
	else if (stop->word && !stop->event)
		step->next = stop->tick;
	if (stop->event)
		torus_stop_set(fabric, &stop->when);
	trace->keep = step->stepping;
}

/*
 * Read the length of the next step: the number on the line, or 1 if the line is empty. Return: the
 * number of ticks; 0 at the end of the input, or after a signal.
 */
static u64 read_ticks(struct sim_step *step)
{
	bool terminal = isatty(STDIN_FILENO);
	struct parse_error why;
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;
	u64 ticks;

	for (;;) {
		ticks = 1;
		if (terminal)
			fprintf(stderr, "tick %llu> ",
				(unsigned long long)torus_fabric_clock(step->fabric));
		n = getline(&line, &cap, stdin);
		if (n < 0 || sim_interrupted()) {
			ticks = 0;
			break;
		}
		while (n && isspace((unsigned char)line[n - 1]))
			line[--n] = '\0';
		if (!n || parse_number("step", line, 1, STEP_MAX, &ticks, &why))
			break;
		sim_message("%s", why.text);
	}
	free(line);
	return ticks;
}

/**
 * sim_step_continue - between two slices of a run: stop it if a stop is due
 * @step: the state
 *
 * Return: false if the run must end here.
 */
bool sim_step_continue(struct sim_step *step)
{
	u64 clock = torus_fabric_clock(step->fabric), ticks;

	step->met = step->met || (!step->stepping && torus_stop_met(step->fabric, &step->why));
	if (!step->met && clock < step->next)
		return true;
	if (step->met || step->next)
		sim_trace_lines(step->trace, stdout, step->options->json, clock);
	if (!step->stepping && step->options->step) {
		/* from here on each tick is printed */
		step->stepping = true;
		step->trace->keep = true;
		torus_stop_set(step->fabric, NULL);
	}
	ticks = step->stepping ? read_ticks(step) : 0;
	step->met &= !ticks;
	step->next = ticks ? clock + ticks : NEVER;
	step->stopped = !ticks && !sim_interrupted();
	step->clock = clock;
	return ticks;
}

/**
 * sim_step_next - tick at which the run must return to sim_step_continue()
 * @step: the state
 *
 * Return: the tick; 0 if there is none.
 */
u64 sim_step_next(const struct sim_step *step)
{
	return step->next == NEVER ? 0 : step->next;
}

/* Report why the run has ended before its end. */
static void report_stop(const struct sim_step *step)
{
	char node[PARSE_COORDS_MAX];

	if (!step->met) {
		sim_message("stopped at tick %llu: the results so far are printed",
			    (unsigned long long)step->clock);
		return;
	}
	sim_message("stopped at tick %llu, after the event %s at node %s: the results so far are "
		    "printed", (unsigned long long)step->clock, torus_stop_name(step->why.event),
		    torus_geometry_text(&step->fabric->cfg.geo, step->why.node, node,
					sizeof(node)));
}

/**
 * sim_step_end - print the last events of a run, and report why it has stopped
 * @step: the state, after the run
 *
 * Return: SIM_OK; SIM_FAILED after an error message if the run has ended before --stop-at.
 */
int sim_step_end(struct sim_step *step)
{
	const struct sim_stop_at *stop = &step->options->stop_at;
	u64 clock = torus_fabric_clock(step->fabric);

	torus_stop_set(step->fabric, NULL);
	if (step->stopped) {
		report_stop(step);
		return SIM_OK;
	}
	if (step->stepping)
		sim_trace_lines(step->trace, stdout, step->options->json, clock);
	else if (stop->word && !sim_interrupted() && (stop->event || clock < stop->tick))
		return sim_error("--stop-at %s: the run has ended before, at tick %llu",
				 stop->word, (unsigned long long)clock);
	return SIM_OK;
}

/**
 * sim_step_json - add the stop to the results
 * @doc: [in, out] the document
 * @step: the state, after the run
 */
void sim_step_json(struct json_object *doc, const struct sim_step *step)
{
	struct json_object *part;

	if (!step->stopped)
		return;
	part = json_object_new_object();
	report_add_u64(part, "tick", step->clock);
	if (step->met) {
		report_add_text(part, "event", torus_stop_name(step->why.event));
		report_add_u64(part, "node",
			       torus_node_number(&step->fabric->cfg.geo, step->why.node));
	}
	json_object_object_add(doc, "stopped", part);
}
