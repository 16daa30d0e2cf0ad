// SPDX-License-Identifier: GPL-2.0
/* torusctl reg: the device control registers, under the real machine's names. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../netlink/reg.h"
#include "call.h"
#include "ctl.h"
#include "output.h"
#include "place.h"
#include "regprint.h"
#include "say.h"
#include "target.h"
#include "../report/add.h"
#include "../words/number.h"

#define REG_WORD_MAX	96	/* bytes of REG.FIELD */

/**
 * struct order - what is to be done with registers
 * @word: the register, or REG.FIELD, as it was typed
 * @name: the register without the field
 * @field_name: the field, NULL when the whole register is meant
 * @reg: the register, once it is found
 * @field: the field, once it is found
 * @value: to be written
 * @list: of answers as JSON, or NULL
 * @several: of more than one node
 * @by_name: the module finds the register by @name
 */
struct order {
	const char *word;
	char name[REG_WORD_MAX];
	const char *field_name;
	struct torus_nl_reg reg;
	const struct torus_machine_field *field;
	uint32_t value;
	struct json_object *list;
	bool several;
	bool by_name;
};

/* The fabric; one whose machine has no registers is refused. */
static int reg_target(struct ctl *ctl, struct target *target)
{
	int status = target_find(ctl, target);

	return status ? status : place_demand(ctl, &target->fabric, TORUS_MACHINE_REGISTERS);
}

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

static bool is_offset(const struct order *order)
{
	return *order->name >= '0' && *order->name <= '9';
}

/* A register as it was typed: its offset, or its name, which the module knows; its field. */
static int reg_word(struct ctl *ctl, struct ctl_args *args, struct order *order)
{
	struct word_why why;
	uint32_t offset;
	char *dot;

	order->word = ctl_next(args);
	if (!order->word)
		return ctl_usage(ctl, "a register is missing");
	if (strlen(order->word) >= sizeof(order->name))
		return ctl_bad(ctl, "register %s: there is none of that name", order->word);
	strcpy(order->name, order->word);
	dot = strchr(order->name, '.');
	if (dot) {
		*dot = '\0';
		order->field_name = dot + 1;
	}
	if (is_offset(order) &&
	    !word_u32("register", order->name, 0, UINT32_MAX, &offset, &why))
		return ctl_bad(ctl, "%s", why.text);
	return CTL_OK;
}

static int field_find(struct ctl *ctl, const struct target *target, struct order *order)
{
	const struct torus_machine *machine = torus_machine_find(target->fabric.arch);
	const struct torus_machine_field *field;
	char all[512] = "";
	size_t used = 0;

	if (!order->field_name)
		return CTL_OK;
	order->field = torus_machine_field(machine, order->reg.name, order->field_name);
	if (order->field)
		return CTL_OK;
	field = torus_machine_field(machine, order->reg.name, NULL);
	for (; field && field->reg && !strcmp(field->reg, order->reg.name); field++)
		if (used < sizeof(all))
			used += snprintf(all + used, sizeof(all) - used, "%s%s", used ? " " : "",
					 field->name);
	if (used)
		ctl_tell(ctl, "register %s: it has no field %s (there are: %s)", order->reg.name,
			 order->field_name, all);
	else
		ctl_tell(ctl, "register %s: it has no fields", order->reg.name);
	return CTL_FAILED;
}

static int reg_find(struct ctl *ctl, const struct target *target, struct order *order)
{
	bool by_offset = is_offset(order);
	struct torus_nl_reg *regs;
	struct word_why why;
	uint32_t offset = 0;
	bool found = false;
	size_t count;
	size_t i;

	if (by_offset && !word_u32("register", order->name, 0, UINT32_MAX, &offset, &why))
		return ctl_bad(ctl, "%s", why.text);
	if (torus_nl_reg_list(ctl->nl, target->name, &regs, &count))
		return ctl_failed(ctl);
	for (i = 0; i < count && !found; i++) {
		found = by_offset ? regs[i].reg == offset :
				    !strcasecmp(regs[i].name, order->name);
		if (found)
			order->reg = regs[i];
	}
	free(regs);
	if (found)
		return field_find(ctl, target, order);
	/* An offset that no register has is refused by the module. */
	if (by_offset && !order->field_name) {
		order->reg.reg = offset;
		return CTL_OK;
	}
	ctl_tell(ctl, "register %s: there is none of that name (torusctl reg list %s)",
		 order->name, target->name);
	return CTL_FAILED;
}

