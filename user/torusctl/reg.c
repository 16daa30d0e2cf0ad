// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl reg: list and read device control registers. Registers have the names of the real
 * machine.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../netlink/reg.h"
#include "../config/args.h"
#include "../config/ctl.h"
#include "objects.h"
#include "print/output.h"
#include "../config/node_addr.h"
#include "../config/reg_request.h"
#include "../config/reg_write.h"
#include "print/reg.h"
#include "../config/diag.h"
#include "../config/target.h"
#include "../report/json.h"
#include "../parse/integer.h"

static int reg_list(struct ctl *ctl, struct ctl_args *args)
{
	struct torus_nl_reg *regs;
	struct target target;
	size_t count;
	int status;

	status = target_parse(ctl, args, TARGET_FABRIC, &target);
	if (status)
		return status;
	status = ctl_end(ctl, args);
	if (status)
		return status;
	status = reg_target(ctl, &target);
	if (status)
		return status;
	if (torus_nl_reg_list(ctl->nl, target.name, &regs, &count))
		return ctl_failed(ctl);
	output_answer(ctl, regs_json(ctl, &target, regs, count, false), regs_form);
	free(regs);
	return ctl_done(ctl);
}

/* Print the registers of one node, or add them to the JSON list if the request has one. */
static void answer_one(struct ctl *ctl, const struct reg_request *request, struct json_object *doc,
		       const char *form)
{
	if (request->list)
		json_object_array_add(request->list, doc);
	else
		output_answer(ctl, doc, form);
}

#define VALUE_FORM	"{+field}{field_value}{:}0x{value%08x}{/}\n"

/*
 * Find the register and the field before reading the register, because a read may clear the
 * register.
 *
 * The module finds the register by its name or offset. Only in two cases search the module's list
 * of registers: if the machine's table has no field of that name, or if the register's name is too
 * long for a request.
 */
static int reg_read_ready(struct ctl *ctl, struct ctl_args *args, struct target *target,
			  struct reg_request *request)
{
	int status = reg_end(ctl, args, target, request);

	if (status)
		return status;
	if (request->field_name)
		request->field = torus_machine_field(torus_machine_find(target->fabric.arch),
						     request->name, request->field_name);
	/* reg_find() rejects names that are too long for a netlink attribute */
	if ((request->field_name && !request->field) || strlen(request->name) >= TORUS_NAME_MAX)
		return reg_find(ctl, target, request);
	return CTL_OK;
}

static int reg_read_one(struct ctl *ctl, struct target *target, void *arg)
{
	struct reg_request *request = arg;
	struct json_object *doc;
	struct torus_nl_reg reg;

	if (torus_nl_reg_read(ctl->nl, target->name, target->node,
			      request->by_name ? request->name : NULL, request->reg.reg, &reg))
		return ctl_failed(ctl);
	doc = reg_json(target, &reg, request->field, true);
	report_add_text(doc, "fabric", target->name);
	output_node(doc, &target->fabric, target->node);
	answer_one(ctl, request, doc, request->several ? OUTPUT_PLACE " " VALUE_FORM : VALUE_FORM);
	return ctl_done(ctl);
}

static int reg_read(struct ctl *ctl, struct ctl_args *args)
{
	struct target target;
	struct reg_request request;
	int status;

	status = reg_begin(ctl, args, &target, &request);
	if (!status)
		status = reg_read_ready(ctl, args, &target, &request);
	if (status)
		return status;
	if (ctl->json && request.several)
		request.list = json_object_new_array();
	status = target_each(ctl, &target, reg_read_one, &request);
	if (request.list && !status)
		output_json(ctl, request.list);
	else
		json_object_put(request.list);
	return status;
}

static int reg_dump_one(struct ctl *ctl, struct target *target, void *arg)
{
	struct reg_request *request = arg;
	struct torus_nl_reg *regs;
	struct json_object *doc;
	size_t count;

	if (torus_nl_reg_dump(ctl->nl, target->name, target->node, &regs, &count))
		return ctl_failed(ctl);
	doc = regs_json(ctl, target, regs, count, true);
	if (request->several && !ctl->json)
		report_print(stdout, doc, OUTPUT_PLACE ":\n");
	answer_one(ctl, request, doc, regs_values_form);
	free(regs);
	return ctl_done(ctl);
}

static int reg_dump(struct ctl *ctl, struct ctl_args *args)
{
	struct reg_request request = { .word = NULL };
	struct target target;
	int status;

	status = target_parse(ctl, args, TARGET_NODE | TARGET_RANGE, &target);
	if (!status)
		status = ctl_end(ctl, args);
	if (!status)
		status = reg_target(ctl, &target);
	if (status)
		return status;
	request.several = target.nodes.count > 1;
	if (ctl->json && request.several)
		request.list = json_object_new_array();
	status = target_each(ctl, &target, reg_dump_one, &request);
	if (request.list && !status)
		output_json(ctl, request.list);
	else
		json_object_put(request.list);
	return status;
}

static const struct ctl_command commands[] = {
	{ "list", "FABRIC", reg_list },
	{ "read", "FABRIC NODES REG[.FIELD]", reg_read },
	{ "write", "FABRIC NODES REG[.FIELD] VALUE", reg_write },
	{ "dump", "FABRIC NODES", reg_dump },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_reg = {
	.name = "reg",
	.help = "device control registers of nodes",
	.details = "NODES = coordinates like 1,2,3 or a number; each may be a range like 0-3,\n"
		   "        or all\n"
		   "REG = a name or an offset, like 0x0b; FIELD: see `-d reg list`\n"
		   "dump prints fields with -d, and marks registers that differ from boot with *\n",
	.commands = commands,
};
