// SPDX-License-Identifier: GPL-2.0
/* A solution of lab 8. */
#include <linux/etherdevice.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>

#include "torus_lab_net.h"

#define CAUSES		(TORUS_PORT_STATUS_RECEIVE | TORUS_PORT_STATUS_INJECT)
#define PACKET_CHUNKS	(TORUS_LAB_WORDS / TORUS_LAB_CHUNK_WORDS)

struct lab {
	struct torus_device *td;
	struct net_device *dev;
	struct napi_struct napi;
	int irq[2];
	u32 sent[TORUS_LAB_WORDS];	/* protected by the queue's lock */
	u32 received[TORUS_LAB_WORDS];	/* used by the poll only */
};

static bool lab_has_space(struct lab *lab)
{
	/* A node that is gone discards packets: nothing has to wait. */
	int space = torus_lab_fifo_space(lab->td);

	return space < 0 || space >= PACKET_CHUNKS;
}

/* ------------------------------------------------------------------ transmit */

static void lab_flow(struct lab *lab)
{
	if (lab_has_space(lab))
		return;
	netif_stop_queue(lab->dev);
	smp_mb();	/* the poll sees that the queue is stopped, or we see the space */
	if (lab_has_space(lab))
		netif_start_queue(lab->dev);
}

static netdev_tx_t lab_transmit(struct sk_buff *skb, struct net_device *dev)
{
	struct lab *lab = netdev_priv(dev);
	int count = skb_linearize(skb) ? -ENOMEM :
		    torus_lab_net_pack(lab->sent, skb->data, skb->len);

	if (count < 0) {
		dev->stats.tx_dropped++;
	} else {
		torus_lab_fifo_write(lab->td, lab->sent, count);
		dev->stats.tx_packets++;
		dev->stats.tx_bytes += skb->len;
		lab_flow(lab);
	}
	dev_kfree_skb_any(skb);
	return NETDEV_TX_OK;
}

/* ------------------------------------------------------------------ receive */

static void lab_deliver(struct lab *lab, int bytes)
{
	struct sk_buff *skb = netdev_alloc_skb_ip_align(lab->dev, bytes);

	if (!skb) {
		lab->dev->stats.rx_dropped++;
		return;
	}
	skb_put_data(skb, lab->received + TORUS_LAB_FRAME_AT, bytes);
	skb->protocol = eth_type_trans(skb, lab->dev);
	lab->dev->stats.rx_packets++;
	lab->dev->stats.rx_bytes += bytes;
	napi_gro_receive(&lab->napi, skb);
}

static int lab_receive(struct lab *lab, int budget)
{
	int done, count, bytes;

	for (done = 0; done < budget; done++) {
		count = torus_lab_fifo_receive(lab->td, lab->received);
		if (count <= 0)
			break;
		bytes = torus_lab_net_bytes(lab->received, count);
		if (bytes < 0 || !netif_running(lab->dev))
			lab->dev->stats.rx_errors++;
		else
			lab_deliver(lab, bytes);
	}
	return done;
}

static int lab_poll(struct napi_struct *napi, int budget)
{
	struct lab *lab = container_of(napi, struct lab, napi);
	int done;

	torus_write32(lab->td, TORUS_PORT_ACKNOWLEDGE, CAUSES);
	smp_mb();	/* pairs with lab_flow() */
	if (netif_queue_stopped(lab->dev) && lab_has_space(lab))
		netif_wake_queue(lab->dev);
	done = lab_receive(lab, budget);
	if (done < budget && napi_complete_done(napi, done))
		torus_write32(lab->td, TORUS_PORT_ENABLE, CAUSES);
	return done;
}

static irqreturn_t lab_interrupt(int irq, void *data)
{
	struct lab *lab = data;

	if (napi_schedule_prep(&lab->napi)) {
		torus_write32(lab->td, TORUS_PORT_ENABLE, 0);
		__napi_schedule(&lab->napi);
	}
	return IRQ_HANDLED;
}

/* ------------------------------------------------------------------ bind and unbind */

static int lab_open(struct net_device *dev)
{
	netif_start_queue(dev);
	return 0;
}

static int lab_stop(struct net_device *dev)
{
	netif_stop_queue(dev);
	return 0;
}

static const struct net_device_ops lab_ops = {
	.ndo_open = lab_open,
	.ndo_stop = lab_stop,
	.ndo_start_xmit = lab_transmit,
	.ndo_validate_addr = eth_validate_addr,
};

static void lab_free_interrupts(struct lab *lab)
{
	u32 i;

	napi_disable(&lab->napi);
	torus_write32(lab->td, TORUS_PORT_ENABLE, 0);
	for (i = 0; i < ARRAY_SIZE(lab->irq); i++)
		if (lab->irq[i] > 0)
			free_irq(lab->irq[i], lab);
	netif_napi_del(&lab->napi);
}

static int lab_request_interrupts(struct lab *lab)
{
	static const u32 cause[] = { TORUS_PORT_CAUSE_RECEIVE, TORUS_PORT_CAUSE_INJECT };
	int irq, err;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(lab->irq); i++) {
		irq = torus_device_irq(lab->td, cause[i]);
		if (irq < 0)
			return irq;
		err = request_irq(irq, lab_interrupt, 0, "lab", lab);
		if (err)
			return err;
		lab->irq[i] = irq;
	}
	return 0;
}

static int lab_start(struct lab *lab)
{
	int err;

	netif_napi_add(lab->dev, &lab->napi, lab_poll);
	napi_enable(&lab->napi);
	err = lab_request_interrupts(lab) ?: register_netdev(lab->dev);
	if (err)
		lab_free_interrupts(lab);
	else
		torus_write32(lab->td, TORUS_PORT_ENABLE, CAUSES);
	return err;
}

static int lab_probe(struct torus_device *td, const struct torus_device_id *id)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct lab));
	u8 address[ETH_ALEN];
	struct lab *lab;
	int err;

	if (!dev)
		return -ENOMEM;
	lab = netdev_priv(dev);
	lab->td = td;
	lab->dev = dev;
	torus_lab_net_address(td, address);
	eth_hw_addr_set(dev, address);
	dev->netdev_ops = &lab_ops;
	dev->flags |= IFF_NOARP;
	dev->mtu = TORUS_LAB_MTU;
	dev->max_mtu = TORUS_LAB_MTU;
	SET_NETDEV_DEV(dev, &td->dev);
	torus_set_drvdata(td, lab);
	err = lab_start(lab);
	if (err)
		free_netdev(dev);
	return err;
}

static void lab_remove(struct torus_device *td)
{
	struct lab *lab = torus_get_drvdata(td);

	unregister_netdev(lab->dev);
	lab_free_interrupts(lab);
	free_netdev(lab->dev);
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
