// SPDX-License-Identifier: GPL-2.0
/* Operations of ethtool(8): driver, counters, capacities of FIFOs, moderation of interrupts. */
#include <linux/netdevice.h>

#include "ethtool.h"
#include "net.h"

/* N(name, value, meaning): the counters, in the order of ethtool -S; @value is of `tn`. */
#define ETHTOOL_COUNTERS(N) \
	N("packets_sent", tn->tx.packets, "packets that were written to the node") \
	N("packets_received", tn->rx.packets, "packets that were read from the node") \
	N("packets_malformed", tn->rx.malformed, "received packets that no interface sends") \
	N("packets_down", tn->rx.down, "packets received while the interface was down") \
	N("packets_rejected", ethtool_rejected(tn), "packets that the node has rejected") \
	N("datagrams_lost", tn->rx.fragments.counts.lost, \
	  "datagrams that lost a fragment, or were discarded before their last fragment arrived") \
	N("datagrams_expired", tn->rx.fragments.counts.expired, \
	  "datagrams discarded because no fragment arrived for two seconds") \
	N("datagrams_evicted", tn->rx.fragments.counts.evicted, \
	  "datagrams discarded because of the limit of memory") \
	N("datagrams_no_memory", tn->rx.fragments.counts.no_memory, \
	  "datagrams discarded because the kernel had no memory") \
	N("fragments_stray", tn->rx.fragments.counts.strays, \
	  "fragments of a datagram whose beginning was lost or discarded") \
	N("reassembly_bytes", tn->rx.fragments.bytes, "memory of incomplete datagrams in bytes") \
	N("reassembly_peak", tn->rx.fragments.peak, "maximum of reassembly_bytes so far") \
	N("interrupts", atomic64_read(&tn->interrupts), "interrupts")

#define ETHTOOL_NAME(name, value, meaning)	name,
static const char ethtool_names[][ETH_GSTRING_LEN] = {
	ETHTOOL_COUNTERS(ETHTOOL_NAME)
};

#define ETHTOOL_VALUE(name, value, meaning)	(value),

/* Packets that the node has rejected, modulo 2^23: the driver makes none. */
static u32 ethtool_rejected(struct torus_net *tn)
{
	u32 value = torus_read32(tn->td, TORUS_PORT_AT_FIFO(TORUS_PORT_REJECTED, TORUS_NET_FIFO));

	if (value == TORUS_NET_ALL_ONES)
		return 0;
	return (value & TORUS_PORT_REJECTED_COUNT) >> TORUS_PORT_REJECTED_COUNT_SHIFT;
}

static int ethtool_count(struct net_device *dev, int set)
{
	return set == ETH_SS_STATS ? ARRAY_SIZE(ethtool_names) : -EOPNOTSUPP;
}

static void ethtool_strings(struct net_device *dev, u32 set, u8 *data)
{
	if (set == ETH_SS_STATS)
		memcpy(data, ethtool_names, sizeof(ethtool_names));
}

static void ethtool_counters(struct net_device *dev, struct ethtool_stats *stats, u64 *data)
{
	struct torus_net *tn = netdev_priv(dev);
	const u64 values[] = {
		ETHTOOL_COUNTERS(ETHTOOL_VALUE)
	};

	memcpy(data, values, sizeof(values));
}

static void ethtool_driver(struct net_device *dev, struct ethtool_drvinfo *info)
{
	struct torus_net *tn = netdev_priv(dev);

	strscpy(info->driver, "torus_net", sizeof(info->driver));
	strscpy(info->bus_info, dev_name(&tn->td->dev), sizeof(info->bus_info));
}

/* Packets of full length that a FIFO has space for. */
static void ethtool_rings(struct net_device *dev, struct ethtool_ringparam *ring,
			  struct kernel_ethtool_ringparam *kernel, struct netlink_ext_ack *extack)
{
	struct torus_net *tn = netdev_priv(dev);
	u32 headers = tn->machine->header_bytes + TORUS_NET_FRAGMENT_HEADER;
	u32 packets = tn->fifo_chunks / DIV_ROUND_UP(headers + tn->fragment_bytes,
						     tn->chunk_bytes);

	ring->rx_max_pending = packets;
	ring->rx_pending = packets;
	ring->tx_max_pending = packets;
	ring->tx_pending = packets;
}