/* Which registers of which nodes: FABRIC NODES REG[.FIELD] and what follows it. */
static int reg_begin(struct ctl *ctl, struct ctl_args *args, struct target *target,
		     struct order *order)
{
	int status = target_parse(ctl, args, TARGET_NODE | TARGET_RANGE, target);

	*order = (struct order){ .word = NULL };
	return status ? status : reg_word(ctl, args, order);
}

static int reg_end(struct ctl *ctl, struct ctl_args *args, struct target *target,
		   struct order *order)
{
	int status = ctl_end(ctl, args);

	if (!status)
		status = reg_target(ctl, target);
	order->several = target->nodes.count > 1;
	return status;
}

static int reg_ready(struct ctl *ctl, struct ctl_args *args, struct target *target,
		     struct order *order)
{
	int status = reg_end(ctl, args, target, order);

	return status ? status : reg_find(ctl, target, order);
}

/* Of several nodes, JSON is a list. */
static void answer_one(struct ctl *ctl, const struct order *order, struct json_object *doc,
		       const char *form)
{
	if (order->list)
		json_object_array_add(order->list, doc);
	else
		output_answer(ctl, doc, form);
}

#define VALUE_FORM	"{+field}{field_value}{:}0x{value%08x}{/}\n"

/*
 * The module finds a register by its name or its offset.  Only a field that the machine's table
 * lacks under the name that was typed needs the list of registers, before a read that may clear.
 */
static int reg_read_ready(struct ctl *ctl, struct ctl_args *args, struct target *target,
			  struct order *order)
{
	int status = reg_end(ctl, args, target, order);
	struct word_why why;

	if (status)
		return status;
	if (order->field_name)
		order->field = torus_machine_field(torus_machine_find(target->fabric.arch),
						   order->name, order->field_name);
	/* the module takes no name that is as long as no register's */
	if ((order->field_name && !order->field) || strlen(order->name) >= TORUS_NAME_MAX)
		return reg_find(ctl, target, order);
	order->by_name = !is_offset(order);
	if (!order->by_name)
		word_u32("register", order->name, 0, UINT32_MAX, &order->reg.reg, &why);
	return CTL_OK;
}

static int reg_read_one(struct ctl *ctl, struct target *target, void *arg)
{
	struct order *order = arg;
	struct json_object *doc;
	struct torus_nl_reg reg;

	if (torus_nl_reg_read(ctl->nl, target->name, target->node,
			      order->by_name ? order->name : NULL, order->reg.reg, &reg))
		return ctl_failed(ctl);
	doc = reg_json(target, &reg, order->field, true);
	report_add_text(doc, "fabric", target->name);
	output_node(doc, &target->fabric, target->node);
	answer_one(ctl, order, doc, order->several ? OUTPUT_PLACE " " VALUE_FORM : VALUE_FORM);
	return ctl_done(ctl);
}

static int reg_read(struct ctl *ctl, struct ctl_args *args)
{
	struct target target;
	struct order order;
	int status;

	status = reg_begin(ctl, args, &target, &order);
	if (!status)
		status = reg_read_ready(ctl, args, &target, &order);
	if (status)
		return status;
	if (ctl->json && order.several)
		order.list = json_object_new_array();
	status = target_each(ctl, &target, reg_read_one, &order);
	if (order.list && !status)
		output_json(ctl, order.list);
	else
		json_object_put(order.list);
	return status;
}

