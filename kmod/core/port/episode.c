// SPDX-License-Identifier: GPL-2.0
/* The episode of a driver in virtual time. */
#include "core/port/episode.h"
#include "core/port/registers.h"

void torus_port_episode_init(struct torus_port_episode *ep, const u32 cost[TORUS_PORT_COSTS_MAX])
{
	u32 i;

	memset(ep, 0, sizeof(*ep));
	memcpy(ep->cost, cost, sizeof(ep->cost));
	for (i = 0; i < TORUS_PORT_CAUSE_EVENTS; i++)
		ep->due[i] = TORUS_PORT_NO_TICK;
}

/* End the episode if the driver has dealt with all that it owes. Return: report. */
static bool episode_settle(struct torus_port_episode *ep)
{
	ep->owed &= ep->unacknowledged | ~ep->enable;
	if (!ep->active || ep->owed || ep->busy)
		return false;
	ep->active = false;
	ep->end = ep->start + ep->sum;
	/* A loop that waits lets time pass, even if it has accessed nothing. */
	if (ep->waiters && !ep->sum)
		ep->end++;
	return true;
}

/* Forget what belongs to the state of the port: the driver resets the port, or leaves. */
static void episode_forget(struct torus_port_episode *ep)
{
	u32 i;

	ep->pending = 0;
	ep->owed = 0;
	ep->unacknowledged = 0;
	ep->enable = 0;
	ep->busy = 0;
	ep->first = 0;
	ep->count = 0;
	ep->late = 0;
	for (i = 0; i < TORUS_PORT_CAUSE_EVENTS; i++)
		ep->due[i] = TORUS_PORT_NO_TICK;
}

/* ------------------------------------------------- calls of the driver, and of the port */

static u32 episode_cost(const struct torus_port_episode *ep, u32 offset, bool write)
{
	if (offset < TORUS_PORT_MACHINE_BYTES)
		return ep->cost[TORUS_PORT_COST_MACHINE];
	offset = torus_port_register_first(offset);
	if (offset == TORUS_PORT_READ_DATA || offset == TORUS_PORT_WRITE_DATA)
		return ep->cost[TORUS_PORT_COST_DATA];
	return ep->cost[write ? TORUS_PORT_COST_WRITE : TORUS_PORT_COST_READ];
}

void torus_port_episode_access(struct torus_port_episode *ep, u32 offset, bool write)
{
	if (!ep->active)
		return;
	ep->sum += episode_cost(ep, offset, write);
	if (ep->sum > TORUS_PORT_EPISODE_MAX)
		ep->sum = TORUS_PORT_EPISODE_MAX;
}

bool torus_port_episode_written(struct torus_port_episode *ep, u32 offset, u32 value)
{
	switch (offset) {
	case TORUS_PORT_ENABLE:
		ep->enable = value;
		ep->pending &= value;
		break;
	case TORUS_PORT_ACKNOWLEDGE:
		ep->unacknowledged &= ~value;
		ep->pending &= ~value;
		break;
	case TORUS_PORT_CONTROL:
		if (value & TORUS_PORT_CONTROL_RESET)
			episode_forget(ep);
		break;
	}
	return episode_settle(ep);
}

bool torus_port_episode_offer(struct torus_port_episode *ep, u32 queue, u32 tail)
{
	/* After an episode, what is offered must not overtake the doorbells that are left. */
	if (!ep->active && !ep->count && !ep->late)
		return false;
	if (ep->count < TORUS_PORT_EPISODE_DOORBELLS) {
		ep->doorbell[ep->count++] = (struct torus_port_doorbell){
			.tick = ep->active ? ep->start + ep->sum : ep->end,
			.queue = queue, .tail = tail,
		};
	} else {
		ep->late |= 1ull << queue;
		ep->last[queue] = tail;
	}
	return true;
}

