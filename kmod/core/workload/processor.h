/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A node's processor. If its time counts, injecting and receiving cost ticks per packet and per
 * chunk, and a processor handles one packet at a time. This models the time that software takes in
 * a measurement. If all costs are 0, there are no processors, and packets enter and leave the FIFOs
 * immediately.
 *
 * The processor alternates between taking a packet from its reception FIFOs and putting one into
 * an injection FIFO. A reception FIFO that it does not empty becomes full and blocks packets in
 * the network.
 */
#ifndef TORUS_CORE_WORKLOAD_PROCESSOR_H
#define TORUS_CORE_WORKLOAD_PROCESSOR_H

#include "core/state/domain.h"

struct torus_snapshot;
struct torus_check;

enum torus_processor_job { TORUS_JOB_NONE, TORUS_JOB_INJECT, TORUS_JOB_RECEIVE };

/**
 * struct torus_processor - a node's processor
 * @busy_until: tick at which the current job ends
 * @head: first received packet in the queue
 * @tail: last received packet in the queue
 * @job: current job, enum torus_processor_job
 * @last: the previous job
 * @stream: source stream of the packet being injected
 * @fifo: FIFO into which that packet is injected
 * @chunks: chunks used or reserved in each reception FIFO
 */
struct torus_processor {
	u64 busy_until;
	u32 head;
	u32 tail;
	u8 job;
	u8 last;
	u8 stream;
	u8 fifo;
	u16 chunks[TORUS_RECEIVE_MAX];
};

int torus_processors_init(struct torus_fabric *f);
void torus_processors_reset(struct torus_domain *d);
void torus_processors_free(struct torus_fabric *f);
bool torus_processor_admit(struct torus_domain *d, u32 node, const struct torus_packet *p,
			   u32 fifo);
void torus_processor_receive(struct torus_domain *d, u32 node, u32 pkt, u32 fifo);
void torus_processor_run(struct torus_domain *d, u32 node);
void torus_processor_snapshot(struct torus_snapshot *snap, struct torus_domain *d, u32 node);
void torus_processor_census(struct torus_domain *d, struct torus_check *snap);

#endif
