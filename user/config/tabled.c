// SPDX-License-Identifier: GPL-2.0
/* Whether a call is about a machine with routing tables. */
#include <string.h>

#include "../machine/machine.h"
#include "diag.h"
#include "tabled.h"
#include "target.h"

/**
 * route_spec_meant - do the words begin with `arch'?
 * @args: the words
 *
 * Return: whether they do; then no fabric is named.
 */
bool route_spec_meant(const struct ctl_args *args)
{
	return args->at < args->count && !strcmp(args->words[args->at], "arch");
}

/**
 * route_spec_tabled - do the words begin with `arch', or a fabric of a machine with tables?
 * @ctl: the call
 * @args: the words
 *
 * What is wrong with the words is not told: whoever takes them does.
 *
 * Return: whether they do.
 */
bool route_spec_tabled(const struct ctl *ctl, const struct ctl_args *args)
{
	const char *name = args->at < args->count ? args->words[args->at] : NULL;
	struct torus_nl_fabric fabric;
	struct torus_nl *nl;
	bool tabled;

	if (route_spec_meant(args))
		return true;
	if (!name || ctl->words_only)
		return false;
	/* a line of a file is about fabrics that its own session sees */
	nl = ctl->nl ? ctl->nl : torus_nl_new();
	if (!nl)
		return false;
	tabled = (ctl->nl || !torus_nl_connect(nl)) && !torus_nl_fabric_get(nl, name, &fabric) &&
		 torus_machine_can(torus_machine_find(fabric.arch), TORUS_MACHINE_TABLES);
	if (!ctl->nl)
		torus_nl_free(nl);
	return tabled;
}

/**
 * route_refuse_fabric - reject a fabric of a machine that has no routing tables
 * @ctl: the call
 * @args: the words, which begin with the fabric
 *
 * Return: CTL_USAGE or CTL_FAILED after an error message.
 */
int route_refuse_fabric(struct ctl *ctl, struct ctl_args *args)
{
	char why[TORUS_MACHINE_WHY_MAX];
	struct target target;
	int status = target_parse(ctl, args, TARGET_FABRIC, &target);

	if (!status)
		status = target_find(ctl, &target);
	if (status)
		return status;
	if (torus_machine_demand(target.fabric.arch, TORUS_MACHINE_TABLES, why, sizeof(why)))
		ctl_error(ctl, "fabric %s: %s", target.name, why);
	else
		ctl_error(ctl, "fabric %s: name the machine: arch %s shape ..", target.name,
			  target.fabric.arch);
	return CTL_FAILED;
}
