// SPDX-License-Identifier: GPL-2.0
/* The command torus-sim keys: list the keys of --set of a machine, or of all machines. */
#include <stdio.h>
#include <string.h>

#include "../common/option.h"
#include "arch/arch.h"
#include "base/message.h"
#include "core/run/params.h"
#include "keys_command.h"

#define HELP_COLUMN	26	/* column of the descriptions */

static const struct option_table table = {
	.status = SIM_USAGE,
	.bad = sim_reject,
	.words = "@machine",
	.usage = "torus-sim keys [ARCH]\n"
		 "\n"
		 "List the keys of --set of a machine, by default of all machines: each key with\n"
		 "its default, further values, and meaning.\n",
	.rows = (const struct option_row[]){
		{ .name = "help", .help = "print this" },
		{ },
	},
};

static void print_keys(const struct torus_arch *arch)
{
	struct torus_config config;
	char text[64];
	int length;
	u32 i, j;

	printf("%s: ", arch->name);
	option_wrap((int)strlen(arch->name) + 2, 2, arch->help);
	torus_config_init(&config, arch);
	for (i = 0; i < torus_param_count(arch); i++) {
		const struct torus_param *param = torus_param_at(arch, i);

		if (!param)
			continue;
		length = printf("  %s=%s", param->name,
				torus_config_text(&config, i, text, sizeof(text)));
		for (j = 0; param->values && param->values[j]; j++)
			if (strcmp(param->values[j], text))
				length += printf("|%s", param->values[j]);
		if (length > HELP_COLUMN - 2) {
			putchar('\n');
			length = 0;
		}
		printf("%*s", HELP_COLUMN - length, "");
		option_wrap(HELP_COLUMN, HELP_COLUMN, param->help);
	}
}

static int keys_run(int argc, char **argv)
{
	const struct torus_arch *const *arch;
	const char *name = NULL;
	struct torus_config config;
	struct torus_error err;
	int status = option_read(&table, argc, argv, NULL);

	if (!status)
		status = option_word(&table, argc, argv, NULL, &name);
	if (status)
		return status == OPTION_DONE ? SIM_OK : status;
	if (name && torus_arch_config(&config, name, &err))
		return sim_reject("%s", err.text);
	for (arch = torus_archs; *arch; arch++) {
		if (name && *arch != config.arch)
			continue;
		if (!name && arch != torus_archs)
			putchar('\n');
		print_keys(*arch);
	}
	return SIM_OK;
}

const struct sim_command sim_keys_command = {
	.name = "keys",
	.help = "list the keys of --set of a machine",
	.run = keys_run,
};
