// SPDX-License-Identifier: GPL-2.0
/* torusd: apply, save and compare the configuration of fabrics, and monitor their cables. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../common/answer.h"
#include "../common/option.h"
#include "../config/compare.h"
#include "../config/dry_run.h"
#include "../config/restore.h"
#include "../config/save.h"
#include "../parse/option.h"
#include "../parse/parse.h"
#include "log.h"
#include "loop.h"
#include "torusd.h"

#define MS(member)	\
	.offset = offsetof(struct torusd, member), parse_option_u64, .min = 1, .max = 86400000

static const struct option_table table = {
	.name = "torusd",
	.status = CTL_USAGE,
	.words = "apply save diff check run\n@file",
	.usage = "torusd apply [--replace] FILE\n"
		 "torusd diff|check|save FILE\n"
		 "torusd [--hold MS] [--drain MS] run FILE\n\n"
		 "FILE is a configuration that torusctl save writes and torusctl restore reads.\n"
		 "apply  create the fabrics of FILE that do not exist; none is created in part;\n"
		 "       print how the others differ from FILE; with --replace, change them\n"
		 "save   write all fabrics to FILE, and their routing tables next to it\n"
		 "diff   print the differences between FILE and the fabrics\n"
		 "check  report each wrong line of FILE; the module is not needed\n"
		 "run    apply, then treat cables that are down or parked for --hold as dead\n",
	.rows = (const struct option_row[]){
		{ "hold", 0, "MS", "milliseconds after which a cable is dead (1000)", MS(hold_ms) },
		{ "drain", 0, "MS",
		  "milliseconds after which a network that does not drain continues (2000)",
		  MS(drain_ms) },
		{ "replace", 0, NULL,
		  "apply: also change existing fabrics, or create unused ones again",
		  .offset = offsetof(struct torusd, replace) },
		OPTION_HELP,
		OPTION_VERSION,
		{ },
	},
};

static int diff(struct ctl *ctl, const char *file)
{
	ctl->object = "diff";
	return config_compare(ctl, file, NULL, &torusd_log_differences);
}

static int apply(const struct torusd *d)
{
	bool differ;
	int status;

	if (d->replace)
		return restore_replace(d->ctl, d->file, torusd_log, &torusd_log_differences);
	status = restore_apply(d->ctl, d->file, torusd_log, &torusd_log_differences, &differ);
	return !status && differ ? CTL_FAILED : status;
}

static int run_action(struct torusd *d, const char *action, const char *file)
{
	d->file = file;
	if (!strcmp(action, "apply"))
		return apply(d);
	if (d->replace)
		return option_bad(&table, "--replace %s: accepted only with apply", action);
	if (!strcmp(action, "diff"))
		return diff(d->ctl, file);
	if (!strcmp(action, "check"))
		return restore_check_file(d->ctl, file);
	if (!strcmp(action, "save"))
		return save_file(d->ctl, file);
	if (!strcmp(action, "run"))
		return torusd_run(d);
	return option_bad(&table, "%s: must be apply, save, diff, check or run", action);
}

static int torusd(int argc, char **argv)
{
	struct ctl ctl = { .json = false };
	struct torusd d = { .ctl = &ctl, .hold_ms = TORUSD_HOLD_MS,
			    .drain_ms = TORUSD_DRAIN_MS };
	int status = option_read(&table, argc, argv, &d);

	if (status)
		return status == OPTION_DONE ? CTL_OK : status;
	if (optind == argc)
		return option_bad(&table,
				  "a command is missing: must be apply, save, diff, check or run");
	if (argc - optind < 2)
		return option_bad(&table, "%s: the name of a file is missing", argv[optind]);
	status = option_end(&table, argc, argv, 2);
	if (status)
		return status;
	status = run_action(&d, argv[optind], argv[optind + 1]);
	torus_nl_free(ctl.nl);
	return status;
}

int main(int argc, char **argv)
{
	torus_answer_begin();
	return torus_answer_end("torusd", torusd(argc, argv), CTL_FAILED);
}
