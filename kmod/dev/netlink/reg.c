// SPDX-License-Identifier: GPL-2.0
/* Netlink commands for the registers of nodes. */
#include "core/base/node_number.h"
#include "core/port/machine_registers.h"
#include "dev/base/memory_limit.h"
#include "dev/engine/engine.h"
#include "dev/engine/events.h"
#include "message.h"
#include "reg.h"
#include "request.h"
#include "rights.h"

/**
 * torus_netlink_named_reg() - find a register of a machine by its name
 * @arch: the machine, which may have no registers
 * @name: name of the register, in upper or lower case letters
 *
 * Return: the register, or NULL.
 */
const struct torus_reg *torus_netlink_named_reg(const struct torus_arch *arch, const char *name)
{
	u32 i;

	for (i = 0; i < *arch->nregs; i++)
		if (!strcasecmp(arch->regs[i].name, name))
			return &arch->regs[i];
	return NULL;
}

/*
 * Find the register that a request names. Return: NULL on failure; @err is then the value that the
 * handler must return.
 */
static const struct torus_reg *torus_netlink_reg(struct sk_buff *skb, struct genl_info *info,
						 int *err)
{
	const struct torus_arch *arch = torus_netlink_engine(info)->arch;
	const struct nlattr *attr = info->attrs[TORUS_A_REG];
	const struct nlattr *name = info->attrs[TORUS_A_REG_NAME];
	const struct torus_reg *reg;

	if (!attr == !name) {
		*err = torus_netlink_refuse(skb, info->nlhdr, name, -EINVAL,
					    attr ? "REG and REG_NAME cannot be combined" :
						   "requires the attribute REG or REG_NAME");
		return NULL;
	}
	reg = name ? torus_netlink_named_reg(arch, nla_data(name)) :
		     torus_machine_register(arch, nla_get_u32(attr));
	if (!reg && name)
		*err = torus_netlink_refuse(skb, info->nlhdr, name, -ENOENT,
					    "%s has no register %s", arch->name,
					    (const char *)nla_data(name));
	else if (!reg)
		*err = torus_netlink_refuse(skb, info->nlhdr, attr, -ENOENT,
					    "%s has no register at 0x%02x (%u)", arch->name,
					    nla_get_u32(attr), nla_get_u32(attr));
	return reg;
}

/* Note an access by a request. In a port, the machine's register n is at offset 4n. */
static void torus_netlink_reg_accessed(struct torus_engine *e, const struct torus_reg *reg,
				       u32 node, u32 value)
{
	torus_stop_notes_access(&e->run.notes, node, reg->offset * 4, value);
}

static int torus_netlink_fill_reg(struct torus_netlink_msg *msg, const struct torus_engine *e,
				  const struct torus_reg *reg, const u32 *node, const u32 *value,
				  const u32 *boot)
{
	if (torus_netlink_begin(msg))
		return -EMSGSIZE;
	return torus_netlink_end(msg, !nla_put_u32(msg->skb, TORUS_A_REG, reg->offset) &&
				 !nla_put_string(msg->skb, TORUS_A_REG_NAME, reg->name) &&
				 !nla_put_u32(msg->skb, TORUS_A_REG_FLAGS, reg->flags) &&
				 !nla_put_string(msg->skb, TORUS_A_REG_HELP, reg->help) &&
				 (!node || torus_netlink_put_node(msg, e, TORUS_A_NODE, *node)) &&
				 (!value || !nla_put_u32(msg->skb, TORUS_A_REG_VALUE, *value)) &&
				 (!boot || !nla_put_u32(msg->skb, TORUS_A_REG_BOOT, *boot)));
}

/* TORUS_CMD_REG_GET: one register. Reading a register with TORUS_REG_READ_CLEARS changes it. */
int torus_netlink_reg_get(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[TORUS_A_REG] ?: info->attrs[TORUS_A_REG_NAME];
	struct torus_engine *e = torus_netlink_engine(info);
	const struct torus_reg *reg;
	struct torus_netlink_msg msg;
	struct torus_error why;
	u32 node, value;
	int err;

	err = torus_netlink_node(skb, info, &node);
	if (err)
		return err;
	reg = torus_netlink_reg(skb, info, &err);
	if (!reg)
		return err;
	if (reg->flags & TORUS_REG_READ_CLEARS && !netlink_capable(skb, CAP_NET_ADMIN))
		return torus_netlink_refuse(skb, info->nlhdr, attr, -EPERM,
					    "reading %s clears it, so this requires CAP_NET_ADMIN "
					    "in the initial user namespace", reg->name);
	err = torus_netlink_new_reply(&msg, info);
	if (err)
		return err;
	err = e->arch->reg_read(e->fabric, node, reg->offset, &value, &why);
	if (err) {
		nlmsg_free(msg.skb);
		return torus_netlink_refuse(skb, info->nlhdr, attr, err, "%s", why.text);
	}
	torus_netlink_reg_accessed(e, reg, node, value);
	err = torus_netlink_fill_reg(&msg, e, reg, &node, &value, NULL);
	return torus_netlink_send_reply(&msg, info, err);
}

