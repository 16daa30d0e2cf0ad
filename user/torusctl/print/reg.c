// SPDX-License-Identifier: GPL-2.0
/* Convert registers and their fields to records. */
#include <stdio.h>
#include <string.h>

#include "output.h"
#include "reg.h"
#include "../../report/json.h"

#define FIELD_TEXT_MAX	64

static uint32_t reg_field(uint32_t value, const struct torus_machine_field *field)
{
	return (value & torus_machine_field_mask(field)) >> (32 - field->first - field->width);
}

/*
 * Describe the accesses that a register allows and the side effects of these accesses. The first
 * matching flag determines the text.
 */
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

static const struct torus_machine_field *reg_fields(const struct target *target,
						    const struct torus_nl_reg *reg)
{
	return torus_machine_field(torus_machine_find(target->fabric.arch), reg->name, NULL);
}

static bool same_reg(const struct torus_machine_field *field, const struct torus_nl_reg *reg)
{
	return field && field->reg && !strcmp(field->reg, reg->name);
}

/*
 * Return the fields of a register: an object if values are requested, otherwise a list of names.
 * @bits: add the bit numbers to each name.
 */
static struct json_object *fields_json(const struct target *target, const struct torus_nl_reg *reg,
				       bool with_value, bool bits)
{
	struct json_object *doc = with_value ? json_object_new_object() : json_object_new_array();
	const struct torus_machine_field *field = reg_fields(target, reg);
	char text[FIELD_TEXT_MAX];
	int length;

	for (; same_reg(field, reg); field++) {
		if (with_value) {
			report_add_u64(doc, field->name, reg_field(reg->value, field));
			continue;
		}
		length = snprintf(text, sizeof(text), "%s", field->name);
		if (bits)
			length += snprintf(text + length, sizeof(text) - length, " b%u",
					   field->first);
		if (bits && field->width > 1)
			snprintf(text + length, sizeof(text) - length, "-%u",
				 field->first + field->width - 1);
		json_object_array_add(doc, json_object_new_string(text));
	}
	return doc;
}

/**
 * reg_json - convert a register to a record
 * @target: the fabric
 * @reg: the register
 * @field: field that is added as a separate member, or NULL
 * @with_value: add the values of the register and its fields
 *
 * Return: the record.
 */
struct json_object *reg_json(const struct target *target, const struct torus_nl_reg *reg,
			     const struct torus_machine_field *field, bool with_value)
{
	struct json_object *object = json_object_new_object();

	report_add_text(object, "name", reg->name);
	report_add_u64(object, "offset", reg->reg);
	report_add_bool(object, "read_only", reg->flags & TORUS_REG_READ_ONLY);
	report_add_bool(object, "read_clears", reg->flags & TORUS_REG_READ_CLEARS);
	report_add_bool(object, "write_clears", reg->flags & TORUS_REG_WRITE_CLEARS);
	report_add_bool(object, "reset_clears", reg->flags & TORUS_REG_RESET_CLEARS);
	if (*reg->help)
		report_add_text(object, "help", reg->help);
	if (with_value)
		report_add_u64(object, "value", reg->value);
	if (reg->has_boot)
		report_add_u64(object, "boot", reg->boot);
	if (field) {
		report_add_text(object, "field", field->name);
		report_add_u64(object, "field_value", reg_field(reg->value, field));
	}
	if (reg_fields(target, reg))
		json_object_object_add(object, "fields",
				       fields_json(target, reg, with_value, false));
	return object;
}

/*
 * Add the members that only the text output shows to the record of a register. Fields are printed
 * only with --details. If values are not printed, each field has its bit numbers.
 */
static void add_text(const struct ctl *ctl, const struct target *target,
		     const struct torus_nl_reg *reg, struct json_object *object, bool with_value)
{
	const char *access = reg_access(reg);

	if (*access)
		report_add_text(object, "access", access);
	if (with_value && reg->has_boot && reg->value != reg->boot &&
	    !(reg->flags & (TORUS_REG_READ_CLEARS | TORUS_REG_WRITE_CLEARS)))
		report_add_bool(object, "changed", true);
	if (!ctl->details)
		json_object_object_del(object, "fields");
	else if (!with_value && reg_fields(target, reg))
		json_object_object_add(object, "fields", fields_json(target, reg, false, true));
}

/**
 * regs_json - convert registers to one record
 * @ctl: the call; with --details the text lists the fields of each register
 * @target: the fabric and the node
 * @regs: the registers
 * @count: number of registers
 * @with_value: add the values of the registers
 *
 * Return: the record; regs_values_form or regs_form formats it as text.
 */
struct json_object *regs_json(const struct ctl *ctl, const struct target *target,
			      const struct torus_nl_reg *regs, size_t count, bool with_value)
{
	struct json_object *list = json_object_new_array();
	struct json_object *doc = json_object_new_object(), *one;
	size_t i, width = 0;
	char name[FIELD_TEXT_MAX];

	for (i = 0; i < count; i++)
		if (width < strlen(regs[i].name))
			width = strlen(regs[i].name);
	report_add_text(doc, "fabric", target->name);
	if (target->has_node)
		output_node(doc, &target->fabric, target->node);
	for (i = 0; i < count; i++) {
		one = reg_json(target, &regs[i], NULL, with_value);
		if (!ctl->json)
			add_text(ctl, target, &regs[i], one, with_value);
		if (!ctl->json && (with_value || *reg_access(&regs[i]) || *regs[i].help)) {
			snprintf(name, sizeof(name), "%-*s", (int)width, regs[i].name);
			report_add_text(one, "name", name);
		}
		json_object_array_add(list, one);
	}
	json_object_object_add(doc, "registers", list);
	return doc;
}

const char regs_form[] =
	"{#registers}0x{offset%02x} {name}{?access} [{access}]{/}{?help} {help}{/}\n"
	"{|4 fields} {.}{/}{/}";

const char regs_values_form[] =
	"{#registers}0x{offset%02x} {name} 0x{value%08x}{?changed} * 0x{boot%08x} at boot{/}"
	"{?access} {access}{/}\n"
	"{|4 fields} {@} {.}{/}{/}";