/* What the register holds, found without a change: one that reading clears keeps it. */
static int reg_value(struct ctl *ctl, const struct target *target, const struct order *order,
		     uint32_t *value)
{
	struct torus_nl_reg *regs;
	size_t count;
	size_t i;

	*value = 0;
	if (torus_nl_reg_dump(ctl->nl, target->name, target->node, &regs, &count))
		return ctl_failed(ctl);
	for (i = 0; i < count; i++)
		if (regs[i].reg == order->reg.reg)
			*value = regs[i].value;
	free(regs);
	return CTL_OK;
}

/*
 * A field goes into what the register holds.  One that ones clear reads as 0: the field's bits
 * alone are written.
 */
static int reg_write_one(struct ctl *ctl, struct target *target, void *arg, void *kept)
{
	struct order *order = arg;
	uint32_t value = order->value, *before = kept;
	int status;

	if (order->field || order->several) {
		status = reg_value(ctl, target, order, before);
		if (status)
			return status;
	}
	if (order->field)
		value = reg_field_set(*before, order->field, order->value);
	return torus_nl_reg_write(ctl->nl, target->name, target->node, order->reg.reg, value) ?
	       ctl_failed(ctl) : ctl_done(ctl);
}

static int reg_restore_one(struct ctl *ctl, struct target *target, void *arg, void *kept)
{
	struct order *order = arg;
	uint32_t *before = kept;

	return torus_nl_reg_write(ctl->nl, target->name, target->node, order->reg.reg, *before) ?
	       CTL_FAILED : CTL_OK;
}

static int reg_write(struct ctl *ctl, struct ctl_args *args)
{
	static const struct target_change change = {
		.one = reg_write_one, .undo = reg_restore_one, .size = sizeof(uint32_t),
	};
	struct target target;
	const char *value;
	struct word_why why;
	struct order order;
	uint32_t most;
	int status;

	status = reg_begin(ctl, args, &target, &order);
	if (status)
		return status;
	value = ctl_next(args);
	if (!value)
		return ctl_usage(ctl, "a value is missing");
	if (!word_u32("value", value, 0, UINT32_MAX, &order.value, &why))
		return ctl_bad(ctl, "%s", why.text);
	status = reg_ready(ctl, args, &target, &order);
	if (status)
		return status;
	most = order.field ? ~0u >> (32 - order.field->width) : ~0u;
	if (order.value > most) {
		target_free(&target);
		return ctl_bad(ctl, "%s %s: must be from 0 to %" PRIu32, order.word, value, most);
	}
	status = target_change(ctl, &target, &change, &order);
	target_free(&target);
	return status;
}

static int reg_dump_one(struct ctl *ctl, struct target *target, void *arg)
{
	struct order *order = arg;
	struct torus_nl_reg *regs;
	struct json_object *doc;
	size_t count;

	if (torus_nl_reg_dump(ctl->nl, target->name, target->node, &regs, &count))
		return ctl_failed(ctl);
	doc = regs_json(ctl, target, regs, count, true);
	if (order->several && !ctl->json)
		report_print(stdout, doc, OUTPUT_PLACE ":\n");
	answer_one(ctl, order, doc, regs_values_form);
	free(regs);
	return ctl_done(ctl);
}

static int reg_dump(struct ctl *ctl, struct ctl_args *args)
{
	struct order order = { .word = NULL };
	struct target target;
	int status;

	status = target_parse(ctl, args, TARGET_NODE | TARGET_RANGE, &target);
	if (!status)
		status = ctl_end(ctl, args);
	if (!status)
		status = reg_target(ctl, &target);
	if (status)
		return status;
	order.several = target.nodes.count > 1;
	if (ctl->json && order.several)
		order.list = json_object_new_array();
	status = target_each(ctl, &target, reg_dump_one, &order);
	if (order.list && !status)
		output_json(ctl, order.list);
	else
		json_object_put(order.list);
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
	.help = "device control registers of a node",
	.details = "NODES = coordinates like 1,2,3 or a number, each a range like 0-3 or all if "
		   "that is meant; all\n"
		   "REG = a name or an offset, like 0x0b; FIELD: see `-d reg list`\n"
		   "dump shows fields with -d, and marks with * what is not as at boot\n",
	.commands = commands,
};
