// SPDX-License-Identifier: GPL-2.0
/* Lab 8: a network interface: transmit, NAPI, flow control. This is your file. */
#include <linux/etherdevice.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>

#include "torus_lab_net.h"

/* Send a frame as a packet of injection FIFO 0. Stop the queue when the next may not fit. */
static netdev_tx_t lab_transmit(struct sk_buff *skb, struct net_device *dev)
{
	dev_kfree_skb_any(skb);
	return NETDEV_TX_OK;
}

static int lab_open(struct net_device *dev)
{
	return 0;
}

static int lab_stop(struct net_device *dev)
{
	return 0;
}

static const struct net_device_ops __maybe_unused lab_ops = {
	.ndo_open = lab_open,
	.ndo_stop = lab_stop,
	.ndo_start_xmit = lab_transmit,
	.ndo_validate_addr = eth_validate_addr,
};

static int lab_probe(struct torus_device *td, const struct torus_device_id *id)
{
	/* Allocate an interface by alloc_etherdev(), request the interrupts, and register it. */
	return -EOPNOTSUPP;
}

static void lab_remove(struct torus_device *td)
{
	/* Undo what lab_probe() has done, in reverse order. */
}

static struct torus_driver lab_driver = {
	.driver = { .name = "lab" },
	.probe = lab_probe,
	.remove = lab_remove,
};
module_torus_driver(lab_driver);

MODULE_DESCRIPTION("Lab 8");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(TORUS_BUS);
