// SPDX-License-Identifier: GPL-2.0
/* The command route load: load routing tables from a file into a fabric. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../route/spec/fabric_io.h"
#include "../route/spec/file.h"
#include "../route/spec/first_error.h"
#include "../parse/time.h"
#include "../parse/parse.h"
#include "args.h"
#include "route_load.h"
#include "diag.h"
#include "tabled.h"
#include "target.h"

/* Optional arguments of route load, after the file name. */
struct load_words {
	bool force;
	bool waits;
	struct parse_time at;
};

static int load_words(struct ctl *ctl, struct ctl_args *args, const char *file,
		      struct load_words *words)
{
	struct parse_error why;
	const char *word;

	*words = (struct load_words){ .force = false };
	while ((word = ctl_next(args))) {
		if (!strcmp(word, "force")) {
			words->force = true;
			continue;
		}
		if (strcmp(word, "at"))
			return ctl_usage(ctl,
					 "unexpected argument: %s: only at TICK and force are "
					 "accepted", word);
		word = ctl_next(args);
		if (!word)
			return ctl_usage(ctl, "%s at: its value is missing", file);
		if (!parse_time("at", word, &words->at, &why))
			return ctl_reject(ctl, "%s", why.text);
		words->waits = true;
	}
	return CTL_OK;
}

/*
 * Return the path of a routing table file, freed by the caller. If the call is a line of a file, a
 * relative name refers to the directory of that file.
 */
static char *beside(const struct ctl *ctl, const char *file)
{
	const char *slash = ctl->file ? strrchr(ctl->file, '/') : NULL;
	char *name;

	if (!slash || *file == '/' || !strcmp(file, "-"))
		return strdup(file);
	return asprintf(&name, "%.*s/%s", (int)(slash - ctl->file), ctl->file, file) < 0 ? NULL :
											   name;
}

/* Load the tables of a file into a fabric that exists. */
static int load_file(struct ctl *ctl, const struct target *live, const char *file,
		     const struct load_words *words)
{
	uint64_t at = target_ticks(live, &words->at);
	struct xt_spec loaded = { .map = NULL };
	int status = CTL_FAILED;
	struct parse_error why;

	if (!xt_live_map(&live->fabric, &loaded, &why))
		ctl_error(ctl, "%s", why.text);
	else if (!xt_spec_read(&loaded, file, &why))
		status = ctl_reject(ctl, "%s", why.text);
	else if (!words->force && !xt_spec_check(loaded.tables, &why))
		status = ctl_reject(ctl, "%s: %s", file, why.text);
	else if (!xt_live_load(ctl->nl, live->name, loaded.tables, words->waits ? &at : NULL,
			       &why))
		ctl_error(ctl, "%s", why.text);
	else
		status = CTL_OK;
	xt_spec_free(&loaded);
	return status ? status : ctl_done(ctl);
}

/*
 * Load routing tables. Without `force`, reject tables with an unreachable pair of nodes or with a
 * cycle of waiting packets.
 */
static int load_tables(struct ctl *ctl, struct ctl_args *args)
{
	struct load_words words;
	struct target live;
	const char *file;
	char *name;
	int status = target_parse(ctl, args, TARGET_FABRIC, &live);

	file = ctl_next(args);
	if (!status && !file)
		status = ctl_usage(ctl, "the name of a file is missing (- is standard input)");
	if (!status)
		status = load_words(ctl, args, file, &words);
	if (!status)
		status = target_find(ctl, &live);
	if (status)
		return status;
	name = beside(ctl, file);
	if (!name) {
		ctl_error(ctl, "out of memory for the name of a file");
		return CTL_FAILED;
	}
	status = load_file(ctl, &live, name, &words);
	free(name);
	return status;
}

/**
 * route_load - load routing tables from a file into a fabric
 * @ctl: the call
 * @args: FABRIC FILE [at TICK] [force]
 *
 * Return: CTL_OK; CTL_USAGE or CTL_FAILED after an error message; or CTL_WORDS, see ctl_connect().
 */
int route_load(struct ctl *ctl, struct ctl_args *args)
{
	if (route_spec_meant(args))
		return ctl_reject(ctl,
				  "route load requires the name of a fabric, arch is not accepted");
	return route_spec_tabled(ctl, args) ? load_tables(ctl, args) :
						route_refuse_fabric(ctl, args);
}
