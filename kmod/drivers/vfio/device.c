// SPDX-License-Identifier: GPL-2.0
/*
 * torus_vfio: hands a node of a torus to a guest, or to a program in user space, as a PCI function.
 *
 *	modprobe torus_vfio
 *	torusctl node set F 1 driver on
 *	echo torus_vfio > /sys/bus/torus/devices/F:1.0.0/driver_override
 *	echo F:1.0.0 > /sys/bus/torus/drivers_probe
 *	qemu-system-x86_64 .. -device vfio-pci,sysfsdev=/sys/bus/torus/devices/F:1.0.0
 *
 * Files: device (bind and unbind, VFIO's calls), config (configuration space), bar (registers),
 * interrupt (MSI and MSI-X), doorbell (descriptors), memory (pages of the guest).
 */
#include <linux/module.h>
#include <linux/regmap.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "bar.h"
#include "compat/vfio.h"
#include "config.h"
#include "doorbell.h"
#include "interrupt.h"
#include "memory.h"
#include "vfio.h"

/* A region has the number of its index in the bits of a file's position from this one on. */
#define DEVICE_REGION_SHIFT	40
#define DEVICE_REGION_MASK	(BIT_ULL(DEVICE_REGION_SHIFT) - 1)

/* ------------------------------------------------------------------ regions */

static u32 device_region_bytes(u32 index)
{
	switch (index) {
	case VFIO_PCI_CONFIG_REGION_INDEX:
		return TORUS_VFIO_CONFIG_BYTES;
	case VFIO_PCI_BAR0_REGION_INDEX:
		return TORUS_VFIO_BAR_BYTES;
	case VFIO_PCI_BAR0_REGION_INDEX + TORUS_VFIO_MSIX_BAR:
		return TORUS_VFIO_MSIX_BYTES;
	}
	return 0;
}

static ssize_t device_read(struct vfio_device *vdev, char __user *to, size_t count, loff_t *at)
{
	u64 offset = *at & DEVICE_REGION_MASK;
	ssize_t done;

	switch (*at >> DEVICE_REGION_SHIFT) {
	case VFIO_PCI_CONFIG_REGION_INDEX:
		done = torus_vfio_config_read(to_torus_vfio(vdev), to, count, offset);
		break;
	case VFIO_PCI_BAR0_REGION_INDEX:
		done = torus_vfio_bar_read(to_torus_vfio(vdev), to, count, offset);
		break;
	case VFIO_PCI_BAR0_REGION_INDEX + TORUS_VFIO_MSIX_BAR:
		done = torus_vfio_msix_read(to, count, offset);
		break;
	default:
		done = -EINVAL;
	}
	if (done > 0)
		*at += done;
	return done;
}

static ssize_t device_write(struct vfio_device *vdev, const char __user *from, size_t count,
			    loff_t *at)
{
	u64 offset = *at & DEVICE_REGION_MASK;
	ssize_t done;

	switch (*at >> DEVICE_REGION_SHIFT) {
	case VFIO_PCI_CONFIG_REGION_INDEX:
		done = torus_vfio_config_write(to_torus_vfio(vdev), from, count, offset);
		break;
	case VFIO_PCI_BAR0_REGION_INDEX:
		done = torus_vfio_bar_write(to_torus_vfio(vdev), from, count, offset);
		break;
	case VFIO_PCI_BAR0_REGION_INDEX + TORUS_VFIO_MSIX_BAR:
		done = torus_vfio_msix_write(count, offset);
		break;
	default:
		done = -EINVAL;
	}
	if (done > 0)
		*at += done;
	return done;
}

/* ------------------------------------------------------------------ ioctls */

/* Copy the first @bytes of a request, which names its length in its first word. */
static int device_copy_request(void *to, const void __user *from, size_t bytes)
{
	if (copy_from_user(to, from, bytes))
		return -EFAULT;
	return *(u32 *)to < bytes ? -EINVAL : 0;
}

