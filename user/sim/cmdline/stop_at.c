// SPDX-License-Identifier: GPL-2.0
/* Parse --stop-at: TICK, or EVENT [CAUSE] [NODE]... */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../../parse/time.h"
#include "../base/message.h"
#include "../base/selector.h"
#include "stop_at.h"

#define TEXT_MAX	4096

/* Parse the causes that count. @word: [in, out] next word, NULL at the end. */
static bool take_cause(struct sim_stop_at *stop, char **save, char **word)
{
	u32 bit;

	stop->when.causes = ~0u;
	if (stop->when.events != 1u << TORUS_STOP_INTERRUPT || !*word ||
	    !isalpha((unsigned char)**word) || !strcmp(*word, "all"))
		return true;
	/* no driver is bound to a port */
	if (!torus_stop_cause_find(*word, &bit) || bit >= TORUS_STOP_LINE_SHIFT)
		return !sim_reject("--stop-at %s: cause %s: must be one of "
				   TORUS_STOP_CAUSE_LIST, stop->word, *word);
	stop->when.causes = 1u << bit;
	*word = strtok_r(NULL, " ", save);
	return true;
}

/* Parse the nodes whose events stop the run. Without nodes, the events of all nodes do. */
static bool take_nodes(struct sim_stop_at *stop, const struct torus_config *config, char **save,
		       const char *word, const char *text)
{
	struct parse_error why;
	u32 node;

	for (; word; word = strtok_r(NULL, " ", save)) {
		if (!sim_select_node(config, word, &node, &why))
			return !sim_reject("--stop-at %s: %s", text, why.text);
		if (node == TORUS_NONE)
			return !sim_reject("--stop-at %s: all is not needed: without nodes, the "
					   "events of all nodes count", text);
		if (!stop->nodes)
			stop->nodes = calloc((config->geo.nodes + 63) / 64, sizeof(*stop->nodes));
		if (!stop->nodes)
			return !sim_error("--stop-at %s: out of memory", text);
		stop->nodes[node / 64] |= 1ull << node % 64;
	}
	stop->when.nodes = stop->nodes;
	return true;
}

static bool take_tick(struct sim_stop_at *stop, const struct torus_config *config)
{
	struct parse_error why;
	struct parse_time time;

	if (!parse_time("stop-at", stop->word, &time, &why))
		return !sim_reject("%s", why.text);
	stop->tick = parse_time_ticks(&time, config->arch->tick_fs(config));
	return true;
}

/**
 * sim_stop_at_parse - parse --stop-at
 * @stop: [out] where the run stops; sim_stop_at_free() frees it, also after a failure
 * @config: configuration, whose shape is set
 * @word: the option's word, which must outlive @stop; NULL: the option was not given
 *
 * Return: true on success, false after an error message.
 */
bool sim_stop_at_parse(struct sim_stop_at *stop, const struct torus_config *config,
		       const char *word)
{
	char text[TEXT_MAX], *save = NULL, *next;
	const char *name;
	u32 event;

	*stop = (struct sim_stop_at){ .word = word };
	if (!word)
		return true;
	if (isdigit((unsigned char)*word))
		return take_tick(stop, config);
	if (strlen(word) >= sizeof(text))
		return !sim_reject("--stop-at %.20s...: must be at most %d bytes long", word,
				   TEXT_MAX - 1);
	strcpy(text, word);
	name = strtok_r(text, " ", &save);
	stop->event = true;
	/* no program and no driver takes part */
	if (!name || !torus_stop_find(name, &event) || event > TORUS_STOP_INTERRUPT)
		return !sim_reject("--stop-at %s: must be a tick, or one of the events "
				   TORUS_STOP_LIST, word);
	stop->when.events = 1u << event;
	next = strtok_r(NULL, " ", &save);
	return take_cause(stop, &save, &next) && take_nodes(stop, config, &save, next, word);
}

/**
 * sim_stop_at_free - free the nodes of an option
 * @stop: the option
 */
void sim_stop_at_free(struct sim_stop_at *stop)
{
	free(stop->nodes);
	stop->nodes = NULL;
}
