// SPDX-License-Identifier: GPL-2.0
/*
 * Events of packets: their description for programs, and records of them while a request runs a
 * paused fabric.
 *
 * One thread runs the fabric and records, so no lock but the engine's is needed. Only the events of
 * one piece of a run are kept: the client reads them before the next piece. An event for which
 * there is no memory, or beyond TORUS_RECORDS_MAX, is counted as lost. Allocations do not sleep: a
 * port calls the core with a spinlock locked.
 */
#include <linux/gfp.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/torus.h>

#include "core/base/node_number.h"
#include "core/base/packet.h"
#include "core/run/fabric.h"
#include "engine.h"
#include "packet_records.h"

/* Maximum number of events of a piece, rounded up to whole pages. */
#define TORUS_RECORDS_MAX	1048576u

#define SAME(event)	((u32)TORUS_PACKET_EVENT_##event == TORUS_TRACE_##event)
static_assert(SAME(INJECT) && SAME(ROUTE) && SAME(STALL) && SAME(HOP) && SAME(ERROR) &&
	      SAME(RESEND) && SAME(DELIVER) && SAME(DROP));

/**
 * struct torus_records_page - a page of recorded events
 * @link: in torus_packet_records.pages
 * @first: index of the first event that the client has not read
 * @count: number of events in the page, including those that were read
 * @events: the events
 */
struct torus_records_page {
	struct list_head link;
	u32 first;
	u32 count;
	struct torus_packet_event events[];
};

#define TORUS_RECORDS_PAGE_EVENTS \
	((PAGE_SIZE - sizeof(struct torus_records_page)) / sizeof(struct torus_packet_event))

/**
 * torus_packet_event_fill() - describe an event of the core with numbers of nodes
 * @e: the engine
 * @d: domain of the event
 * @what: enum torus_trace_event, below TORUS_TRACE_ACCEPT
 * @node: index of the node
 * @dir: direction of the link, for events of links
 * @vc: VC, for events of VCs
 * @about: detail, see enum torus_trace_event
 * @p: the packet
 * @event: [out] the event
 */
void torus_packet_event_fill(const struct torus_engine *e, const struct torus_domain *d, u32 what,
			     u32 node, u32 dir, u32 vc, u64 about, const struct torus_packet *p,
			     struct torus_packet_event *event)
{
	*event = (struct torus_packet_event){
		.tick = d->now,
		.about = what == TORUS_TRACE_INJECT ? torus_packet_since(d->now, p->born) : about,
		.node = torus_node_number(&e->geo, node),
		.src = torus_node_number(&e->geo, p->src),
		.seq = p->seq,
		.dst = torus_node_number(&e->geo, p->dst),
		.hops = p->hops,
		.event = what,
		.dir = dir,
		.vc = vc,
		.chunks = p->chunks,
		.invalid = !!(p->flags & TORUS_PACKET_INVALID),
	};
}

void torus_packet_records_init(struct torus_packet_records *records)
{
	INIT_LIST_HEAD(&records->pages);
}

/* Return a page with space for an event, or NULL. */
static struct torus_records_page *records_space(struct torus_packet_records *records)
{
	struct torus_records_page *page;

	if (!list_empty(&records->pages)) {
		page = list_last_entry(&records->pages, struct torus_records_page, link);
		if (page->count < TORUS_RECORDS_PAGE_EVENTS)
			return page;
	}
	if (records->count >= TORUS_RECORDS_MAX)
		return NULL;
	page = (void *)__get_free_page(GFP_ATOMIC | __GFP_ACCOUNT | __GFP_NOWARN);
	if (!page)
		return NULL;
	page->first = 0;
	page->count = 0;
	list_add_tail(&page->link, &records->pages);
	return page;
}

/**
 * torus_packet_records_add() - record an event
 * @e: the engine, locked
 * @records: the records
 * @d: domain of the event
 * @what: enum torus_trace_event; an event without a line in a trace is ignored
 * @node: index of the node
 * @dir: direction of the link, for events of links
 * @vc: VC, for events of VCs
 * @about: detail, see enum torus_trace_event
 * @p: the packet
 */
void torus_packet_records_add(const struct torus_engine *e, struct torus_packet_records *records,
			      const struct torus_domain *d, u32 what, u32 node, u32 dir, u32 vc,
			      u64 about, const struct torus_packet *p)
{
	struct torus_records_page *page;

	if (what >= TORUS_TRACE_ACCEPT)
		return;
	page = records_space(records);
	if (!page) {
		records->lost++;
		return;
	}
	torus_packet_event_fill(e, d, what, node, dir, vc, about, p, &page->events[page->count++]);
	records->count++;
}

static void records_page_free(struct torus_records_page *page)
{
	list_del(&page->link);
	free_page((unsigned long)page);
}

/**
 * torus_packet_records_take() - remove the oldest events
 * @records: the records
 * @events: [out] the events
 * @most: maximum number of events
 *
 * Return: number of events.
 */
u32 torus_packet_records_take(struct torus_packet_records *records,
			      struct torus_packet_event *events, u32 most)
{
	struct torus_records_page *page, *next;
	u32 taken = 0, n;

	list_for_each_entry_safe(page, next, &records->pages, link) {
		n = min(page->count - page->first, most - taken);
		memcpy(events + taken, page->events + page->first, n * sizeof(*events));
		taken += n;
		page->first += n;
		if (page->first < page->count)
			break;
		records_page_free(page);
	}
	records->count -= taken;
	return taken;
}

/* Discard all events. */
void torus_packet_records_free(struct torus_packet_records *records)
{
	struct torus_records_page *page, *next;

	list_for_each_entry_safe(page, next, &records->pages, link)
		records_page_free(page);
	records->count = 0;
	records->lost = 0;
}
