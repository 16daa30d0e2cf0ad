// SPDX-License-Identifier: GPL-2.0
/* The command reg write: write a register, or one of its fields. */
#include <inttypes.h>
#include <stdlib.h>

#include "../parse/integer.h"
#include "args.h"
#include "reg_request.h"
#include "reg_write.h"
#include "diag.h"
#include "target.h"

/* Return @value with the bits of a field replaced by @part, which must fit into the field. */
static uint32_t field_set(uint32_t value, const struct torus_machine_field *field, uint32_t part)
{
	return (value & ~torus_machine_field_mask(field)) |
	       part << (32 - field->first - field->width);
}

static int reg_ready(struct ctl *ctl, struct ctl_args *args, struct target *target,
		     struct reg_request *request)
{
	int status = reg_end(ctl, args, target, request);

	return status ? status : reg_find(ctl, target, request);
}

/* Read a register through the register dump, which does not clear registers that a read clears. */
static int reg_value(struct ctl *ctl, const struct target *target,
		     const struct reg_request *request, uint32_t *value)
{
	struct torus_nl_reg *regs;
	size_t count;
	size_t i;

	*value = 0;
	if (torus_nl_reg_dump(ctl->nl, target->name, target->node, &regs, &count))
		return ctl_failed(ctl);
	for (i = 0; i < count; i++)
		if (regs[i].reg == request->reg.reg)
			*value = regs[i].value;
	free(regs);
	return CTL_OK;
}

/*
 * Write a register, and save its old value in @kept if the write may be undone. If a field is
 * written, the other bits of the register keep their value. Exception: in a register whose bits are
 * cleared by writing ones, the other bits are written as 0.
 */
static int reg_write_one(struct ctl *ctl, struct target *target, void *arg, void *kept)
{
	struct reg_request *request = arg;
	uint32_t value = request->value, *before = kept;
	int status;

	if (request->field || request->several) {
		status = reg_value(ctl, target, request, before);
		if (status)
			return status;
	}
	if (request->field)
		value = field_set(*before, request->field, request->value);
	return torus_nl_reg_write(ctl->nl, target->name, target->node, request->reg.reg, value) ?
	       ctl_failed(ctl) : ctl_done(ctl);
}

static int reg_restore_one(struct ctl *ctl, struct target *target, void *arg, void *kept)
{
	struct reg_request *request = arg;
	uint32_t *before = kept;

	return torus_nl_reg_write(ctl->nl, target->name, target->node, request->reg.reg, *before) ?
	       CTL_FAILED : CTL_OK;
}

/**
 * reg_write - write a register, or one field of it, of nodes
 * @ctl: the call
 * @args: FABRIC NODES REG[.FIELD] VALUE
 *
 * Return: CTL_OK; CTL_USAGE or CTL_FAILED after an error message; or CTL_WORDS, see ctl_connect().
 */
int reg_write(struct ctl *ctl, struct ctl_args *args)
{
	static const struct target_change change = {
		.one = reg_write_one, .undo = reg_restore_one, .size = sizeof(uint32_t),
	};
	struct target target;
	const char *value;
	struct parse_error why;
	struct reg_request request;
	uint32_t most;
	int status;

	status = reg_begin(ctl, args, &target, &request);
	if (status)
		return status;
	value = ctl_next(args);
	if (!value)
		return ctl_usage(ctl, "a value is missing");
	if (!parse_u32("value", value, 0, UINT32_MAX, &request.value, &why))
		return ctl_reject(ctl, "%s", why.text);
	status = reg_ready(ctl, args, &target, &request);
	if (status)
		return status;
	most = request.field ? ~0u >> (32 - request.field->width) : ~0u;
	if (request.value > most) {
		target_free(&target);
		return ctl_reject(ctl, "%s %s: must be from 0 to %" PRIu32, request.word, value,
				  most);
	}
	status = target_change(ctl, &target, &change, &request);
	target_free(&target);
	return status;
}
