// SPDX-License-Identifier: GPL-2.0
/* Check whether a call refers to a machine with routing tables. */
#include <string.h>

#include "../machine/machine.h"
#include "diag.h"
#include "tabled.h"
#include "target.h"

/**
 * route_spec_meant - check whether the arguments begin with `arch`
 *
 * Return: true if the first argument is `arch`; then the call names no fabric.
 */
bool route_spec_meant(const struct ctl_args *args)
{
	return args->at < args->count && !strcmp(args->words[args->at], "arch");
}

/**
 * route_spec_tabled - check whether a call refers to a machine with routing tables
 * @args: the arguments, which begin with `arch` or a fabric
 *
 * Invalid arguments are not reported here, because the code that parses the arguments reports them.
 *
 * Return: true if the arguments begin with `arch`, or with a fabric whose machine has routing
 * tables; false for a fabric that cannot be queried.
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
	/*
	 * use the session of the call, if it has one: a dry run's fabrics are visible only in its
	 * session
	 */
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
 * @args: the arguments, which begin with the fabric
 *
 * Return: CTL_USAGE or CTL_FAILED after an error message; or CTL_WORDS, see ctl_connect().
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
		ctl_error(ctl, "fabric %s: the machine must be given as arch %s shape ..",
			  target.name,
			  target.fabric.arch);
	return CTL_FAILED;
}
