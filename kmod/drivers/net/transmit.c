// SPDX-License-Identifier: GPL-2.0
/*
 * Sending: datagrams become packets.
 *
 * A datagram waits in a list until all of its fragments are in the injection FIFO. While the list
 * is not empty, the interrupt "space is free" is enabled, and the NAPI poll continues. Byte queue
 * limits (BQL) keep the list short: a datagram counts until its last fragment was written.
 */
#include <linux/etherdevice.h>
#include <linux/if_ether.h>

#include "fifo.h"
#include "reach.h"
#include "transmit.h"

/* The queue is stopped when this number of datagrams waits, and started when at most half do. */
#define TRANSMIT_PENDING	64u

/**
 * torus_net_transmit_init() - initialize the list of datagrams
 * @tn: the interface
 */
void torus_net_transmit_init(struct torus_net *tn)
{
	spin_lock_init(&tn->tx.lock);
	__skb_queue_head_init(&tn->tx.pending);
}

/* Write the next fragment of a datagram. Return: false if the FIFO has no space. */
static bool transmit_fragment(struct torus_net *tn, const struct sk_buff *skb)
{
	u32 headers = tn->machine->header_bytes + TORUS_NET_FRAGMENT_HEADER;
	u32 length = skb->len - ETH_HLEN, bytes, chunks, node;
	u8 header[TORUS_NET_HEADER_MAX + TORUS_NET_FRAGMENT_HEADER];
	const struct ethhdr *eth = (const struct ethhdr *)skb->data;
	struct torus_net_transmit *tx = &tn->tx;
	struct torus_net_fragment fragment = {
		.source = tn->node,
		.id = tx->id,
		.index = tx->index,
		.ipv6 = eth->h_proto == htons(ETH_P_IPV6),
		.length = length,
	};

	bytes = torus_net_fragment_bytes(length, tn->fragment_bytes, tx->index);
	chunks = DIV_ROUND_UP(headers + bytes, tn->chunk_bytes);
	if (tx->space < chunks)
		tx->space = torus_net_fifo_space(tn);
	if (tx->space < chunks)
		return false;
	/* torus_net_transmit() has checked the address. */
	if (!torus_net_mac_node(eth->h_dest, &node))
		return false;
	if (!tx->index)
		torus_net_coords(&tn->numbering, node, tx->dest);
	fragment.last = tx->index + 1 == torus_net_fragments(length, tn->fragment_bytes);
	tn->machine->header(header, tx->dest, node, tn->group, chunks);
	torus_net_fragment_pack(&fragment, header + tn->machine->header_bytes);
	torus_net_fifo_write(tn, header,
			     skb->data + ETH_HLEN + tx->index * tn->fragment_bytes, bytes, chunks);
	tx->space -= chunks;
	tx->packets++;
	tx->index++;
	return true;
}

/* Write as many packets as the FIFO has space for; @tn->tx is locked. */
static void transmit_pump(struct torus_net *tn)
{
	struct torus_net_transmit *tx = &tn->tx;
	u32 packets = 0, bytes = 0;
	struct sk_buff *skb;

	while ((skb = skb_peek(&tx->pending)) && transmit_fragment(tn, skb)) {
		if (tx->index < torus_net_fragments(skb->len - ETH_HLEN, tn->fragment_bytes))
			continue;
		tx->index = 0;
		tx->id++;
		packets++;
		bytes += skb->len;
		__skb_unlink(skb, &tx->pending);
		dev_consume_skb_any(skb);
	}
	if (!packets)
		return;
	dev_sw_netstats_tx_add(tn->dev, packets, bytes);
	netdev_completed_queue(tn->dev, packets, bytes);
	if (netif_queue_stopped(tn->dev) && skb_queue_len(&tx->pending) <= TRANSMIT_PENDING / 2)
		netif_wake_queue(tn->dev);
}

/* Check that a datagram can be sent. Sockets of the family AF_PACKET write any header. */
static bool transmit_may(struct torus_net *tn, const struct sk_buff *skb)
{
	const struct ethhdr *eth = (const struct ethhdr *)skb->data;
	u32 node;

	return skb->len > ETH_HLEN && skb->len <= ETH_HLEN + TORUS_NET_MTU_MAX &&
	       (eth->h_proto == htons(ETH_P_IP) || eth->h_proto == htons(ETH_P_IPV6)) &&
	       torus_net_mac_node(eth->h_dest, &node) && torus_net_reachable(tn, node);
}

/**
 * torus_net_transmit() - net_device_ops.ndo_start_xmit
 * @skb: the datagram, with an Ethernet header
 * @dev: the interface
 *
 * Return: NETDEV_TX_OK.
 */
netdev_tx_t torus_net_transmit(struct sk_buff *skb, struct net_device *dev)
{
	struct torus_net *tn = netdev_priv(dev);
	struct torus_net_transmit *tx = &tn->tx;
	bool waits;

	if (skb_linearize(skb) || !transmit_may(tn, skb)) {
		dev_core_stats_tx_dropped_inc(dev);
		dev_kfree_skb_any(skb);
		return NETDEV_TX_OK;
	}
	spin_lock_bh(&tx->lock);
	netdev_sent_queue(dev, skb->len);
	__skb_queue_tail(&tx->pending, skb);
	if (skb_queue_len(&tx->pending) >= TRANSMIT_PENDING)
		netif_stop_queue(dev);
	transmit_pump(tn);
	waits = !skb_queue_empty(&tx->pending);
	spin_unlock_bh(&tx->lock);
	/* The poll acknowledges the cause, continues, and enables the interrupt. */
	if (waits)
		napi_schedule(&tn->napi);
	return NETDEV_TX_OK;
}

/**
 * torus_net_transmit_continue() - write the packets that the FIFO has space for now
 * @tn: the interface; NAPI poll
 */
void torus_net_transmit_continue(struct torus_net *tn)
{
	spin_lock(&tn->tx.lock);
	transmit_pump(tn);
	spin_unlock(&tn->tx.lock);
}

/**
 * torus_net_transmit_enable() - enable the interrupts that the interface waits for
 * @tn: the interface; NAPI poll that has completed
 *
 * Another processor may already be in the next poll. The lock ensures that the last writer knows
 * whether a datagram waits.
 */
void torus_net_transmit_enable(struct torus_net *tn)
{
	u32 enable = TORUS_PORT_STATUS_RECEIVE;

	spin_lock(&tn->tx.lock);
	if (!skb_queue_empty(&tn->tx.pending))
		enable |= TORUS_PORT_STATUS_INJECT;
	torus_write32(tn->td, TORUS_PORT_ENABLE, enable);
	spin_unlock(&tn->tx.lock);
}

/**
 * torus_net_transmit_stop() - discard the datagrams that wait
 * @tn: the interface, whose queue is stopped
 *
 * The receiver finds out that the other fragments of the first datagram do not arrive.
 */
void torus_net_transmit_stop(struct torus_net *tn)
{
	struct sk_buff_head discarded;

	__skb_queue_head_init(&discarded);
	spin_lock_bh(&tn->tx.lock);
	skb_queue_splice_init(&tn->tx.pending, &discarded);
	if (tn->tx.index)
		tn->tx.id++;
	tn->tx.index = 0;
	netdev_reset_queue(tn->dev);
	spin_unlock_bh(&tn->tx.lock);
	__skb_queue_purge(&discarded);
}