/* Add a register: of the machine, or of a node with its value. Does not change the register. */
static int torus_netlink_dump_reg(struct torus_netlink_msg *msg, struct torus_netlink_dump *dump,
				  const struct torus_reg *reg)
{
	struct torus_engine *e = dump->engine;
	bool readable = dump->one, writable = !(reg->flags & TORUS_REG_READ_ONLY);
	u32 value, boot;

	if (readable && e->arch->reg_peek(e->fabric, dump->node, reg->offset, &value, NULL))
		readable = false;
	if (readable && writable)
		boot = e->arch->reg_boot(e->fabric, dump->node, reg->offset);
	return torus_netlink_fill_reg(msg, e, reg, dump->one ? &dump->node : NULL,
				      readable ? &value : NULL,
				      readable && writable ? &boot : NULL);
}

/*
 * Add those writable registers of node @dump->node, from @dump->next on, whose values differ from
 * boot, except those of which a read or a write clears bits.
 */
static int torus_netlink_dump_changed(struct torus_netlink_msg *msg,
				      struct torus_netlink_dump *dump)
{
	struct torus_engine *e = dump->engine;
	const u32 fixed = TORUS_REG_READ_ONLY | TORUS_REG_READ_CLEARS | TORUS_REG_WRITE_CLEARS;
	u32 value, boot;
	int err;

	for (; dump->next < *e->arch->nregs; dump->next++) {
		const struct torus_reg *reg = &e->arch->regs[dump->next];

		if (reg->flags & fixed ||
		    e->arch->reg_peek(e->fabric, dump->node, reg->offset, &value, NULL))
			continue;
		boot = e->arch->reg_boot(e->fabric, dump->node, reg->offset);
		if (value == boot)
			continue;
		err = torus_netlink_fill_reg(msg, e, reg, &dump->node, &value, &boot);
		if (err)
			return err;
	}
	dump->next = 0;
	return 0;
}

/* TORUS_CMD_REG_GET, dump with CHANGED: registers of one node, or all, that differ from boot. */
static int torus_netlink_reg_dump_changed(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct torus_netlink_dump *dump = torus_netlink_dump(cb);
	struct torus_netlink_msg msg;
	int err = torus_netlink_lock(cb);

	if (err)
		return err;
	torus_netlink_into_dump(&msg, skb, cb);
	for (; dump->node < dump->last; dump->node++) {
		if (torus_netlink_breathe(cb))
			return skb->len ?: -ENODEV;
		if (!torus_netlink_sees(cb->skb, dump->engine, dump->node))
			continue;
		err = torus_netlink_dump_changed(&msg, dump);
		if (err)
			break;
	}
	torus_engine_unlock(dump->engine);
	return skb->len ?: err;
}

/* TORUS_CMD_REG_GET, dump: all registers of a machine or of a node. */
int torus_netlink_reg_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct torus_netlink_dump *dump = torus_netlink_dump(cb);
	const struct torus_arch *arch = dump->engine->arch;
	struct torus_netlink_msg msg;
	int err;

	if (dump->changed)
		return torus_netlink_reg_dump_changed(skb, cb);
	err = torus_netlink_lock(cb);
	if (err)
		return err;
	torus_netlink_into_dump(&msg, skb, cb);
	while (dump->next < *arch->nregs) {
		err = torus_netlink_dump_reg(&msg, dump, &arch->regs[dump->next]);
		if (err)
			break;
		dump->next++;
	}
	torus_engine_unlock(dump->engine);
	return skb->len ?: err;
}

/*
 * Write a register. The first write of a fabric allocates memory for registers: charge it to the
 * fabric.
 */
static int torus_netlink_write_reg(struct torus_engine *e, u32 node, u32 offset, u32 value,
				   struct torus_error *why)
{
	const struct torus_arch *arch = e->arch;
	u64 bytes = (u64)e->geo.nodes * arch->reg_node_bytes;
	int err;

	if (!bytes || arch->later_bytes(e->fabric))
		return arch->reg_write(e->fabric, node, offset, value, why);
	err = torus_budget_take(bytes, why);
	if (err)
		return err;
	err = arch->reg_write(e->fabric, node, offset, value, why);
	if (arch->later_bytes(e->fabric))
		e->registry.bytes += bytes;
	else
		torus_budget_give(bytes);
	return err;
}

int torus_netlink_reg_set(struct sk_buff *skb, struct genl_info *info)
{
	u32 value = nla_get_u32(info->attrs[TORUS_A_REG_VALUE]);
	struct torus_engine *e = torus_netlink_engine(info);
	const struct torus_reg *reg;
	struct torus_error why;
	u32 node;
	int err;

	err = torus_netlink_node(skb, info, &node);
	if (err)
		return err;
	reg = torus_netlink_reg(skb, info, &err);
	if (!reg)
		return err;
	if (reg->flags & TORUS_REG_READ_ONLY)
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_REG], -EPERM,
					    "register %s (0x%02x) is read-only%s", reg->name,
					    reg->offset, reg->flags & TORUS_REG_RESET_CLEARS ?
					    ": only a reset of the registers clears it" : "");
	err = torus_netlink_write_reg(e, node, reg->offset, value, &why);
	if (err)
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_REG_VALUE], err,
					    "%s", why.text);
	torus_netlink_reg_accessed(e, reg, node, value);
	torus_event_send_locked(e, &(struct torus_event_note){
		.event = TORUS_EVENT_REG_SET,
		.request = info->nlhdr,
	});
	return 0;
}
