/* SPDX-License-Identifier: GPL-2.0 */
/* Events of packets, recorded while a request runs a paused fabric. */
#ifndef TORUS_DEV_ENGINE_PACKET_RECORDS_H
#define TORUS_DEV_ENGINE_PACKET_RECORDS_H

#include <linux/list.h>
#include <linux/types.h>

struct torus_domain;
struct torus_engine;
struct torus_packet;
struct torus_packet_event;

/**
 * struct torus_packet_records - recorded events that the client has not read (engine.lock)
 * @pages: list of struct torus_records_page, oldest first
 * @count: number of events
 * @lost: number of events that were not recorded since it was last reported, because memory was
 *	short or too many events waited
 */
struct torus_packet_records {
	struct list_head pages;
	u32 count;
	u64 lost;
};

void torus_packet_event_fill(const struct torus_engine *e, const struct torus_domain *d, u32 what,
			     u32 node, u32 dir, u32 vc, u64 about, const struct torus_packet *p,
			     struct torus_packet_event *event);
void torus_packet_records_init(struct torus_packet_records *records);
void torus_packet_records_add(const struct torus_engine *e, struct torus_packet_records *records,
			      const struct torus_domain *d, u32 what, u32 node, u32 dir, u32 vc,
			      u64 about, const struct torus_packet *p);
u32 torus_packet_records_take(struct torus_packet_records *records,
			      struct torus_packet_event *events, u32 most);
void torus_packet_records_free(struct torus_packet_records *records);

#endif
