// SPDX-License-Identifier: GPL-2.0
/*
 * torus_net: a network interface for each node of a torus that the driver is bound to.
 *
 *	modprobe torus_net
 *	torusctl node set F 0-1 driver on
 *	echo torus_net > /sys/bus/torus/devices/F:0.0.0/driver_override
 *	echo F:0.0.0 > /sys/bus/torus/drivers_probe
 *	ip address add 10.0.0.1/24 dev torus0
 *	ip link set torus0 up
 *
 * The interface is of type Ethernet without ARP or broadcast. A packet of the machine has no
 * Ethernet header: its receiver makes one. Files: transmit and receive (datagrams), fifo (words),
 * interrupt (NAPI), reach (addresses), carrier, ethtool; wire/ has the format of packets.
 */
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/netdevice.h>

#include "carrier.h"
#include "ethtool.h"
#include "interrupt.h"
#include "reach.h"
#include "receive.h"
#include "transmit.h"

#define DEVICE_MTU	9600

/* No machine has longer packets or larger FIFOs: a node that is gone has all ones. */
#define DEVICE_PACKET_MAX	4096u
#define DEVICE_FIFO_MAX		4096u

static int device_open(struct net_device *dev)
{
	netif_start_queue(dev);
	return 0;
}

static int device_stop(struct net_device *dev)
{
	struct torus_net *tn = netdev_priv(dev);

	/* A poll may still deliver datagrams, or start the queue: wait until it has ended. */
	napi_disable(&tn->napi);
	netif_tx_disable(dev);
	torus_net_transmit_stop(tn);
	napi_enable(&tn->napi);
	local_bh_disable();
	napi_schedule(&tn->napi);
	local_bh_enable();
	return 0;
}

static const struct net_device_ops device_ops = {
	.ndo_open = device_open,
	.ndo_stop = device_stop,
	.ndo_start_xmit = torus_net_transmit,
	.ndo_get_stats64 = dev_get_tstats64,
	.ndo_validate_addr = eth_validate_addr,
	.ndo_neigh_construct = torus_net_neighbour,
};

/* Read the registers that describe the fabric. Return: false if the node is gone. */
static bool device_read_shape(struct torus_net *tn)
{
	struct torus_net_shape shape = { 0 };
	u32 d;

	shape.ndims = torus_read32(tn->td, TORUS_PORT_DIMENSIONS);
	for (d = 0; d < shape.ndims && d < TORUS_DIMS_MAX; d++) {
		shape.dims[d] = torus_read32(tn->td, TORUS_PORT_AT(TORUS_PORT_DIMENSION, d));
		shape.numbering.split[d] = torus_read32(tn->td, TORUS_PORT_AT(TORUS_PORT_SPLIT, d));
		shape.numbering.stride[d] = torus_read32(tn->td,
							 TORUS_PORT_AT(TORUS_PORT_STRIDE, d));
		shape.numbering.jump[d] = torus_read32(tn->td, TORUS_PORT_AT(TORUS_PORT_JUMP, d));
	}
	return torus_net_numbering_init(&tn->numbering, &shape);
}

/*
 * Read the sizes of packets and FIFOs. A packet takes at most a quarter of a FIFO, so that the
 * driver writes a packet while the node sends another. Return: false if the node is gone, or if
 * the sizes leave no space for data.
 */
static bool device_read_sizes(struct torus_net *tn)
{
	u32 headers = tn->machine->header_bytes + TORUS_NET_FRAGMENT_HEADER, packet, chunks;

	tn->node = torus_read32(tn->td, TORUS_PORT_NODE);
	tn->last = torus_read32(tn->td, TORUS_PORT_NODE_LAST);
	tn->group = torus_read32(tn->td, TORUS_PORT_GROUP);
	tn->chunk_bytes = torus_read32(tn->td, TORUS_PORT_CHUNK_BYTES);
	tn->fifo_chunks = torus_read32(tn->td, TORUS_PORT_FIFO_CHUNKS);
	packet = torus_read32(tn->td, TORUS_PORT_PACKET_CHUNKS);
	chunks = min(packet, tn->fifo_chunks / 4);
	if (!chunks || !tn->chunk_bytes || tn->chunk_bytes > DEVICE_PACKET_MAX ||
	    tn->fifo_chunks > DEVICE_FIFO_MAX || packet > DEVICE_PACKET_MAX / tn->chunk_bytes ||
	    chunks * tn->chunk_bytes <= headers ||
	    torus_read32(tn->td, TORUS_PORT_HEADER_BYTES) != tn->machine->header_bytes)
		return false;
	tn->packet_bytes = packet * tn->chunk_bytes;
	tn->fragment_bytes = chunks * tn->chunk_bytes - headers;
	return true;
}

