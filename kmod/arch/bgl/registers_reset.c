// SPDX-License-Identifier: GPL-2.0
/*
 * Register 00: resets of parts of a node. Ones reset; the register reads as 0.
 *
 * Effect of each bit on a simulated node:
 *
 *   registers   all writable registers, errors included, get their values of boot:
 *               links are enabled, loopback ends
 *   random      the arbiters' random numbers restart from the fabric's seed
 *   injection   injection FIFOs are emptied, their checksums are reset
 *   reception   reception FIFOs are emptied: packets that no program has read count as
 *               unread
 *   send        the sender's link CRC is reset, its counter of retries is 0, and all
 *               unacknowledged packets are sent again at once, unless retransmission is
 *               stopped, or the sender is parked and its link down
 *   send SRAM   pointers of the resend FIFOs (0: X+ X- Y+, 1: Y- Z+ Z-) are 0;
 *               rejected while one of these FIFOs holds a packet
 *   receive     the receiver's VC buffers are emptied, its link CRC is reset, its
 *               counter of input errors is 0
 *
 * Other packets that a reset discards are counted under the drop reason `reset`. The
 * two CRCs of a link stay equal if both ends are reset while no packet is between them.
 */
#include "registers.h"
#include "core/link/corruption.h"
#include "core/link/recovery.h"
#include "core/nic/group.h"
#include "registers_error.h"
#include "registers_fifo.h"
#include "registers_link.h"
#include "registers_resend.h"
#include "registers_reset.h"

/* Check whether SRAM @i contains the resend FIFOs of a direction. */
static bool bgl_in_sram(u32 dir, u32 i)
{
	return dir / 3 == i;
}

static int bgl_check_sram(struct torus_fabric *f, u32 node, u32 value, struct torus_error *err)
{
	struct torus_domain *d = torus_domain_of(f, node);
	char name[16];
	u32 dir;

	for (dir = 0; dir < BGL_DIRS && d->links; dir++)
		if (value & BGL_RESET_SRAM(dir / 3) && torus_link_at(d, node, dir)->live &&
		    torus_link_at(d, node, dir)->head != TORUS_NONE)
			return torus_fail(err, EBUSY,
					  "reset = 0x%08x: the resend FIFO of link %s contains "
					  "packets", value,
					  torus_direction_name(dir, name, sizeof(name)));
	return 0;
}

static void bgl_reset_sram(struct torus_fabric *f, u32 node, u32 i)
{
	u32 dir;

	for (dir = 0; dir < BGL_DIRS; dir++)
		if (bgl_in_sram(dir, i))
			bgl_resend_reset(f, node, dir);
}

static int bgl_reset_registers(struct torus_fabric *f, u32 node, struct torus_error *err)
{
	const struct bgl_machine *m = bgl_machine(f);
	int ret = bgl_links_set(f, node, 0, 0, err);

	if (ret)
		return ret;
	bgl_regs_reset(f, node);
	bgl_set_arbitration(f, node, m->slq, m->inject_first);
	return 0;
}

static void bgl_reset_injection(struct torus_fabric *f, u32 node)
{
	u32 i;

	for (i = 0; i < BGL_GROUPS * TORUS_BGL_INJECT_FIFOS; i++) {
		f->router->flush(f, node, f->dirs * f->vcs + i, TORUS_DROP_RESET);
		bgl_checksum_clear(f, node, i);
	}
}

static void bgl_reset_sender(struct torus_fabric *f, u32 node, u32 dir)
{
	struct torus_domain *d = torus_domain_of(f, node);

	bgl_error_clear(f, node, REG_RE + BGL_RE_RETRY + dir);
	if (torus_link_peer(f, node, dir) == TORUS_NONE)
		return;
	torus_link_crc_clear(f, node, dir, false);
	if (d->links && torus_link_at(d, node, dir)->live)
		torus_link_restart(d, node, dir);
}

static void bgl_reset_receiver(struct torus_fabric *f, u32 node, u32 dir)
{
	u32 from = torus_link_from(f, node, dir), vc;

	bgl_error_clear(f, node, REG_RE + BGL_RE_INPUT + dir);
	if (from == TORUS_NONE)
		return;
	torus_link_crc_clear(f, from, dir, true);
	for (vc = 0; vc < f->vcs; vc++)
		f->router->flush(f, node, dir * f->vcs + vc, TORUS_DROP_RESET);
}

/*
 * Write register 00.
 *
 * @f: the fabric, locked
 * @offset: ignored
 * @value: bits of the parts to reset
 *
 * Return: 0; -EBUSY, and nothing is reset; -ENOMEM.
 */
int bgl_reset_write(struct torus_fabric *f, u32 node, u32 offset, u32 value,
		    struct torus_error *err)
{
	int ret = bgl_check_sram(f, node, value, err);
	u32 dir, i;

	/* only a reset of the pointers needs memory: it stores the pointers' base */
	if (!ret && value & (BGL_RESET_SRAM(0) | BGL_RESET_SRAM(1)))
		ret = bgl_resend_own(f, err);
	if (!ret && value & BGL_RESET_REGISTERS)
		ret = bgl_reset_registers(f, node, err);
	if (ret)
		return ret;
	if (value & BGL_RESET_RANDOM)
		f->router->reseed(f, node);
	if (value & BGL_RESET_INJECTION)
		bgl_reset_injection(f, node);
	if (value & BGL_RESET_RECEPTION)
		torus_nic_flush(f, node);
	for (i = 0; i < 2; i++)
		if (value & BGL_RESET_SRAM(i))
			bgl_reset_sram(f, node, i);
	for (dir = 0; dir < BGL_DIRS; dir++) {
		if (value & BGL_RESET_SEND(dir))
			bgl_reset_sender(f, node, dir);
		if (value & BGL_RESET_RECEIVE(dir))
			bgl_reset_receiver(f, node, dir);
	}
	return 0;
}
