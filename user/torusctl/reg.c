// SPDX-License-Identifier: GPL-2.0
/* torusctl reg: the device control registers, under the real machine's names. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../netlink/reg.h"
#include "ctl.h"
#include "output.h"
#include "place.h"
#include "target.h"

/* What may be done to a register, and what that does; the first flag that fits has the word. */
static const char *reg_access(const struct torus_nl_reg *reg)
{
	if (reg->flags & TORUS_REG_RESET_CLEARS)
		return "read-only, cleared by a reset";
	if (reg->flags & TORUS_REG_READ_CLEARS)
		return reg->flags & TORUS_REG_READ_ONLY ? "read-only, cleared by reading" :
							  "cleared by reading";
	if (reg->flags & TORUS_REG_WRITE_CLEARS)
		return "ones clear";
	return reg->flags & TORUS_REG_READ_ONLY ? "read-only" : "";
}

static struct json_object *reg_json(const struct torus_nl_reg *reg, bool with_value)
{
	struct json_object *object = json_object_new_object();

	output_string(object, "name", reg->name);
	output_u64(object, "offset", reg->reg);
	output_bool(object, "read_only", reg->flags & TORUS_REG_READ_ONLY);
	output_bool(object, "read_clears", reg->flags & TORUS_REG_READ_CLEARS);
	output_bool(object, "write_clears", reg->flags & TORUS_REG_WRITE_CLEARS);
	output_bool(object, "reset_clears", reg->flags & TORUS_REG_RESET_CLEARS);
	if (*reg->help)
		output_string(object, "help", reg->help);
	if (with_value)
		output_u64(object, "value", reg->value);
	return object;
}

static void regs_text(const struct torus_nl_reg *regs, size_t count, bool with_value)
{
	int width = 0;
	size_t i;

	for (i = 0; i < count; i++)
		if (width < (int)strlen(regs[i].name))
			width = strlen(regs[i].name);
	for (i = 0; i < count; i++) {
		const char *access = reg_access(&regs[i]);

		printf("0x%02" PRIx32 " %-*s", regs[i].reg,
		       with_value || *access || *regs[i].help ? width : 0, regs[i].name);
		if (with_value)
			printf(" 0x%08" PRIx32, regs[i].value);
		if (*access)
			printf(with_value ? " %s" : " [%s]", access);
		if (!with_value && *regs[i].help)
			printf(" %s", regs[i].help);
		putchar('\n');
	}
}

static void regs_print(struct ctl *ctl, const struct target *target,
		       const struct torus_nl_reg *regs, size_t count, bool with_value)
{
	struct json_object *list;
	struct json_object *doc;
	size_t i;

	if (!ctl->json) {
		regs_text(regs, count, with_value);
		return;
	}
	doc = json_object_new_object();
	list = json_object_new_array();
	output_string(doc, "fabric", target->name);
	if (target->has_node)
		output_node(doc, &target->fabric, target->node);
	for (i = 0; i < count; i++)
		json_object_array_add(list, reg_json(&regs[i], with_value));
	json_object_object_add(doc, "registers", list);
	output_json(ctl, doc);
}

/* The fabric; one whose machine has no registers is refused. */
static int reg_target(struct ctl *ctl, struct target *target)
{
	int status = target_find(ctl, target);

	return status ? status : place_demand(ctl, &target->fabric, TORUS_MACHINE_REGISTERS);
}

static int reg_all(struct ctl *ctl, struct ctl_args *args, bool dump)
{
	struct torus_nl_reg *regs;
	struct target target;
	size_t count;
	int status;
	int error;

	status = target_parse(ctl, args, dump ? TARGET_NODE : TARGET_FABRIC, &target);
	if (status)
		return status;
	status = ctl_end(ctl, args);
	if (status)
		return status;
	status = reg_target(ctl, &target);
	if (status)
		return status;
	error = dump ? torus_nl_reg_dump(ctl->nl, target.name, target.node, &regs, &count) :
		       torus_nl_reg_list(ctl->nl, target.name, &regs, &count);
	if (error)
		return ctl_failed(ctl);
	regs_print(ctl, &target, regs, count, dump);
	free(regs);
	return ctl_done(ctl);
}

