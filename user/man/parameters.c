// SPDX-License-Identifier: GPL-2.0
/*
 * The parameters of every machine, for the manual page: what the core's own tables say.
 */
#include <inttypes.h>
#include <stdio.h>

#include "arch/arch.h"
#include "core/run/params.h"

/* Text with what roff would take for a hyphen or a request of its own marked */
static void print_text(const char *text)
{
	for (; *text; text++) {
		if (*text == '-')
			fputs("\\-", stdout);
		else if (*text == '\\')
			fputs("\\e", stdout);
		else
			putchar(*text);
	}
}

static void print_choice(const struct torus_param *param)
{
	const char *const *value;

	for (value = param->values; *value; value++)
		printf("%s\\fB%s\\fP", value == param->values ? "" : " | ", *value);
	printf(" (default: %s).\n", param->values[param->def]);
}

static void print_number(const struct torus_param *param)
{
	const char *unit = torus_param_unit(param);

	if (param->unit == TORUS_UNIT_FRACTION) {
		printf("Fraction from 0 to below 1 (default: %g).\n",
		       (double)param->def / 0x1p64);
		return;
	}
	printf("%" PRIu64 " to %" PRIu64 "%s%s (default: %" PRIu64 ").\n", (uint64_t)param->min,
	       (uint64_t)param->max, unit ? " " : "", unit ? unit : "", (uint64_t)param->def);
}

static void print_param(const struct torus_param *param)
{
	printf(".TP\n.B %s\n", param->name);
	print_text(param->help);
	puts(".");
	if (param->values)
		print_choice(param);
	else
		print_number(param);
	puts(param->live ? "Can be changed at any time." : "Fixed when the fabric is created.");
}

/* A common parameter's name, from a machine that has it */
static const char *common_name(u32 place)
{
	const struct torus_arch *const *arch;

	for (arch = torus_archs; *arch; arch++)
		if (torus_param_at(*arch, place))
			return torus_param_at(*arch, place)->name;
	return "?";
}

static void print_lacks(const struct torus_arch *arch)
{
	const struct torus_lack *lack;

	for (lack = arch->lacks; lack < arch->lacks + arch->nlacks; lack++) {
		printf(".TP\n.B %s\nRejected: %s ", common_name(lack->param), arch->name);
		print_text(lack->why);
		puts(".");
	}
}

int main(void)
{
	const struct torus_arch *const *arch;
	const struct torus_param *param;
	u32 i;

	for (arch = torus_archs; *arch; arch++) {
		printf(".SH MACHINE %s\n", (*arch)->name);
		for (i = 0; i < torus_param_count(*arch); i++) {
			param = torus_param_at(*arch, i);
			if (param)
				print_param(param);
		}
		print_lacks(*arch);
	}
	return 0;
}
