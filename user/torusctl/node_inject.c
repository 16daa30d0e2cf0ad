// SPDX-License-Identifier: GPL-2.0
/* The command node inject: faults of a device, to test its driver. The module knows the faults. */
#include <string.h>

#include "../config/args.h"
#include "../config/diag.h"
#include "../config/target.h"
#include "../netlink/node.h"
#include "../parse/integer.h"
#include "node_inject.h"

/* Parse the value of a fault: a number, or on or off. */
static int inject_value(struct ctl *ctl, const char *word, struct torus_nl_inject *inject)
{
	struct parse_error why;

	inject->has_value = true;
	inject->value = !strcmp(word, "on");
	if (inject->value || !strcmp(word, "off"))
		return CTL_OK;
	return parse_number(inject->fault, word, 0, UINT64_MAX, &inject->value, &why) ?
	       CTL_OK : ctl_reject(ctl, "%s, or on or off", why.text);
}

/**
 * node_inject - inject a fault into the device of a node
 * @ctl: the call
 * @args: FABRIC NODE FAULT [N|on|off] [group N]
 *
 * Return: CTL_OK; CTL_USAGE or CTL_FAILED after an error message; or CTL_WORDS, see ctl_connect().
 */
int node_inject(struct ctl *ctl, struct ctl_args *args)
{
	struct torus_nl_inject inject = { .group = 0 };
	struct parse_error why;
	struct target target;
	const char *word;
	int status;

	status = target_parse(ctl, args, TARGET_NODE, &target);
	if (status)
		return status;
	inject.fault = ctl_next(args);
	if (!inject.fault)
		return ctl_usage(ctl, "the fault is missing");
	word = ctl_next(args);
	if (word && strcmp(word, "group")) {
		status = inject_value(ctl, word, &inject);
		if (status)
			return status;
		word = ctl_next(args);
	}
	if (word) {
		if (strcmp(word, "group"))
			return ctl_usage(ctl, "unknown key of a fault: %s", word);
		word = ctl_next(args);
		if (!word)
			return ctl_usage(ctl, "group: its value is missing");
		if (!parse_u32("group", word, 0, UINT32_MAX, &inject.group, &why))
			return ctl_reject(ctl, "%s", why.text);
	}
	status = ctl_end(ctl, args);
	if (status)
		return status;
	status = target_find(ctl, &target);
	if (status)
		return status;
	status = torus_nl_node_inject(ctl->nl, target.name, target.node, &inject) ?
		 ctl_failed(ctl) : ctl_done(ctl);
	target_free(&target);
	return status;
}
