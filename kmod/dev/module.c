// SPDX-License-Identifier: GPL-2.0
/* The kernel module: registers /dev/torus and the netlink family. */
#include <linux/miscdevice.h>
#include <linux/module.h>

#include "core/base/node_number.h"
#include "dev/base/memory_limit.h"
#include "dev/context/file_ops.h"
#include "dev/context/mmap.h"
#include "dev/engine/engine.h"
#include "dev/engine/leader.h"
#include "dev/engine/registry.h"
#include "dev/netlink/family.h"
#include "dev/netlink/message.h"
#include "dev/netlink/request.h"
#include "dev/vtime/clock.h"

/*
 * One of the minors for local use. It is fixed so that the device node can exist before the module
 * is loaded: opening the node then loads the module.
 */
#define TORUS_MINOR 247

/* Any user may open the device. ATTACH checks the right to a node. */
static struct miscdevice torus_device = {
	.minor = TORUS_MINOR,
	.name = "torus",
	.mode = 0666,
	.fops = &torus_file_ops,
};

static int __init torus_device_register(void)
{
	int err = misc_register(&torus_device);

	if (err != -EBUSY)
		return err;
	pr_notice("torus: minor %d belongs to another device: opening /dev/torus will not load the "
		  "module\n", TORUS_MINOR);
	torus_device.minor = MISC_DYNAMIC_MINOR;
	return misc_register(&torus_device);
}

static int __init torus_init(void)
{
	int err;

	torus_budget_init();
	torus_leader_set_vtime(&torus_clock_vtime_ops);
	err = torus_mmap_init();
	if (err)
		return err;
	err = torus_registry_init();
	if (err)
		goto err_map;
	err = torus_netlink_init();
	if (err)
		goto err_registry;
	err = torus_device_register();
	if (err)
		goto err_netlink;
	return 0;

err_netlink:
	torus_registry_close();
	torus_netlink_exit();
err_registry:
	torus_registry_exit();
err_map:
	torus_mmap_exit();
	return err;
}

static void __exit torus_exit(void)
{
	misc_deregister(&torus_device);
	torus_registry_close();
	torus_netlink_exit();
	torus_registry_exit();
	torus_mmap_exit();
}

module_init(torus_init);
module_exit(torus_exit);

MODULE_DESCRIPTION("Packet-level simulation of torus interconnects that programs can use");
MODULE_LICENSE("GPL");
MODULE_ALIAS_GENL_FAMILY(TORUS_GENL_NAME);
MODULE_ALIAS_MISCDEV(TORUS_MINOR);
MODULE_ALIAS("devname:torus");
