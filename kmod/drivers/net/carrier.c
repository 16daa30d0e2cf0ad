// SPDX-License-Identifier: GPL-2.0
/*
 * The carrier of an interface: the node is alive, and one of its links can send.
 *
 * A work item reads the state of the links once a second. It also has the NAPI poll run, which
 * expires incomplete datagrams, and continues if an interrupt was lost.
 */
#include <linux/bottom_half.h>
#include <linux/jiffies.h>
#include <linux/netdevice.h>

#include "carrier.h"

static void carrier_check(struct work_struct *work)
{
	struct torus_net *tn = container_of(work, struct torus_net, check.work);
	u32 links = torus_read32(tn->td, TORUS_PORT_LINKS);

	if (links && links != TORUS_NET_ALL_ONES)
		netif_carrier_on(tn->dev);
	else
		netif_carrier_off(tn->dev);
	WRITE_ONCE(tn->rx.expire, true);
	local_bh_disable();
	napi_schedule(&tn->napi);
	local_bh_enable();
	schedule_delayed_work(&tn->check, HZ);
}

/**
 * torus_net_carrier_start() - begin to check the links
 * @tn: the interface, with its NAPI poll enabled
 */
void torus_net_carrier_start(struct torus_net *tn)
{
	INIT_DELAYED_WORK(&tn->check, carrier_check);
	schedule_delayed_work(&tn->check, 0);
}

/**
 * torus_net_carrier_stop() - undo torus_net_carrier_start()
 * @tn: the interface
 */
void torus_net_carrier_stop(struct torus_net *tn)
{
	cancel_delayed_work_sync(&tn->check);
}
