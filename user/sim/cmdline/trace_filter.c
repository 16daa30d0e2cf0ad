// SPDX-License-Identifier: GPL-2.0
/*
 * Options that select the events of a trace: --trace-packets, --trace-links, --trace-window and
 * --trace-limit.
 */
#include <string.h>

#include "../../parse/integer.h"
#include "../../parse/time.h"
#include "../../parse/parse.h"
#include "trace_filter.h"
#include "../base/message.h"
#include "../trace/trace.h"
#include "cmdline.h"
#include "../base/selector.h"

#define TEXT_MAX	256
#define LIMIT_DEFAULT	1000000
#define LIMIT_MAX	(1ull << 32)

/* Parse N or N-M: sequence numbers of a source's packets. */
static bool take_numbers(const char *word, struct sim_trace_packets *packets,
			 struct parse_error *why)
{
	const char *dash = strchr(word, '-'), *end = word + strlen(word);
	__u64 first, last;

	if (!parse_part(word, dash ? dash : end, &first) || first > ~0u ||
	    !parse_part(dash ? dash + 1 : word, end, &last) || last > ~0u)
		return parse_fail(why, "%s: must be the number of a packet or a range like 0-3",
				  word);
	if (first > last)
		return parse_fail(why, "%s: the range must not decrease", word);
	packets->first = (u32)first;
	packets->last = (u32)last;
	return true;
}

/* Parse NODE|all [to NODE|all] [N|N-M]. */
static bool take_packets(const struct torus_config *config, char *text,
			 struct sim_trace_packets *packets, struct parse_error *why)
{
	char *save = NULL, *word = strtok_r(text, " ", &save);

	*packets = (struct sim_trace_packets){ .dst = TORUS_NONE, .last = ~0u };
	if (!word)
		return parse_fail(why, "must be NODE|all [to NODE|all] [N|N-M]");
	if (!sim_select_node(config, word, &packets->src, why))
		return false;
	word = strtok_r(NULL, " ", &save);
	if (word && !strcmp(word, "to")) {
		word = strtok_r(NULL, " ", &save);
		if (!word)
			return parse_fail(why, "to: its value is missing");
		if (!sim_select_node(config, word, &packets->dst, why))
			return false;
		word = strtok_r(NULL, " ", &save);
	}
	if (word && !take_numbers(word, packets, why))
		return false;
	word = word ? strtok_r(NULL, " ", &save) : NULL;
	return !word || parse_fail(why, "%s: too many arguments", word);
}

/* Parse FROM:TO. */
static bool take_window(const struct torus_config *config, char *text,
			struct sim_trace_filter *filter, struct parse_error *why)
{
	u64 tick_fs = config->arch->tick_fs(config);
	char *colon = strchr(text, ':');
	struct parse_time from, to;

	if (!colon)
		return parse_fail(why, "must be FROM:TO");
	*colon = '\0';
	if (!parse_time("from", text, &from, why) || !parse_time("to", colon + 1, &to, why))
		return false;
	filter->from = parse_time_ticks(&from, tick_fs);
	filter->to = parse_time_ticks(&to, tick_fs);
	return filter->from <= filter->to ||
	       parse_fail(why, "must not end before it begins at tick %llu", filter->from);
}

/* Copy a word for strtok_r(), which changes it. */
static bool copied(const char *option, const char *word, char *text)
{
	if (strlen(word) >= TEXT_MAX)
		return !sim_reject("--%s %s: must be at most %d bytes long",
				   option, word, TEXT_MAX - 1);
	strcpy(text, word);
	return true;
}

/* Print the reason why an option's value is rejected, and return false. */
static bool reject_why(const char *option, const char *word, const struct parse_error *why)
{
	return !sim_reject("--%s %s: %s", option, word, why->text);
}

/* Reject options that filter a trace if there is no --trace, --step or --stop-at. */
static bool without_trace(const struct sim_cmdline *typed)
{
	const char *option = NULL;

	if (typed->ntrace_packets)
		option = "packets";
	else if (typed->ntrace_links)
		option = "links";
	else if (typed->trace_window)
		option = "window";
	return !option || !sim_reject("--trace-%s: requires --trace, --step or --stop-at", option);
}

/**
 * sim_trace_filter_parse - parse the options that select the events of a trace
 * @filter: [out] the filter
 * @config: configuration, whose shape is set
 * @typed: the options; their words must outlive @filter
 *
 * Return: true on success, false after an error message.
 */
bool sim_trace_filter_parse(struct sim_trace_filter *filter, const struct torus_config *config,
			    const struct sim_cmdline *typed)
{
	struct parse_error why;
	char text[TEXT_MAX];
	const char *word;

	*filter = (struct sim_trace_filter){
		.file = typed->trace, .to = ~0ull, .limit = LIMIT_DEFAULT,
		.lines = typed->step || typed->stop_at,
	};
	if (typed->trace_limit && !typed->trace)
		return !sim_reject("--trace-limit %s: requires --trace", typed->trace_limit);
	if (!typed->trace && !filter->lines)
		return without_trace(typed);
	for (; filter->npackets < typed->ntrace_packets; filter->npackets++) {
		word = typed->trace_packets[filter->npackets];
		if (!copied("trace-packets", word, text))
			return false;
		if (!take_packets(config, text, &filter->packets[filter->npackets], &why))
			return reject_why("trace-packets", word, &why);
	}
	for (; filter->nlinks < typed->ntrace_links; filter->nlinks++) {
		word = typed->trace_links[filter->nlinks];
		if (!sim_select_links(config, word, &filter->links[filter->nlinks], &why))
			return reject_why("trace-links", word, &why);
	}
	word = typed->trace_window;
	if (word && !copied("trace-window", word, text))
		return false;
	if (word && !take_window(config, text, filter, &why))
		return reject_why("trace-window", word, &why);
	if (typed->trace_limit && !parse_number("trace-limit", typed->trace_limit, 1, LIMIT_MAX,
						&filter->limit, &why))
		return !sim_reject("%s", why.text);
	return true;
}
