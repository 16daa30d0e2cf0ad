// SPDX-License-Identifier: GPL-2.0
/*
 * The configuration space of the PCI function: what a guest finds when it scans its bus.
 *
 * It has two BARs: the registers of <linux/torus_port.h>, and the tables of MSI-X, which VFIO's
 * user emulates. MSI and MSI-X are switched on by VFIO's ioctl; their registers only keep what was
 * written. Without BUS MASTER the function accesses no memory and sends no interrupt.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/pci_regs.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "bar.h"
#include "config.h"
#include "vfio.h"

/* The first capability is MSI with a 64-bit address and one vector, the second one is MSI-X. */
#define CONFIG_MSI	0x40
#define CONFIG_MSIX	0x50

/**
 * struct config_row - a field of the configuration space
 * @at: offset
 * @bytes: length: 1, 2 or 4
 * @value: value after a reset
 * @writable: bits that can be written; the others are constant
 */
struct config_row {
	u8 at;
	u8 bytes;
	u32 value;
	u32 writable;
};

/* All other bytes are 0 and cannot be written. */
static const struct config_row config_rows[] = {
	{ PCI_VENDOR_ID, 2, TORUS_PORT_PCI_VENDOR, 0 },
	{ PCI_DEVICE_ID, 2, TORUS_PORT_PCI_DEVICE, 0 },
	{ PCI_COMMAND, 2, PCI_COMMAND_MEMORY,
	  PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER | PCI_COMMAND_INTX_DISABLE },
	{ PCI_STATUS, 2, PCI_STATUS_CAP_LIST, 0 },
	{ PCI_REVISION_ID, 1, TORUS_PORT_ABI_VERSION, 0 },
	{ PCI_CLASS_DEVICE, 2, 0x0280, 0 },	/* a network controller of no other class */
	{ PCI_CACHE_LINE_SIZE, 1, 0, 0xff },
	{ PCI_BASE_ADDRESS_0, 4, 0, ~(TORUS_VFIO_BAR_BYTES - 1) },
	{ PCI_BASE_ADDRESS_2, 4, 0, ~(TORUS_VFIO_MSIX_BYTES - 1) },
	{ PCI_SUBSYSTEM_VENDOR_ID, 2, TORUS_PORT_PCI_VENDOR, 0 },
	{ PCI_SUBSYSTEM_ID, 2, TORUS_PORT_PCI_DEVICE, 0 },
	{ PCI_CAPABILITY_LIST, 1, CONFIG_MSI, 0 },
	{ PCI_INTERRUPT_LINE, 1, 0, 0xff },
	{ CONFIG_MSI, 2, PCI_CAP_ID_MSI | CONFIG_MSIX << 8, 0 },
	{ CONFIG_MSI + PCI_MSI_FLAGS, 2, PCI_MSI_FLAGS_64BIT, PCI_MSI_FLAGS_ENABLE },
	{ CONFIG_MSI + PCI_MSI_ADDRESS_LO, 4, 0, 0xfffffffc },
	{ CONFIG_MSI + PCI_MSI_ADDRESS_HI, 4, 0, 0xffffffff },
	{ CONFIG_MSI + PCI_MSI_DATA_64, 2, 0, 0xffff },
	{ CONFIG_MSIX, 2, PCI_CAP_ID_MSIX, 0 },
	{ CONFIG_MSIX + PCI_MSIX_FLAGS, 2, TORUS_PORT_CAUSES - 1,
	  PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL },
	{ CONFIG_MSIX + PCI_MSIX_TABLE, 4, TORUS_VFIO_MSIX_TABLE | TORUS_VFIO_MSIX_BAR, 0 },
	{ CONFIG_MSIX + PCI_MSIX_PBA, 4, TORUS_VFIO_MSIX_PENDING | TORUS_VFIO_MSIX_BAR, 0 },
};

/* Bits of the byte at @at that can be written. */
static u8 config_writable(u32 at)
{
	const struct config_row *row;

	for (row = config_rows; row < config_rows + ARRAY_SIZE(config_rows); row++)
		if (at >= row->at && at < row->at + row->bytes)
			return row->writable >> 8 * (at - row->at);
	return 0;
}

/* Do what the registers say; @v->lock is locked. */
static void config_apply(struct torus_vfio *v)
{
	WRITE_ONCE(v->master, v->config[PCI_COMMAND] & PCI_COMMAND_MASTER);
}

/**
 * torus_vfio_config_reset() - set the configuration space to its initial state
 * @v: the function; @v->lock is locked
 */
void torus_vfio_config_reset(struct torus_vfio *v)
{
	const struct config_row *row;
	u32 i;

	memset(v->config, 0, sizeof(v->config));
	for (row = config_rows; row < config_rows + ARRAY_SIZE(config_rows); row++)
		for (i = 0; i < row->bytes; i++)
			v->config[row->at + i] = row->value >> 8 * i;
	config_apply(v);
}

/**
 * torus_vfio_config_read() - read configuration space
 * @v: the function; may sleep
 * @to: [out] the bytes
 * @count: number of bytes
 * @at: offset of the first one
 *
 * Return: the number of bytes that were read; -EINVAL beyond the end; -EFAULT.
 */
ssize_t torus_vfio_config_read(struct torus_vfio *v, char __user *to, size_t count, u64 at)
{
	u8 bytes[TORUS_VFIO_CONFIG_BYTES];

	if (at >= sizeof(bytes))
		return -EINVAL;
	count = min_t(size_t, count, sizeof(bytes) - at);
	mutex_lock(&v->lock);
	memcpy(bytes, v->config + at, count);
	mutex_unlock(&v->lock);
	return copy_to_user(to, bytes, count) ? -EFAULT : count;
}

/**
 * torus_vfio_config_write() - write configuration space
 * @v: the function; may sleep
 * @from: the bytes; bits that cannot be written are ignored
 * @count: number of bytes
 * @at: offset of the first one
 *
 * Return: the number of bytes that were written; -EINVAL beyond the end; -EFAULT.
 */
ssize_t torus_vfio_config_write(struct torus_vfio *v, const char __user *from, size_t count, u64 at)
{
	u8 bytes[TORUS_VFIO_CONFIG_BYTES], bits;
	size_t i;

	if (at >= sizeof(bytes))
		return -EINVAL;
	count = min_t(size_t, count, sizeof(bytes) - at);
	if (copy_from_user(bytes, from, count))
		return -EFAULT;
	mutex_lock(&v->lock);
	for (i = 0; i < count; i++) {
		bits = config_writable(at + i);
		v->config[at + i] = (v->config[at + i] & ~bits) | (bytes[i] & bits);
	}
	config_apply(v);
	mutex_unlock(&v->lock);
	return count;
}
