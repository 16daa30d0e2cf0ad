// SPDX-License-Identifier: GPL-2.0
/* Registers and their fields, as text and as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "output.h"
#include "regprint.h"

#define LINE_MAX_COLUMNS	96

/**
 * reg_field - take a field out of a register's value
 * @value: the value
 * @field: the field
 *
 * Return: what the field holds.
 */
uint32_t reg_field(uint32_t value, const struct torus_machine_field *field)
{
	return (value & torus_machine_field_mask(field)) >> (32 - field->first - field->width);
}

/**
 * reg_field_set - put a field into a register's value
 * @value: the value
 * @field: the field
 * @part: what it is to hold, not more than its bits can
 *
 * Return: the new value.
 */
uint32_t reg_field_set(uint32_t value, const struct torus_machine_field *field, uint32_t part)
{
	return (value & ~torus_machine_field_mask(field)) |
	       part << (32 - field->first - field->width);
}

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

static const struct torus_machine_field *reg_fields(const struct target *target,
						    const struct torus_nl_reg *reg)
{
	return torus_machine_field(torus_machine_find(target->fabric.arch), reg->name, NULL);
}

static bool same_reg(const struct torus_machine_field *field, const struct torus_nl_reg *reg)
{
	return field && field->reg && !strcmp(field->reg, reg->name);
}

/* With values an object of them, else a list of names. */
static struct json_object *fields_json(const struct target *target, const struct torus_nl_reg *reg,
				       bool with_value)
{
	struct json_object *doc = with_value ? json_object_new_object() : json_object_new_array();
	const struct torus_machine_field *field = reg_fields(target, reg);

	for (; same_reg(field, reg); field++) {
		if (with_value)
			report_add_u64(doc, field->name, reg_field(reg->value, field));
		else
			json_object_array_add(doc, json_object_new_string(field->name));
	}
	return doc;
}

/**
 * reg_json - a register as JSON
 * @target: of which fabric
 * @reg: the register
 * @field: the one field that is meant, or NULL
 * @with_value: it holds something that is told
 *
 * Return: the object.
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
		json_object_object_add(object, "fields", fields_json(target, reg, with_value));
	return object;
}

/**
 * regs_json - registers as JSON
 * @target: the fabric, and the node whose they are
 * @regs: the registers
 * @count: number of registers
 * @with_value: they hold something that is told
 *
 * Return: the document.
 */
struct json_object *regs_json(const struct target *target, const struct torus_nl_reg *regs,
			      size_t count, bool with_value)
{
	struct json_object *list = json_object_new_array();
	struct json_object *doc = json_object_new_object();
	size_t i;

	report_add_text(doc, "fabric", target->name);
	if (target->has_node)
		output_node(doc, &target->fabric, target->node);
	for (i = 0; i < count; i++)
		json_object_array_add(list, reg_json(target, &regs[i], NULL, with_value));
	json_object_object_add(doc, "registers", list);
	return doc;
}

/* The fields of a register, with what they hold, or with their bits. */
static void fields_text(const struct target *target, const struct torus_nl_reg *reg,
			bool with_value)
{
	const struct torus_machine_field *field = reg_fields(target, reg);
	char text[64];
	int column = 0;
	int width;

	for (; same_reg(field, reg); field++) {
		if (with_value)
			width = snprintf(text, sizeof(text), " %s %" PRIu32, field->name,
					 reg_field(reg->value, field));
		else if (field->width == 1)
			width = snprintf(text, sizeof(text), " %s b%u", field->name, field->first);
		else
			width = snprintf(text, sizeof(text), " %s b%u-%u", field->name,
					 field->first, field->first + field->width - 1);
		if (column && column + width > LINE_MAX_COLUMNS) {
			putchar('\n');
			column = 0;
		}
		if (!column)
			column = printf("    ");
		column += printf("%s", text);
	}
	if (column)
		putchar('\n');
}

/**
 * regs_text - registers for people, one a line
 * @ctl: the call; with details, their fields follow
 * @target: of which fabric
 * @regs: the registers
 * @count: number of registers
 * @with_value: with what they hold, else with what they are
 */
void regs_text(const struct ctl *ctl, const struct target *target, const struct torus_nl_reg *regs,
	       size_t count, bool with_value)
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
		if (with_value && regs[i].has_boot && regs[i].value != regs[i].boot &&
		    !(regs[i].flags & (TORUS_REG_READ_CLEARS | TORUS_REG_WRITE_CLEARS)))
			printf(" * 0x%08" PRIx32 " at boot", regs[i].boot);
		if (*access)
			printf(with_value ? " %s" : " [%s]", access);
		if (!with_value && *regs[i].help)
			printf(" %s", regs[i].help);
		putchar('\n');
		if (ctl->details)
			fields_text(target, &regs[i], with_value);
	}
}