static long device_info(void __user *user)
{
	const size_t bytes = offsetofend(struct vfio_device_info, num_irqs);
	struct vfio_device_info info = {};
	int err = device_copy_request(&info, user, bytes);

	if (err)
		return err;
	info.flags = VFIO_DEVICE_FLAGS_PCI | VFIO_DEVICE_FLAGS_RESET;
	info.num_regions = VFIO_PCI_NUM_REGIONS;
	info.num_irqs = VFIO_PCI_NUM_IRQS;
	return copy_to_user(user, &info, bytes) ? -EFAULT : 0;
}

static long device_region_info(void __user *user)
{
	const size_t bytes = offsetofend(struct vfio_region_info, offset);
	struct vfio_region_info info = {};
	int err = device_copy_request(&info, user, bytes);

	if (err)
		return err;
	if (info.index >= VFIO_PCI_NUM_REGIONS)
		return -EINVAL;
	info.size = device_region_bytes(info.index);
	info.flags = info.size ? VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE : 0;
	info.cap_offset = 0;
	info.offset = (u64)info.index << DEVICE_REGION_SHIFT;
	return copy_to_user(user, &info, bytes) ? -EFAULT : 0;
}

static long device_irq_info(void __user *user)
{
	const size_t bytes = offsetofend(struct vfio_irq_info, count);
	struct vfio_irq_info info = {};
	int err = device_copy_request(&info, user, bytes);

	if (err)
		return err;
	/* No error is reported by VFIO: QEMU asks for this index only to find that out. */
	if (info.index >= VFIO_PCI_NUM_IRQS || info.index == VFIO_PCI_ERR_IRQ_INDEX)
		return -EINVAL;
	info.flags = VFIO_IRQ_INFO_EVENTFD;
	if (info.index != VFIO_PCI_REQ_IRQ_INDEX)
		info.flags |= VFIO_IRQ_INFO_NORESIZE;
	info.count = torus_vfio_interrupts_count(info.index);
	return copy_to_user(user, &info, bytes) ? -EFAULT : 0;
}

static long device_set_irqs(struct torus_vfio *v, void __user *user)
{
	const size_t bytes = offsetofend(struct vfio_irq_set, count);
	struct vfio_irq_set set = {};
	void *data = NULL;
	size_t data_bytes;
	int err = device_copy_request(&set, user, bytes);

	if (err)
		return err;
	err = vfio_set_irqs_validate_and_prepare(&set, torus_vfio_interrupts_count(set.index),
						 VFIO_PCI_NUM_IRQS, &data_bytes);
	if (err)
		return err;
	if (data_bytes) {
		data = memdup_user(user + bytes, data_bytes);
		if (IS_ERR(data))
			return PTR_ERR(data);
	}
	mutex_lock(&v->lock);
	err = torus_vfio_interrupts_set(v, &set, data);
	mutex_unlock(&v->lock);
	kfree(data);
	return err;
}

/* Set the function to the state that a guest finds first. The events of VFIO's user stay. */
static int device_reset(struct torus_vfio *v)
{
	int err;

	mutex_lock(&v->lock);
	torus_vfio_config_reset(v);
	err = torus_vfio_bar_reset(v);
	torus_vfio_interrupts_forget(v);
	mutex_unlock(&v->lock);
	return err;
}

static long device_ioctl(struct vfio_device *vdev, unsigned int command, unsigned long argument)
{
	void __user *user = (void __user *)argument;

	switch (command) {
	case VFIO_DEVICE_GET_INFO:
		return device_info(user);
	case VFIO_DEVICE_GET_REGION_INFO:
		return device_region_info(user);
	case VFIO_DEVICE_GET_IRQ_INFO:
		return device_irq_info(user);
	case VFIO_DEVICE_SET_IRQS:
		return device_set_irqs(to_torus_vfio(vdev), user);
	case VFIO_DEVICE_RESET:
		return device_reset(to_torus_vfio(vdev));
	}
	return -ENOTTY;
}

/* ------------------------------------------------------------------ open and close */

