// SPDX-License-Identifier: GPL-2.0
/* Reception: packets become datagrams. */
#include <linux/etherdevice.h>
#include <linux/jiffies.h>
#include <linux/slab.h>

#include "fifo.h"
#include "receive.h"
#include "wire/address.h"

/**
 * struct receive_buffer - a datagram that is not complete, in the headroom of its buffer
 * @partial: the datagram
 * @skb: its buffer
 */
struct receive_buffer {
	struct torus_net_partial partial;
	struct sk_buff *skb;
};

#define RECEIVE_HEADROOM	(ALIGN(sizeof(struct receive_buffer), 64) + NET_IP_ALIGN)

static u32 receive_now(void)
{
	return jiffies_to_msecs(jiffies);
}

static struct sk_buff *receive_skb(struct torus_net_partial *partial)
{
	return container_of(partial, struct receive_buffer, partial)->skb;
}

/*
 * The memory is a piece of its own, not a part of a page that lives as long as its last part: the
 * limit counts what a datagram occupies.
 */
static struct torus_net_partial *receive_alloc(void *owner, u32 length)
{
	struct sk_buff *skb = alloc_skb(RECEIVE_HEADROOM + ETH_HLEN + length,
					GFP_ATOMIC | __GFP_NOWARN);
	struct receive_buffer *buffer;

	if (!skb)
		return NULL;
	buffer = (struct receive_buffer *)skb->head;
	skb_reserve(skb, RECEIVE_HEADROOM);
	skb_put(skb, ETH_HLEN);
	buffer->skb = skb;
	buffer->partial.data = skb_put(skb, length);
	buffer->partial.cost = skb->truesize;
	return &buffer->partial;
}

static void receive_free(void *owner, struct torus_net_partial *partial)
{
	kfree_skb(receive_skb(partial));
}

static const struct torus_net_buffer_ops receive_buffer_ops = {
	.alloc = receive_alloc,
	.free = receive_free,
};

/**
 * torus_net_receive_init() - prepare the reception of packets
 * @tn: the interface, with its sizes
 *
 * Return: 0 or -ENOMEM.
 */
int torus_net_receive_init(struct torus_net *tn)
{
	tn->rx.packet = kmalloc(tn->packet_bytes, GFP_KERNEL);
	if (!tn->rx.packet)
		return -ENOMEM;
	torus_net_reassembly_init(&tn->rx.fragments, &receive_buffer_ops, tn, tn->fragment_bytes);
	return 0;
}

/**
 * torus_net_receive_free() - undo torus_net_receive_init()
 * @tn: the interface, which is not polled any more
 */
void torus_net_receive_free(struct torus_net *tn)
{
	torus_net_reassembly_clear(&tn->rx.fragments);
	kfree(tn->rx.packet);
}

/* Give a complete datagram to the network stack, with the Ethernet header that it was sent with. */
static void receive_deliver(struct torus_net *tn, struct torus_net_partial *partial)
{
	struct sk_buff *skb = receive_skb(partial);
	struct ethhdr *eth = (struct ethhdr *)skb->data;

	ether_addr_copy(eth->h_dest, tn->dev->dev_addr);
	torus_net_mac(partial->source, eth->h_source);
	eth->h_proto = htons(partial->ipv6 ? ETH_P_IPV6 : ETH_P_IP);
	dev_sw_netstats_rx_add(tn->dev, skb->len);
	skb->protocol = eth_type_trans(skb, tn->dev);
	napi_gro_receive(&tn->napi, skb);
}

/* Process the packet in @tn->rx.packet. */
static void receive_packet(struct torus_net *tn, u32 bytes)
{
	u32 headers = tn->machine->header_bytes + TORUS_NET_FRAGMENT_HEADER;
	const u8 *packet = (const u8 *)tn->rx.packet;
	struct torus_net_fragment fragment;
	struct torus_net_partial *partial;

	tn->rx.packets++;
	/* The network must not wait for an interface that is down. */
	if (!netif_running(tn->dev)) {
		tn->rx.down++;
		return;
	}
	if (bytes < headers ||
	    !torus_net_fragment_unpack(&fragment, packet + tn->machine->header_bytes) ||
	    fragment.source > tn->last || fragment.source == tn->node) {
		tn->rx.malformed++;
		return;
	}
	partial = torus_net_reassembly_add(&tn->rx.fragments, &fragment, packet + headers,
					   bytes - headers, receive_now());
	if (partial)
		receive_deliver(tn, partial);
}

/**
 * torus_net_receive() - read packets until the FIFOs are empty
 * @tn: the interface; NAPI poll
 * @budget: maximum number of packets
 *
 * Return: the number of packets; less than @budget if the FIFOs are empty or the node is gone.
 */
int torus_net_receive(struct torus_net *tn, int budget)
{
	int done = 0, before = -1;
	u32 readable, bytes;

	if (READ_ONCE(tn->rx.expire)) {
		WRITE_ONCE(tn->rx.expire, false);
		torus_net_reassembly_expire(&tn->rx.fragments, receive_now());
	}
	while (done < budget && done != before) {
		before = done;
		readable = torus_read32(tn->td, TORUS_PORT_READABLE);
		if (readable == TORUS_NET_ALL_ONES)
			break;
		for (; readable; readable &= readable - 1) {
			while (done < budget &&
			       (bytes = torus_net_fifo_read(tn, __ffs(readable)))) {
				receive_packet(tn, bytes);
				done++;
			}
		}
	}
	return done;
}
