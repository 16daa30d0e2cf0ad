// SPDX-License-Identifier: GPL-2.0
/* Registers of nodes of a fabric of this process. */
#include <errno.h>

#include "../netlink/answer.h"
#include "reg.h"

/* Send a register; of node @node with its value, or, if @node is TORUS_NONE, of the machine. */
static int put_reg(struct rehearsed *r, struct torus_nl_request *request,
		   const struct torus_reg *reg, u32 node)
{
	const struct torus_arch *arch = r->config->arch;
	struct nl_msg *msg = torus_nl_answer_new();
	u32 value;
	int error;

	error = !msg || nla_put_u32(msg, TORUS_A_REG, reg->offset) ||
		nla_put_string(msg, TORUS_A_REG_NAME, reg->name) ||
		nla_put_u32(msg, TORUS_A_REG_FLAGS, reg->flags) ||
		nla_put_string(msg, TORUS_A_REG_HELP, reg->help);
	if (!error && node != TORUS_NONE &&
	    !arch->reg_peek(r->fabric, node, reg->offset, &value, NULL))
		error = nla_put_u32(msg, TORUS_A_NODE, rehearsal_u32(request, TORUS_A_NODE)) ||
			nla_put_u32(msg, TORUS_A_REG_VALUE, value);
	return torus_nl_answer_send(request, msg, error);
}

/* Answer TORUS_CMD_REG_GET: the list of registers, of a machine or of a node. */
int rehearsal_reg_get(struct rehearsed *r, struct torus_nl_request *request)
{
	const struct torus_arch *arch = r->config->arch;
	u32 node = TORUS_NONE, i;
	int error = 0;

	if (!request->dump)
		return rehearsal_refuse(request, -EOPNOTSUPP,
					"this request requires the loaded module");
	if (rehearsal_has(request, TORUS_A_NODE))
		error = rehearsal_node(request, r, &node);
	for (i = 0; !error && i < *arch->nregs; i++)
		error = put_reg(r, request, &arch->regs[i], node);
	return error;
}

/* Answer TORUS_CMD_REG_SET. */
int rehearsal_reg_set(struct rehearsed *r, struct torus_nl_request *request)
{
	const struct torus_arch *arch = r->config->arch;
	u32 offset = rehearsal_u32(request, TORUS_A_REG), node, i;
	const struct torus_reg *reg = NULL;
	struct torus_error why;
	int error = rehearsal_node(request, r, &node);

	for (i = 0; !error && i < *arch->nregs && !reg; i++)
		if (arch->regs[i].offset == offset)
			reg = &arch->regs[i];
	if (error)
		return error;
	if (!reg)
		return rehearsal_refuse(request, -ENOENT, "%s has no register at 0x%02x (%u)",
					arch->name, offset, offset);
	if (reg->flags & TORUS_REG_READ_ONLY)
		return rehearsal_refuse(request, -EPERM, "register %s (0x%02x) is read-only%s",
					reg->name, reg->offset,
					reg->flags & TORUS_REG_RESET_CLEARS ?
					": only a reset of the registers clears it" : "");
	error = arch->reg_write(r->fabric, node, offset, rehearsal_u32(request, TORUS_A_REG_VALUE),
				&why);
	return error ? rehearsal_refuse(request, error, "%s", why.text) : 0;
}
