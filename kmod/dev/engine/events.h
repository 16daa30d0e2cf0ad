/* SPDX-License-Identifier: GPL-2.0 */
/* Events of a fabric, reported to listeners in its network namespace. */
#ifndef TORUS_DEV_ENGINE_EVENTS_H
#define TORUS_DEV_ENGINE_EVENTS_H

#include <linux/types.h>
#include <linux/torus.h>

struct nlmsghdr;
struct torus_group_owner;
struct torus_engine;

/**
 * struct torus_event_note - an event of a fabric
 * @event: type of the event
 * @request: the netlink request that caused it, whose attributes the event repeats, or NULL
 * @node: index of the node, or NULL
 * @dir: direction of the link at @node, or NULL
 * @group: FIFO group at @node, or NULL
 * @clock: tick of the event; NULL: now
 * @text: description for people, or NULL
 * @owner: the program that caused it, or NULL
 * @signal: signal that killed this program, or 0
 */
struct torus_event_note {
	enum torus_event_type event;
	const struct nlmsghdr *request;
	const u32 *node;
	const u32 *dir;
	const u32 *group;
	const u64 *clock;
	const char *text;
	const struct torus_group_owner *owner;
	u32 signal;
};

/*
 * Function that sends an event to listeners. @clock: tick of the event; NULL if the fabric was just
 * added or deleted: the engine is not locked then.
 */
typedef void torus_event_notifier_t(const struct torus_engine *e,
				    const struct torus_event_note *note, const u64 *clock,
				    gfp_t gfp);

void torus_event_set_notifier(torus_event_notifier_t *notifier);
void torus_event_send(const struct torus_engine *e, const struct torus_event_note *note);
void torus_event_send_locked(struct torus_engine *e, const struct torus_event_note *note);

#endif
