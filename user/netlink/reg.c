// SPDX-License-Identifier: GPL-2.0
/* Read and write the device control registers of a node. */
#include <errno.h>

#include "reg.h"

static int reg_parse(const struct torus_nl_reply *reply, void *item)
{
	struct torus_nl_reg *reg = item;

	if (!torus_nl_has(reply, TORUS_A_REG))
		return -EBADMSG;
	reg->reg = torus_nl_u32(reply, TORUS_A_REG);
	torus_nl_string(reply, TORUS_A_REG_NAME, reg->name, sizeof(reg->name));
	reg->flags = torus_nl_u32(reply, TORUS_A_REG_FLAGS);
	torus_nl_string(reply, TORUS_A_REG_HELP, reg->help, sizeof(reg->help));
	reg->value = torus_nl_u32(reply, TORUS_A_REG_VALUE);
	reg->has_boot = torus_nl_has(reply, TORUS_A_REG_BOOT);
	reg->boot = torus_nl_u32(reply, TORUS_A_REG_BOOT);
	reg->node = torus_nl_u32(reply, TORUS_A_NODE);
	return 0;
}

static struct nl_msg *reg_message(struct torus_nl *nl, enum torus_cmd cmd, const char *fabric,
				  const uint32_t *node, const uint32_t *offset,
				  const uint32_t *value)
{
	struct nl_msg *msg = torus_nl_message(nl, cmd, fabric);

	if (msg && ((node && nla_put_u32(msg, TORUS_A_NODE, *node)) ||
		    (offset && nla_put_u32(msg, TORUS_A_REG, *offset)) ||
		    (value && nla_put_u32(msg, TORUS_A_REG_VALUE, *value)))) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

static int reg_dump(struct torus_nl *nl, struct nl_msg *msg, struct torus_nl_reg **regs,
		    size_t *count)
{
	struct torus_nl_list list = { .size = sizeof(**regs), .parse = reg_parse };
	int error = torus_nl_dump(nl, msg, &list);

	*regs = list.items;
	*count = list.count;
	return error;
}

/**
 * torus_nl_reg_list - list the registers of a fabric's nodes
 * @fabric: name of the fabric
 * @regs: [out] array without values, freed by the caller
 * @count: [out] number of registers
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_reg_list(struct torus_nl *nl, const char *fabric, struct torus_nl_reg **regs,
		      size_t *count)
{
	return reg_dump(nl, reg_message(nl, TORUS_CMD_REG_GET, fabric, NULL, NULL, NULL), regs,
			count);
}

/**
 * torus_nl_reg_dump - read all registers of a node
 * @fabric: name of the fabric
 * @node: number of the node
 * @regs: [out] array, freed by the caller
 * @count: [out] number of registers
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_reg_dump(struct torus_nl *nl, const char *fabric, uint32_t node,
		      struct torus_nl_reg **regs, size_t *count)
{
	return reg_dump(nl, reg_message(nl, TORUS_CMD_REG_GET, fabric, &node, NULL, NULL), regs,
			count);
}

/**
 * torus_nl_reg_dump_changed - list the registers that differ from their initial value, of all nodes
 * that this user may see
 * @fabric: name of the fabric
 * @regs: [out] array with the node of each register, freed by the caller
 * @count: [out] number of registers
 *
 * Registers that cannot be written, or that a read or a write clears, are not listed.
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_reg_dump_changed(struct torus_nl *nl, const char *fabric, struct torus_nl_reg **regs,
			      size_t *count)
{
	struct nl_msg *msg = reg_message(nl, TORUS_CMD_REG_GET, fabric, NULL, NULL, NULL);

	if (msg && nla_put_flag(msg, TORUS_A_CHANGED)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return reg_dump(nl, msg, regs, count);
}

/**
 * torus_nl_reg_read - read a register
 * @nl: the session
 * @fabric: the fabric
 * @node: number of the node
 * @name: name of the register, in upper or lower case; NULL: @offset identifies the register
 * @offset: offset of the register
 * @reg: [out] the register and its value
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_reg_read(struct torus_nl *nl, const char *fabric, uint32_t node, const char *name,
		      uint32_t offset, struct torus_nl_reg *reg)
{
	struct nl_msg *msg = reg_message(nl, TORUS_CMD_REG_GET, fabric, &node,
					 name ? NULL : &offset, NULL);

	*reg = (struct torus_nl_reg){ .reg = offset };
	if (msg && name && nla_put_string(msg, TORUS_A_REG_NAME, name)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return torus_nl_do(nl, msg, reg_parse, reg);
}

/**
 * torus_nl_reg_write - write a register
 * @fabric: name of the fabric
 * @node: number of the node
 * @offset: offset of the register
 * @value: new value
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_reg_write(struct torus_nl *nl, const char *fabric, uint32_t node, uint32_t offset,
		       uint32_t value)
{
	return torus_nl_do(nl, reg_message(nl, TORUS_CMD_REG_SET, fabric, &node, &offset, &value),
			   NULL, NULL);
}