static u32 ethtool_moderation(const struct torus_net *tn, u32 cause)
{
	u32 value = torus_read32(tn->td, TORUS_PORT_AT(TORUS_PORT_MODERATION, cause));

	return value == TORUS_NET_ALL_ONES ? 0 : value;
}

static u32 ethtool_microseconds(u32 moderation)
{
	return (moderation & TORUS_PORT_MODERATION_MICROSECONDS) >>
	       TORUS_PORT_MODERATION_MICROSECONDS_SHIFT;
}

static u32 ethtool_packets(u32 moderation)
{
	return (moderation & TORUS_PORT_MODERATION_PACKETS) >> TORUS_PORT_MODERATION_PACKETS_SHIFT;
}

static int ethtool_get_coalesce(struct net_device *dev, struct ethtool_coalesce *coalesce,
				struct kernel_ethtool_coalesce *kernel,
				struct netlink_ext_ack *extack)
{
	const struct torus_net *tn = netdev_priv(dev);
	u32 receive = ethtool_moderation(tn, TORUS_PORT_CAUSE_RECEIVE);
	u32 inject = ethtool_moderation(tn, TORUS_PORT_CAUSE_INJECT);

	coalesce->rx_coalesce_usecs = ethtool_microseconds(receive);
	coalesce->rx_max_coalesced_frames = ethtool_packets(receive);
	coalesce->tx_coalesce_usecs = ethtool_microseconds(inject);
	coalesce->tx_max_coalesced_frames = ethtool_packets(inject);
	return 0;
}

#define ETHTOOL_MICROSECONDS_MAX \
	(TORUS_PORT_MODERATION_MICROSECONDS >> TORUS_PORT_MODERATION_MICROSECONDS_SHIFT)
#define ETHTOOL_PACKETS_MAX \
	(TORUS_PORT_MODERATION_PACKETS >> TORUS_PORT_MODERATION_PACKETS_SHIFT)

static void ethtool_moderate(const struct torus_net *tn, u32 cause, u32 microseconds, u32 packets)
{
	torus_write32(tn->td, TORUS_PORT_AT(TORUS_PORT_MODERATION, cause),
		      microseconds << TORUS_PORT_MODERATION_MICROSECONDS_SHIFT |
		      packets << TORUS_PORT_MODERATION_PACKETS_SHIFT);
}

static int ethtool_set_coalesce(struct net_device *dev, struct ethtool_coalesce *coalesce,
				struct kernel_ethtool_coalesce *kernel,
				struct netlink_ext_ack *extack)
{
	const struct torus_net *tn = netdev_priv(dev);

	if (coalesce->rx_coalesce_usecs > ETHTOOL_MICROSECONDS_MAX ||
	    coalesce->tx_coalesce_usecs > ETHTOOL_MICROSECONDS_MAX) {
		NL_SET_ERR_MSG(extack, "usecs must be 0 to 65535");
		return -ERANGE;
	}
	if (coalesce->rx_max_coalesced_frames > ETHTOOL_PACKETS_MAX ||
	    coalesce->tx_max_coalesced_frames > ETHTOOL_PACKETS_MAX) {
		NL_SET_ERR_MSG(extack, "frames must be 0 to 32767");
		return -ERANGE;
	}
	ethtool_moderate(tn, TORUS_PORT_CAUSE_RECEIVE, coalesce->rx_coalesce_usecs,
			 coalesce->rx_max_coalesced_frames);
	ethtool_moderate(tn, TORUS_PORT_CAUSE_INJECT, coalesce->tx_coalesce_usecs,
			 coalesce->tx_max_coalesced_frames);
	return 0;
}

const struct ethtool_ops torus_net_ethtool_ops = {
	.supported_coalesce_params = ETHTOOL_COALESCE_USECS | ETHTOOL_COALESCE_MAX_FRAMES,
	.get_coalesce = ethtool_get_coalesce,
	.set_coalesce = ethtool_set_coalesce,
	.get_drvinfo = ethtool_driver,
	.get_link = ethtool_op_get_link,
	.get_ringparam = ethtool_rings,
	.get_sset_count = ethtool_count,
	.get_strings = ethtool_strings,
	.get_ethtool_stats = ethtool_counters,
};
