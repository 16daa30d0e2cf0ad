// SPDX-License-Identifier: GPL-2.0
/*
 * The memory regions of the PCI function. Each access of a guest to BAR 0 traps, and becomes an
 * access to a register of the node. Accesses of other than four aligned bytes are ignored and read
 * as all ones; the node sets its error bit ACCESS, as for registers that do not exist.
 */
#include <linux/iopoll.h>
#include <linux/minmax.h>
#include <linux/regmap.h>
#include <linux/uaccess.h>

#include "bar.h"
#include "doorbell.h"
#include "vfio.h"

#define BAR_ALL_ONES	(~0u)
/* Longest access of a processor. */
#define BAR_ACCESS_MAX	8u
/* Longest wait for a reset, in microseconds: the thread that runs the fabric is never so late. */
#define BAR_RESET_US	(5 * USEC_PER_SEC)

/* Have the node set its error bit: no register is at an odd offset. */
static void bar_access_failed(struct torus_vfio *v)
{
	torus_read32(v->td, TORUS_PORT_BYTES - 1);
}

static u32 bar_read(struct torus_vfio *v, u32 offset)
{
	u32 value, ring;

	if (torus_vfio_doorbell_at(offset, &ring))
		return torus_vfio_doorbell_tail(v, ring);
	if (offset >= TORUS_PORT_MACHINE_BYTES || !v->machine)
		return torus_read32(v->td, offset);
	if (!regmap_read(v->machine, offset / sizeof(u32), &value))
		return value;
	bar_access_failed(v);
	return BAR_ALL_ONES;
}

/* Return: false if the access failed and the node does not know it. */
static bool bar_write(struct torus_vfio *v, u32 offset, u32 value)
{
	u32 ring;

	if (torus_vfio_doorbell_at(offset, &ring))
		return torus_vfio_doorbell_ring(v, ring, value);
	if (offset == TORUS_PORT_CONTROL && value == TORUS_PORT_CONTROL_RESET)
		torus_vfio_doorbell_reset(v);
	else if (offset >= TORUS_PORT_MACHINE_BYTES || !v->machine)
		torus_write32_quiet(v->td, offset, value);
	else
		return !regmap_write(v->machine, offset / sizeof(u32), value);
	return true;
}

/* Return: the bytes that an access of @count bytes at @at reaches; 0: it is outside. */
static size_t bar_clamp(size_t count, u64 at, u32 bytes)
{
	return at < bytes ? min3(count, (size_t)BAR_ACCESS_MAX, (size_t)(bytes - at)) : 0;
}

static ssize_t bar_read_ones(char __user *to, size_t count)
{
	u8 ones[BAR_ACCESS_MAX];

	memset(ones, 0xff, sizeof(ones));
	return copy_to_user(to, ones, count) ? -EFAULT : count;
}

/**
 * torus_vfio_bar_read() - read a register of BAR 0
 * @v: the function; may sleep
 * @to: [out] the bytes
 * @count: number of bytes
 * @at: offset of the first one
 *
 * Return: the number of bytes that were read, at most 8; -EINVAL beyond the end; -EFAULT.
 */
ssize_t torus_vfio_bar_read(struct torus_vfio *v, char __user *to, size_t count, u64 at)
{
	u32 value;

	count = bar_clamp(count, at, TORUS_VFIO_BAR_BYTES);
	if (!count)
		return -EINVAL;
	if (count != sizeof(value) || at % sizeof(value)) {
		bar_access_failed(v);
		return bar_read_ones(to, count);
	}
	value = bar_read(v, at);
	return copy_to_user(to, &value, sizeof(value)) ? -EFAULT : count;
}

/**
 * torus_vfio_bar_write() - write a register of BAR 0
 * @v: the function; may sleep
 * @from: the bytes
 * @count: number of bytes
 * @at: offset of the first one
 *
 * Return: the number of bytes that were written, at most 8; -EINVAL beyond the end; -EFAULT.
 */
ssize_t torus_vfio_bar_write(struct torus_vfio *v, const char __user *from, size_t count, u64 at)
{
	u32 value;

	count = bar_clamp(count, at, TORUS_VFIO_BAR_BYTES);
	if (!count)
		return -EINVAL;
	if (count != sizeof(value) || at % sizeof(value)) {
		bar_access_failed(v);
		return count;
	}
	if (copy_from_user(&value, from, sizeof(value)))
		return -EFAULT;
	if (!bar_write(v, at, value))
		bar_access_failed(v);
	return count;
}

/**
 * torus_vfio_msix_read() - read the tables of MSI-X
 * @to: [out] ones
 * @count: number of bytes
 * @at: offset of the first one
 *
 * Return: the number of bytes that were read, at most 8; -EINVAL beyond the end; -EFAULT.
 */
ssize_t torus_vfio_msix_read(char __user *to, size_t count, u64 at)
{
	count = bar_clamp(count, at, TORUS_VFIO_MSIX_BYTES);
	return count ? bar_read_ones(to, count) : -EINVAL;
}

/**
 * torus_vfio_msix_write() - ignore a write to the tables of MSI-X
 * @count: number of bytes
 * @at: offset of the first one
 *
 * Return: the number of bytes that were ignored, at most 8; -EINVAL beyond the end.
 */
ssize_t torus_vfio_msix_write(size_t count, u64 at)
{
	return bar_clamp(count, at, TORUS_VFIO_MSIX_BYTES) ?: -EINVAL;
}

/**
 * torus_vfio_bar_reset() - reset the node, and wait until it is done
 * @v: the function; may sleep
 *
 * Return: 0; -ENODEV if the node has been taken away; -ETIMEDOUT.
 */
int torus_vfio_bar_reset(struct torus_vfio *v)
{
	u32 value;
	int err;

	torus_vfio_doorbell_reset(v);
	err = read_poll_timeout(torus_read32, value, value != TORUS_PORT_CONTROL_RESET, 50,
				BAR_RESET_US, false, v->td, TORUS_PORT_CONTROL);
	return err ?: value ? -ENODEV : 0;
}
