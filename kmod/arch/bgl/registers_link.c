// SPDX-License-Identifier: GPL-2.0
/* Registers of links: 08-0A, 12, the link part of 1E, 32-4C. */
#include "registers.h"
#include "core/link/control.h"
#include "core/link/corruption.h"
#include "core/run/report.h"
#include "registers_fifo.h"
#include "registers_link.h"
#include "registers_resend.h"

static u32 bgl_link_crc_read(struct torus_fabric *f, u32 node, u32 dir, bool receiver)
{
	u32 sender = receiver ? torus_link_from(f, node, dir) : node;
	struct torus_link_view view;

	if (sender == TORUS_NONE)
		return 0;
	torus_link_view(f, sender, dir, &view);
	return receiver ? view.rx_crc : view.tx_crc;
}

/* Return the value of a register of links. */
u32 bgl_link_read(struct torus_fabric *f, u32 node, u32 offset)
{
	const struct bgl_regs r = bgl_regs_get(f, node);
	u32 i;

	if (offset == REG_LINKS)
		return r.links;
	if (offset <= REG_TIMEOUT + 2) {
		i = 2 * (offset - REG_TIMEOUT);
		return (u32)r.timeout[i] << 16 | r.timeout[i + 1];
	}
	if (offset < REG_FULLNESS)
		return bgl_link_crc_read(f, node, offset - REG_RECEIVER_CRC, true);
	if (offset < REG_TOKENS)
		return bgl_vc_fullness(f, node, offset - REG_FULLNESS);
	if (offset < REG_SENDER_CRC)
		return bgl_vc_tokens(f, node, offset - REG_TOKENS);
	if (offset < REG_RESEND)
		return bgl_link_crc_read(f, node, offset - REG_SENDER_CRC, false);
	return bgl_resend_read(f, node, offset);
}

/*
 * Return the present sender bits (b0-5) of register 0B.
 *
 * Not only this register disables senders, but also a dead node or torusctl. For a link that does
 * not exist, the bit that was written is returned.
 */
u32 bgl_disabled(struct torus_fabric *f, u32 node)
{
	u32 dir, bits = bgl_regs_get(f, node).arbitration & BGL_DISABLE_ALL;
	struct torus_domain *d = torus_domain_of(f, node);

	for (dir = 0; dir < BGL_DIRS; dir++) {
		if (torus_link_peer(f, node, dir) == TORUS_NONE)
			continue;
		bits &= ~BGL_DISABLE(dir);
		if (d->links && torus_link_off(f, torus_link_at(d, node, dir), node, dir))
			bits |= BGL_DISABLE(dir);
	}
	return bits;
}

/*
 * Switch a node's links to new values of registers 0B and 12.
 *
 * @f: the fabric, locked
 * @disable: new value of register 0B
 * @links: new value of register 12
 *
 * Bits of links that the node does not have are stored without effect.
 *
 * Return: 0; -EBUSY if loopback is not possible yet; -EOPNOTSUPP if loopback is not possible at all
 * (torus_link_loopback()); -ENOMEM.
 */
int bgl_links_set(struct torus_fabric *f, u32 node, u32 disable, u32 links,
		  struct torus_error *err)
{
	u32 dir, changed = bgl_regs_get(f, node).links ^ links;
	u32 switched = bgl_disabled(f, node) ^ disable;
	struct bgl_regs *r = NULL;
	int ret = 0;

	if (changed)
		r = bgl_regs_own(f, node, err);
	if (changed && !r)
		return -ENOMEM;
	if (changed & BGL_LOOPBACK)
		ret = torus_link_loopback(f, node, links & BGL_LOOPBACK, err);
	for (dir = 0; dir < BGL_DIRS && !ret; dir++) {
		bool sends = torus_link_peer(f, node, dir) != TORUS_NONE;
		bool listens = torus_link_from(f, node, dir) != TORUS_NONE;

		if (sends && switched & BGL_DISABLE(dir))
			ret = torus_link_disable(f, node, dir, disable & BGL_DISABLE(dir), err);
		if (!ret && sends && changed & BGL_STOP_RESEND(dir))
			ret = torus_link_stop_resend(f, node, dir, links & BGL_STOP_RESEND(dir),
						     err);
		if (!ret && listens && changed & BGL_STOP_RECEIVE(dir))
			ret = torus_link_stop_receive(f, node, dir, links & BGL_STOP_RECEIVE(dir),
						      err);
	}
	if (!ret && r)
		r->links = links;
	return ret;
}

/*
 * Write link control or a register of time-outs. The fabric must be locked. Return 0, -ERANGE,
 * -EBUSY, -EOPNOTSUPP or -ENOMEM.
 */
int bgl_link_write(struct torus_fabric *f, u32 node, u32 offset, u32 value,
		   struct torus_error *err)
{
	struct bgl_regs *r;

	if (offset == REG_LINKS)
		return bgl_links_set(f, node, bgl_disabled(f, node), value, err);
	if (!(value >> 16) || !(value & 0xffff))
		return bgl_reg_range(bgl_reg_find(offset), value,
				     "each half is a time-out and must be 1..65535 ticks", err);
	r = bgl_regs_own(f, node, err);
	if (!r)
		return -ENOMEM;
	r->timeout[2 * (offset - REG_TIMEOUT)] = (u16)(value >> 16);
	r->timeout[2 * (offset - REG_TIMEOUT) + 1] = (u16)value;
	return 0;
}

/* Check that no packets are in flight on a link, so that the CRC of either end may be cleared. */
static int bgl_link_clear_check(struct torus_fabric *f, u32 sender, u32 dir, u32 value,
				struct torus_error *err)
{
	struct torus_link_view view;
	char name[16];

	torus_link_view(f, sender, dir, &view);
	if (view.rest)
		return 0;
	return torus_fail(err, EBUSY,
			  "clear = 0x%08x: node %u still has packets in flight on link %s", value,
			  sender, torus_direction_name(dir, name, sizeof(name)));
}

/*
 * Write register 1E: ones clear link CRCs and injection checksums.
 *
 * @f: the fabric, locked
 * @offset: ignored
 * @value: bits to clear
 *
 * A link CRC is cleared only while no packet is between the two ends. If one end counted a packet
 * before the CRC was cleared and the other end after, the two CRCs would differ permanently.
 *
 * Return: 0; -EBUSY, and nothing is cleared.
 */
int bgl_clear_write(struct torus_fabric *f, u32 node, u32 offset, u32 value,
		    struct torus_error *err)
{
	u32 dir, i, pass;

	for (pass = 0; pass < 2; pass++)
		for (dir = 0; dir < BGL_DIRS; dir++) {
			u32 from = torus_link_from(f, node, dir);
			bool own = torus_link_peer(f, node, dir) != TORUS_NONE;

			for (i = 0; i < 2; i++) {
				u32 sender = i ? from : node;
				u32 bit = i ? BGL_CLEAR_RECEIVER(dir) : BGL_CLEAR_SENDER(dir);
				int ret = 0;

				if (!(value & bit) || (i ? from == TORUS_NONE : !own))
					continue;
				if (!pass)
					ret = bgl_link_clear_check(f, sender, dir, value, err);
				else
					torus_link_crc_clear(f, sender, dir, i);
				if (ret)
					return ret;
			}
		}
	for (i = 0; i < 8; i++)
		if (value & BGL_CLEAR_CHECKSUM(i))
			bgl_checksum_clear(f, node, i);
	return 0;
}