static int reg_list(struct ctl *ctl, struct ctl_args *args)
{
	return reg_all(ctl, args, false);
}

static int reg_dump(struct ctl *ctl, struct ctl_args *args)
{
	return reg_all(ctl, args, true);
}

/* A register as it was typed: its offset, or its name, which the module knows. */
static int reg_word(struct ctl *ctl, struct ctl_args *args, const char **word)
{
	struct word_why why;
	uint32_t offset;

	*word = ctl_next(args);
	if (!*word)
		return ctl_usage(ctl, "a register is missing");
	if (**word >= '0' && **word <= '9' &&
	    !word_u32("register", *word, 0, UINT32_MAX, &offset, &why))
		return ctl_bad(ctl, "%s", why.text);
	return CTL_OK;
}

static int reg_find(struct ctl *ctl, const struct target *target, const char *word,
		    uint32_t *offset)
{
	struct torus_nl_reg *regs;
	struct word_why why;
	bool found = false;
	size_t count;
	size_t i;

	if (*word >= '0' && *word <= '9')
		return word_u32("register", word, 0, UINT32_MAX, offset, &why) ?
		       CTL_OK : CTL_USAGE;
	if (torus_nl_reg_list(ctl->nl, target->name, &regs, &count))
		return ctl_failed(ctl);
	for (i = 0; i < count && !found; i++) {
		found = !strcasecmp(regs[i].name, word);
		if (found)
			*offset = regs[i].reg;
	}
	free(regs);
	if (found)
		return CTL_OK;
	ctl_tell(ctl, "register %s: there is none of that name (torusctl reg list %s)", word,
		 target->name);
	return CTL_FAILED;
}

static int reg_read(struct ctl *ctl, struct ctl_args *args)
{
	struct torus_nl_reg reg;
	struct target target;
	struct json_object *doc;
	const char *word;
	uint32_t offset;
	int status;

	status = target_parse(ctl, args, TARGET_NODE, &target);
	if (status)
		return status;
	status = reg_word(ctl, args, &word);
	if (status)
		return status;
	status = ctl_end(ctl, args);
	if (status)
		return status;
	status = reg_target(ctl, &target);
	if (status)
		return status;
	status = reg_find(ctl, &target, word, &offset);
	if (status)
		return status;
	if (torus_nl_reg_read(ctl->nl, target.name, target.node, offset, &reg))
		return ctl_failed(ctl);
	if (ctl->json) {
		doc = reg_json(&reg, true);
		output_string(doc, "fabric", target.name);
		output_node(doc, &target.fabric, target.node);
		output_json(ctl, doc);
	} else {
		printf("0x%08" PRIx32 "\n", reg.value);
	}
	return ctl_done(ctl);
}

static int reg_write(struct ctl *ctl, struct ctl_args *args)
{
	struct word_why why;
	struct target target;
	const char *value_word;
	const char *word;
	uint32_t offset;
	uint32_t value;
	int status;

	status = target_parse(ctl, args, TARGET_NODE, &target);
	if (status)
		return status;
	status = reg_word(ctl, args, &word);
	if (status)
		return status;
	value_word = ctl_next(args);
	if (!value_word)
		return ctl_usage(ctl, "a value is missing");
	if (!word_u32("value", value_word, 0, UINT32_MAX, &value, &why))
		return ctl_bad(ctl, "%s", why.text);
	status = ctl_end(ctl, args);
	if (status)
		return status;
	status = reg_target(ctl, &target);
	if (status)
		return status;
	status = reg_find(ctl, &target, word, &offset);
	if (status)
		return status;
	return torus_nl_reg_write(ctl->nl, target.name, target.node, offset, value) ?
	       ctl_failed(ctl) : ctl_done(ctl);
}

static const struct ctl_command commands[] = {
	{ "list", "FABRIC", reg_list },
	{ "read", "FABRIC NODE REG", reg_read },
	{ "write", "FABRIC NODE REG VALUE", reg_write },
	{ "dump", "FABRIC NODE", reg_dump },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_reg = {
	.name = "reg",
	.help = "device control registers of a node",
	.details = "NODE = coordinates like 1,2,3 or a number; REG = a name or an offset, like "
		   "0x0b\n",
	.commands = commands,
};
