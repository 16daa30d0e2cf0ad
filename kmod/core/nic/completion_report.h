/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Report completions to the clients that sent the packets: the number of completed packets, and the
 * packets that did not arrive. core/state/completion.h counts and records them.
 *
 * Reports happen between two runs, so that only one thread calls a client, and always before the
 * fabric is idle. torus_fabric_run() reports the completions of the run. torus_nic_poll() and
 * torus_nic_look() report later completions, which readers of reception rings cause between two
 * runs.
 */
#ifndef TORUS_CORE_NIC_COMPLETION_REPORT_H
#define TORUS_CORE_NIC_COMPLETION_REPORT_H

#include "core/state/domain.h"

/*
 * Report completed and lost packets to all clients; the caller has checked that there are any
 * (lost_packets.any).
 */
void torus_completions_deliver_all(struct torus_fabric *f);

/**
 * torus_completions_deliver() - report new completions and losses to all clients
 * @f: the fabric, locked
 */
torus_inline void torus_completions_deliver(struct torus_fabric *f)
{
	bool any = false;
	u32 i;

	if (torus_likely(!f->completions))
		return;
	for (i = 0; i < f->ndomains; i++)
		any |= f->domain[i].lost_packets.any;
	if (any)
		torus_completions_deliver_all(f);
}

/**
 * torus_completions_report_blocked() - report packets that dead or parked links block
 * @f: the fabric, locked
 *
 * Reports each packet once: head packets of buffers whose alternatives all begin with such a link,
 * and packets that the sender of a parked link keeps. These packets are not completed: a link may
 * send packets again later.
 */
void torus_completions_report_blocked(struct torus_fabric *f);

/**
 * torus_completions_report_failure() - notify each client with packets in flight of a failure
 * @f: the fabric, locked, which has failed for lack of memory
 */
void torus_completions_report_failure(struct torus_fabric *f);

/**
 * torus_completions_reset() - report all packets in flight as lost
 * @f: the fabric, locked
 */
void torus_completions_reset(struct torus_fabric *f);

#endif /* TORUS_CORE_NIC_COMPLETION_REPORT_H */
