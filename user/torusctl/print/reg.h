/* SPDX-License-Identifier: GPL-2.0 */
/* Convert registers and their fields to records. */
#ifndef TORUSCTL_REGPRINT_H
#define TORUSCTL_REGPRINT_H

#include <json-c/json.h>

#include "../../machine/machine.h"
#include "../../netlink/reg.h"
#include "../../config/target.h"

struct json_object *reg_json(const struct target *target, const struct torus_nl_reg *reg,
			     const struct torus_machine_field *field, bool with_value);
struct json_object *regs_json(const struct ctl *ctl, const struct target *target,
			      const struct torus_nl_reg *regs, size_t count, bool with_value);

/* Formats of registers as text, see report_print(). */
extern const char regs_form[];
extern const char regs_values_form[];

#endif /* TORUSCTL_REGPRINT_H */
