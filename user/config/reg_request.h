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
 * @field_name: the field; NULL: the whole register
 * @reg: the register, once it is found; before that its offset unless @by_name
 * @field: the field, once it is found
 * @value: value to write
 * @list: answers as JSON, or NULL
 * @several: there is more than one node
 * @by_name: the register is known by @name, not yet by its offset
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
