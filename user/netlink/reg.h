/* SPDX-License-Identifier: GPL-2.0 */
/* Read and write the device control registers of a node. */
#ifndef TORUS_NL_REG_H
#define TORUS_NL_REG_H

#include "session.h"

#define TORUS_NL_REG_NAME_MAX	48
#define TORUS_NL_REG_HELP_MAX	128

/**
 * struct torus_nl_reg - a register
 * @reg: offset of the register
 * @flags: TORUS_REG_*
 * @help: one line of help
 * @value: value of the register; valid if the request reads values
 * @boot: initial value of the register
 * @has_boot: true if the module sent @boot
 * @node: number of the register's node; valid if the module sent it
 */
struct torus_nl_reg {
	uint32_t reg;
	char name[TORUS_NL_REG_NAME_MAX];
	uint32_t flags;
	char help[TORUS_NL_REG_HELP_MAX];
	uint32_t value;
	uint32_t boot;
	bool has_boot;
	uint32_t node;
};

int torus_nl_reg_list(struct torus_nl *nl, const char *fabric, struct torus_nl_reg **regs,
		      size_t *count);
int torus_nl_reg_dump(struct torus_nl *nl, const char *fabric, uint32_t node,
		      struct torus_nl_reg **regs, size_t *count);
int torus_nl_reg_dump_changed(struct torus_nl *nl, const char *fabric, struct torus_nl_reg **regs,
			      size_t *count);
int torus_nl_reg_read(struct torus_nl *nl, const char *fabric, uint32_t node, const char *name,
		      uint32_t offset, struct torus_nl_reg *reg);
int torus_nl_reg_write(struct torus_nl *nl, const char *fabric, uint32_t node, uint32_t offset,
		       uint32_t value);

#endif /* TORUS_NL_REG_H */
