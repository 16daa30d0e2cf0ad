/* SPDX-License-Identifier: GPL-2.0 */
/* Parse FABRIC NODES REG[.FIELD], the registers that a command reads or writes. */
#ifndef TORUS_TORUSCTL_REG_REQUEST_H
#define TORUS_TORUSCTL_REG_REQUEST_H

#include "../machine/machine.h"
#include "../netlink/reg.h"
#include "target.h"

#define REG_WORD_MAX	96	/* maximum bytes of REG.FIELD, with NUL */

struct json_object;

/**
 * struct reg_request - the register to read or write
 * @word: the argument: a register, or REG.FIELD
 * @name: the register without the field
 * @field_name: name of the field; NULL: the whole register
 * @reg: the register, after reg_find(). Before, only the offset of the register is valid, unless
 *    @by_name
 * @field: the field, after reg_find()
 * @value: value to write
 * @list: [out] JSON list of results, or NULL for text
 * @several: true if the call names more than one node
 * @by_name: true if only the name of the register is known, and not its offset
 */
struct reg_request {
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

int reg_target(struct ctl *ctl, struct target *target);
int reg_find(struct ctl *ctl, const struct target *target, struct reg_request *request);
int reg_begin(struct ctl *ctl, struct ctl_args *args, struct target *target,
	      struct reg_request *request);
int reg_end(struct ctl *ctl, struct ctl_args *args, struct target *target,
	    struct reg_request *request);

#endif