static void device_set_up(struct net_device *dev, const struct torus_net *tn)
{
	u8 mac[TORUS_NET_MAC_BYTES];

	strscpy(dev->name, "torus%d", sizeof(dev->name));
	torus_net_mac(tn->node, mac);
	eth_hw_addr_set(dev, mac);
	dev->netdev_ops = &device_ops;
	dev->ethtool_ops = &torus_net_ethtool_ops;
	/* netpoll sends with interrupts disabled. */
	dev->priv_flags |= IFF_DISABLE_NETPOLL;
	dev->flags = (dev->flags | IFF_NOARP) & ~(IFF_BROADCAST | IFF_MULTICAST);
	dev->min_mtu = TORUS_NET_MTU_MIN;
	dev->max_mtu = TORUS_NET_MTU_MAX;
	dev->mtu = DEVICE_MTU;
	SET_NETDEV_DEV(dev, &tn->td->dev);
	netif_carrier_off(dev);
}

/* Start an interface whose registers were read. */
static int device_start(struct torus_net *tn)
{
	int err;

	torus_net_transmit_init(tn);
	err = torus_net_receive_init(tn);
	if (err)
		return err;
	err = torus_net_interrupts_request(tn);
	if (err)
		goto err_receive;
	err = register_netdev(tn->dev);
	if (err)
		goto err_interrupts;
	torus_net_carrier_start(tn);
	return 0;

err_interrupts:
	torus_net_interrupts_free(tn);
err_receive:
	torus_net_receive_free(tn);
	return err;
}

static int device_probe(struct torus_device *td, const struct torus_device_id *id)
{
	const struct torus_net_machine *machine = torus_net_machine_find(td->machine);
	struct net_device *dev;
	struct torus_net *tn;
	int err = -ENODEV;

	if (!machine || torus_read32(td, TORUS_PORT_MAGIC) != TORUS_PORT_MAGIC_VALUE ||
	    torus_read32(td, TORUS_PORT_VERSION) != TORUS_PORT_ABI_VERSION)
		return -ENODEV;
	dev = alloc_etherdev(sizeof(*tn));
	if (!dev)
		return -ENOMEM;
	tn = netdev_priv(dev);
	tn->dev = dev;
	tn->td = td;
	tn->machine = machine;
	if (!device_read_shape(tn) || !device_read_sizes(tn))
		goto err_free;
	device_set_up(dev, tn);
	err = -ENOMEM;
	dev->tstats = netdev_alloc_pcpu_stats(struct pcpu_sw_netstats);
	if (!dev->tstats)
		goto err_free;
	err = device_start(tn);
	if (err)
		goto err_stats;
	torus_set_drvdata(td, tn);
	return 0;

err_stats:
	free_percpu(dev->tstats);
err_free:
	free_netdev(dev);
	return err;
}

static void device_remove(struct torus_device *td)
{
	struct torus_net *tn = torus_get_drvdata(td);
	struct net_device *dev = tn->dev;

	torus_net_carrier_stop(tn);
	unregister_netdev(dev);
	torus_net_interrupts_free(tn);
	torus_net_receive_free(tn);
	free_percpu(dev->tstats);
	free_netdev(dev);
}

static struct torus_driver device_driver = {
	.driver = { .name = "torus_net" },
	.probe = device_probe,
	.remove = device_remove,
};
module_torus_driver(device_driver);

MODULE_DESCRIPTION("Network interfaces of the nodes of a torus");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(TORUS_BUS);
