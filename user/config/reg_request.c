// SPDX-License-Identifier: GPL-2.0
/* Parse FABRIC NODES REG[.FIELD], the registers that a command reads or writes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../parse/integer.h"
#include "args.h"
#include "node_addr.h"
#include "reg_request.h"
#include "diag.h"
#include "target.h"

/**
 * reg_target - find the fabric of a target, and check that its machine has registers
 * @ctl: the call
 * @target: from target_parse()
 *
 * Return: CTL_OK; CTL_FAILED after an error message; or CTL_WORDS, see ctl_connect().
 */
int reg_target(struct ctl *ctl, struct target *target)
{
	int status = target_find(ctl, target);

	return status ? status : place_demand(ctl, &target->fabric, TORUS_MACHINE_REGISTERS);
}

/* Parse REG[.FIELD]. REG is an offset, or a name that reg_find() looks up in the module's list. */
static int reg_word(struct ctl *ctl, struct ctl_args *args, struct reg_request *request)
{
	struct parse_error why;
	char *dot;

	request->word = ctl_next(args);
	if (!request->word)
		return ctl_usage(ctl, "a register is missing");
	if (strlen(request->word) >= sizeof(request->name))
		return ctl_reject(ctl, "register %s: unknown name", request->word);
	strcpy(request->name, request->word);
	dot = strchr(request->name, '.');
	if (dot) {
		*dot = '\0';
		request->field_name = dot + 1;
	}
	request->by_name = *request->name < '0' || *request->name > '9';
	if (!request->by_name &&
	    !parse_u32("register", request->name, 0, UINT32_MAX, &request->reg.reg, &why))
		return ctl_reject(ctl, "%s", why.text);
	return CTL_OK;
}

static int field_find(struct ctl *ctl, const struct target *target, struct reg_request *request)
{
	const struct torus_machine *machine = torus_machine_find(target->fabric.arch);
	const struct torus_machine_field *field;
	char all[512] = "";
	size_t used = 0;

	if (!request->field_name)
		return CTL_OK;
	request->field = torus_machine_field(machine, request->reg.name, request->field_name);
	if (request->field)
		return CTL_OK;
	field = torus_machine_field(machine, request->reg.name, NULL);
	for (; field && field->reg && !strcmp(field->reg, request->reg.name); field++)
		if (used < sizeof(all))
			used += snprintf(all + used, sizeof(all) - used, "%s%s", used ? " " : "",
					 field->name);
	if (used)
		ctl_error(ctl, "register %s: has no field %s (there are: %s)",
			  request->reg.name,
			  request->field_name, all);
	else
		ctl_error(ctl, "register %s: has no fields", request->reg.name);
	return CTL_FAILED;
}

/**
 * reg_find - find the register and the field of a request
 * @ctl: the call
 * @target: the fabric
 * @request: the request; @reg and @field of the request are filled in
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int reg_find(struct ctl *ctl, const struct target *target, struct reg_request *request)
{
	struct torus_nl_reg *regs;
	bool found = false;
	size_t count;
	size_t i;

	if (torus_nl_reg_list(ctl->nl, target->name, &regs, &count))
		return ctl_failed(ctl);
	for (i = 0; i < count && !found; i++) {
		found = request->by_name ? !strcasecmp(regs[i].name, request->name) :
					   regs[i].reg == request->reg.reg;
		if (found)
			request->reg = regs[i];
	}
	free(regs);
	if (found) {
		request->by_name = false;
		return field_find(ctl, target, request);
	}
	/* the module rejects an offset that no register has */
	if (!request->by_name && !request->field_name)
		return CTL_OK;
	ctl_error(ctl, "register %s: unknown name, see torusctl reg list %s",
		  request->name, target->name);
	return CTL_FAILED;
}

/**
 * reg_begin - parse FABRIC NODES REG[.FIELD]
 * @ctl: the call
 * @args: the arguments
 * @target: [out] the nodes
 * @request: [out] the register and the field, not yet found
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int reg_begin(struct ctl *ctl, struct ctl_args *args, struct target *target,
	      struct reg_request *request)
{
	int status = target_parse(ctl, args, TARGET_NODE | TARGET_RANGE, target);

	*request = (struct reg_request){ .word = NULL };
	return status ? status : reg_word(ctl, args, request);
}

/**
 * reg_end - require that no argument is left, and find the fabric
 * @ctl: the call
 * @args: the arguments
 * @target: [in, out] target from reg_begin()
 * @request: [in, out] request from reg_begin()
 *
 * Return: CTL_OK; CTL_USAGE or CTL_FAILED after an error message; or CTL_WORDS, see ctl_connect().
 */
int reg_end(struct ctl *ctl, struct ctl_args *args, struct target *target,
	    struct reg_request *request)
{
	int status = ctl_end(ctl, args);

	if (!status)
		status = reg_target(ctl, target);
	request->several = target->nodes.count > 1;
	return status;
}