bool torus_port_episode_interrupt(struct torus_port_episode *ep, u32 cause, bool *held)
{
	u32 bit = 1u << cause;

	*held = ep->joined;
	if (!ep->joined) {
		ep->owed |= bit;
		ep->unacknowledged |= bit;
		return false;
	}
	/* The driver may have enabled a cause again that it has not acknowledged. */
	ep->pending |= bit;
	ep->owed &= ~bit;
	return episode_settle(ep) || !ep->active;
}

bool torus_port_episode_release(struct torus_port_episode *ep, u32 cause)
{
	ep->pending &= ~(1u << cause);
	ep->owed &= ~(1u << cause);
	return episode_settle(ep);
}

bool torus_port_episode_busy(struct torus_port_episode *ep)
{
	ep->busy++;
	return ep->joined && !ep->active;
}

bool torus_port_episode_idle(struct torus_port_episode *ep)
{
	if (ep->busy)
		ep->busy--;
	return episode_settle(ep);
}

bool torus_port_episode_wait(struct torus_port_episode *ep)
{
	if (ep->busy)
		ep->busy--;
	ep->waiters++;
	return episode_settle(ep) || (ep->joined && !ep->active);
}

bool torus_port_episode_give_up(struct torus_port_episode *ep, u32 number)
{
	if (ep->number != number)
		return torus_port_episode_idle(ep);
	if (ep->waiters)
		ep->waiters--;
	return false;
}

/* ------------------------------------------------------------------ calls of the clock */

void torus_port_episode_join(struct torus_port_episode *ep, u64 now)
{
	ep->joined = true;
	ep->active = ep->owed || ep->busy || ep->waiters;
	ep->number += ep->active;
	ep->busy += ep->waiters;
	ep->waiters = 0;
	ep->start = now;
	ep->end = now;
	ep->sum = 0;
}

/* Show all doorbells, whatever their ticks. */
static void episode_show_all(struct torus_port_episode *ep, struct torus_port *port)
{
	for (; ep->first < ep->count; ep->first++)
		torus_port_show(port, ep->doorbell[ep->first].queue, ep->doorbell[ep->first].tail);
	for (; ep->late; ep->late &= ep->late - 1)
		torus_port_show(port, torus_ctz(ep->late), ep->last[torus_ctz(ep->late)]);
	ep->first = 0;
	ep->count = 0;
}

void torus_port_episode_leave(struct torus_port_episode *ep, struct torus_port *port)
{
	episode_show_all(ep, port);
	episode_forget(ep);
	ep->joined = false;
	ep->left = true;
	ep->active = false;
	ep->waiters = 0;
}

void torus_port_episode_reset(struct torus_port_episode *ep, struct torus_port *port)
{
	u32 i;

	episode_show_all(ep, port);
	ep->start = 0;
	ep->end = 0;
	ep->sum = 0;
	for (i = 0; i < TORUS_PORT_CAUSE_EVENTS; i++)
		if (ep->due[i] != TORUS_PORT_NO_TICK)
			ep->due[i] = 0;
}

u64 torus_port_episode_show(struct torus_port_episode *ep, struct torus_port *port, u64 now)
{
	const struct torus_port_doorbell *next;

	for (; ep->first < ep->count; ep->first++) {
		next = &ep->doorbell[ep->first];
		if (next->tick > now)
			return next->tick;
		torus_port_show(port, next->queue, next->tail);
	}
	if (ep->end <= now)
		episode_show_all(ep, port);
	return ep->end;
}

bool torus_port_episode_begin(struct torus_port_episode *ep, u64 now, u32 *cause)
{
	*cause = TORUS_PORT_CAUSES;
	if (!torus_port_episode_wanted(ep))
		return false;
	ep->active = true;
	ep->start = now;
	ep->end = now;
	ep->sum = 0;
	ep->number++;
	ep->busy += ep->waiters;
	ep->waiters = 0;
	if (ep->pending) {
		*cause = torus_ctz(ep->pending);
		ep->pending &= ep->pending - 1;
		ep->owed |= 1u << *cause;
		ep->unacknowledged |= 1u << *cause;
	}
	return true;
}