static int device_open(struct vfio_device *vdev)
{
	struct torus_vfio *v = to_torus_vfio(vdev);
	int err;

	if (!torus_device_get_host(v->td))
		return -ENODEV;
	err = device_reset(v);
	if (err)
		torus_device_put_host(v->td);
	return err;
}

static void device_close(struct vfio_device *vdev)
{
	struct torus_vfio *v = to_torus_vfio(vdev);

	/* If this fails, the next guest opens the function only after a reset. */
	device_reset(v);
	torus_vfio_doorbell_stop(v);
	torus_vfio_memory_unmap(v, 0, U64_MAX);
	mutex_lock(&v->lock);
	torus_vfio_interrupts_off(v);
	mutex_unlock(&v->lock);
	torus_device_put_host(v->td);
}

/* The node is being removed, which waits for the guest. VFIO calls this every 10 s. */
static void device_request(struct vfio_device *vdev, unsigned int count)
{
	struct torus_vfio *v = to_torus_vfio(vdev);

	if (!torus_vfio_interrupts_unplug(v) && !count)
		dev_notice(&v->td->dev, "the device is removed when its guest has closed it\n");
}

static void device_release(struct vfio_device *vdev)
{
	mutex_destroy(&to_torus_vfio(vdev)->lock);
	torus_vfio_free_device(vdev);
}

static int device_init(struct vfio_device *vdev)
{
	struct torus_vfio *v = to_torus_vfio(vdev);

	mutex_init(&v->lock);
	spin_lock_init(&v->interrupts.lock);
	v->interrupts.index = VFIO_PCI_NUM_IRQS;
	torus_vfio_memory_init(v);
	torus_vfio_doorbell_init(v);
	return 0;
}

static void device_dma_unmap(struct vfio_device *vdev, u64 iova, u64 length)
{
	torus_vfio_memory_unmap(to_torus_vfio(vdev), iova, length);
}

static const struct vfio_device_ops device_ops = {
	.name = "torus_vfio",
	.init = device_init,
	.release = device_release,
	.open_device = device_open,
	.close_device = device_close,
	.read = device_read,
	.write = device_write,
	.ioctl = device_ioctl,
	.request = device_request,
	.dma_unmap = device_dma_unmap,
	TORUS_VFIO_IOMMUFD_OPS
};

/* ------------------------------------------------------------------ bind and unbind */

static int device_probe(struct torus_device *td, const struct torus_device_id *id)
{
	struct torus_vfio *v;
	int err;

	v = vfio_alloc_device(torus_vfio, vdev, &td->dev, &device_ops);
	if (IS_ERR(v))
		return PTR_ERR(v);
	v->td = td;
	v->machine = dev_get_regmap(&td->dev, "dcr");
	torus_set_drvdata(td, v);
	err = torus_device_set_guest(td, torus_vfio_memory_access, v);
	if (err) {
		dev_err(&td->dev, "guests take no part in virtual time\n");
		goto err_put;
	}
	err = torus_vfio_interrupts_request(v);
	if (err)
		goto err_guest;
	err = vfio_register_emulated_iommu_dev(&v->vdev);
	if (err)
		goto err_interrupts;
	return 0;

err_interrupts:
	torus_vfio_interrupts_free(v);
err_guest:
	torus_device_set_guest(td, NULL, NULL);
err_put:
	vfio_put_device(&v->vdev);
	return err;
}

/* Waits until the guest has closed the function. */
static void device_remove(struct torus_device *td)
{
	struct torus_vfio *v = torus_get_drvdata(td);

	vfio_unregister_group_dev(&v->vdev);
	torus_vfio_interrupts_free(v);
	torus_device_set_guest(td, NULL, NULL);
	vfio_put_device(&v->vdev);
}

static struct torus_driver device_driver = {
	.driver = { .name = "torus_vfio" },
	.probe = device_probe,
	.remove = device_remove,
};
module_torus_driver(device_driver);

MODULE_DESCRIPTION("Hands nodes of a torus to guests as PCI functions");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(TORUS_BUS);
