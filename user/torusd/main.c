// SPDX-License-Identifier: GPL-2.0
/* torusd: the configuration of fabrics kept, and their cables followed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/answer.h"
#include "../common/escape.h"
#include "../torusctl/restore.h"
#include "../words/words.h"
#include "torusd.h"

static const char usage[] =
	"usage: torusd apply|diff FILE\n"
	"       torusd save FILE\n"
	"       torusd [--hold MS] [--drain MS] run FILE\n"
	"FILE has lines that configure, as torusctl save writes and restore takes them.\n"
	"apply  make the fabrics that are not there, whole or none\n"
	"save   write all fabrics, with their routing tables beside the file\n"
	"diff   what differs between the file and what is there\n"
	"run    apply, then take cables that are down or parked for --hold (1000) ms as dead;\n"
	"       a network that shall drain and does not within --drain (2000) ms goes on\n"
	"options: --hold MS, --drain MS, -h|--help, -V|--version\n";

static int bad(const char *format, const char *word)
{
	char text[1024];

	snprintf(text, sizeof(text), format, word);
	torus_escape_message(stderr, "torusd: %s\n", text);
	fputs(usage, stderr);
	return CTL_USAGE;
}

static int one_word(struct ctl *ctl, const struct ctl_object *object, const char *file)
{
	char *words[] = { (char *)file, NULL };
	struct ctl_args args = { .words = words, .count = 1 };

	ctl->object = object->name;
	ctl->usage = object->commands->usage;
	return object->commands->run(ctl, &args);
}

static int run_action(struct torusd *d, const char *action, const char *file)
{
	d->file = file;
	if (!strcmp(action, "apply"))
		return restore_apply(d->ctl, file, torusd_log);
	if (!strcmp(action, "diff"))
		return one_word(d->ctl, &ctl_diff, file);
	if (!strcmp(action, "save"))
		return save_file(d->ctl, file);
	if (!strcmp(action, "run"))
		return torusd_run(d);
	return bad("%s: not apply, save, diff or run", action);
}

static bool take_ms(const char *key, const char *word, uint64_t *ms, int *status)
{
	struct word_why why;
	__u64 number;

	if (!word) {
		*status = bad("--%s: its value is missing", key);
		return false;
	}
	if (!word_number(key, word, 1, 86400000, &number, &why)) {
		*status = bad("--%s", why.text);
		return false;
	}
	*ms = number;
	return true;
}

static int torusd(int argc, char **argv)
{
	struct ctl ctl = { .json = false };
	struct torusd d = { .ctl = &ctl, .hold_ms = TORUSD_HOLD_MS,
			    .drain_ms = TORUSD_DRAIN_MS };
	int at = 1, status = CTL_OK;

	for (; at < argc && argv[at][0] == '-' && argv[at][1]; at++) {
		if (!strcmp(argv[at], "-h") || !strcmp(argv[at], "--help")) {
			fputs(usage, stdout);
			return CTL_OK;
		} else if (!strcmp(argv[at], "-V") || !strcmp(argv[at], "--version")) {
			puts("torusd 0.1");
			return CTL_OK;
		} else if (!strcmp(argv[at], "--hold")) {
			if (!take_ms("hold", argv[++at], &d.hold_ms, &status))
				return status;
		} else if (!strcmp(argv[at], "--drain")) {
			if (!take_ms("drain", argv[++at], &d.drain_ms, &status))
				return status;
		} else {
			return bad("%s: there is no such option", argv[at]);
		}
	}
	if (argc - at < 1)
		return bad("%s is missing", "what to do");
	if (argc - at < 2)
		return bad("%s: the name of a file is missing", argv[at]);
	if (argc - at > 2)
		return bad("%s: one word too many", argv[at + 2]);
	status = run_action(&d, argv[at], argv[at + 1]);
	torus_nl_free(ctl.nl);
	return status;
}

int main(int argc, char **argv)
{
	torus_answer_begin();
	return torus_answer_end("torusd", torusd(argc, argv), CTL_FAILED);
}
