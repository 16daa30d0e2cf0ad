/* SPDX-License-Identifier: GPL-2.0 */
/* FABRIC NODES REG[.FIELD]: the registers that a command reads or writes. */
#ifndef TORUS_TORUSCTL_REG_REQUEST_H
#define TORUS_TORUSCTL_REG_REQUEST_H

#include "../machine/machine.h"
#include "../netlink/reg.h"
#include "target.h"

#define REG_WORD_MAX	96	/* bytes of REG.FIELD */

struct json_object;

/**
 * struct reg_request - what is to be done with registers
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
bool reg_is_offset(const struct reg_request *request);
int reg_find(struct ctl *ctl, const struct target *target, struct reg_request *request);
int reg_begin(struct ctl *ctl, struct ctl_args *args, struct target *target,
	      struct reg_request *request);
int reg_end(struct ctl *ctl, struct ctl_args *args, struct target *target,
	    struct reg_request *request);

#endif
