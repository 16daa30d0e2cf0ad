// SPDX-License-Identifier: GPL-2.0
/* Mail: events and packets between domains. */
#include "core/state/mail.h"
#include "core/state/packets.h"

static bool mail_grow(void **array, u32 *cap, u32 used, size_t size)
{
	u32 more = *cap ? *cap * 2 : 64;
	void *p;

	if (used < *cap)
		return true;
	p = torus_grow(more * size);
	if (!p)
		return false;
	if (*array) {
		memcpy(p, *array, used * size);
		torus_free(*array, *cap * size);
	}
	*array = p;
	*cap = more;
	return true;
}

static struct torus_mailbox *mail_box(struct torus_domain *d, u64 at, const struct torus_event *ev)
{
	struct torus_domain *to = torus_domain_of(d->f, ev->node);
	u32 parity = d->parity;
	struct torus_mailbox *box = &d->boxes[parity][to->index];
	struct torus_mail *m;

	if (!mail_grow((void **)&box->mail, &box->mail_cap, box->mails, sizeof(*box->mail))) {
		d->failed = true;
		return NULL;
	}
	if (torus_unlikely(!(to->from >> d->thread & 1)))
		torus_fetch_add(&to->far[parity], 1);
	m = &box->mail[box->mails++];
	m->at = at;
	m->ev = *ev;
	if (at < d->mail_at)
		d->mail_at = at;
	return box;
}

/**
 * torus_mail_event() - mail an event without a packet to another domain
 * @d: sending domain
 * @at: tick of the event, after this window
 * @ev: the event
 */
void torus_mail_event(struct torus_domain *d, u64 at, const struct torus_event *ev)
{
	mail_box(d, at, ev);
}

/* Copy the sender and the bytes of a body into a mailbox. */
static void mail_body(struct torus_domain *d, const struct torus_packet *p, u8 *to)
{
	const struct torus_body *body = torus_body_at(&d->bodies, p->body);

	memcpy(to, &body->sender, sizeof(body->sender));
	memcpy(to + sizeof(body->sender), body->bytes, (size_t)p->chunks * d->f->arch->chunk_bytes);
}

static void mail_body_take(struct torus_domain *d, const struct torus_packet *p, const u8 *from)
{
	struct torus_body *body = torus_body_at(&d->bodies, p->body);

	memcpy(&body->sender, from, sizeof(body->sender));
	memcpy(body->bytes, from + sizeof(body->sender),
	       (size_t)p->chunks * d->f->arch->chunk_bytes);
}

/**
 * torus_mail_packet() - mail an event with its packet to another domain
 * @d: sending domain; its packet is freed
 * @at: tick of the event, after this window
 * @ev: the event
 */
void torus_mail_packet(struct torus_domain *d, u64 at, const struct torus_event *ev)
{
	struct torus_packet *p = torus_packet_at(d, ev->pkt);
	struct torus_mailbox *box = mail_box(d, at, ev);
	u32 bytes = d->bodies.stride;

	if (!box)
		return;
	if (!mail_grow((void **)&box->packets, &box->packet_cap, box->npackets,
		       sizeof(*box->packets)) ||
	    (p->body != TORUS_NONE &&
	     !mail_grow((void **)&box->bodies, &box->body_cap, box->nbodies, bytes))) {
		/* no memory for the packet: remove its event again */
		box->mails--;
		d->failed = true;
		return;
	}
	box->packets[box->npackets++] = *p;
	if (p->body != TORUS_NONE)
		mail_body(d, p, box->bodies + (size_t)box->nbodies++ * bytes);
	torus_packet_free(d, ev->pkt);
}

/* Push a mailed event into the list that a sender in the same domain would use. */
static void mail_push(struct torus_domain *d, u64 at, const struct torus_event *ev)
{
	switch (ev->lane) {
	case TORUS_LANE_HEAD:
		torus_wheel_push_whole(&d->wheel, TORUS_LANE_HEAD, at, *ev);
		break;
	case TORUS_LANE_TOKEN:
		torus_wheel_push_short(&d->wheel, TORUS_LANE_TOKEN, at, (struct torus_short){
			.node = ev->node, .tokens = (u16)ev->tokens, .dir = ev->dir, .vc = ev->vc,
		});
		break;
	default:
		torus_wheel_push(&d->wheel, at, *ev);
	}
}

static void mail_collect_box(struct torus_domain *d, struct torus_mailbox *box)
{
	u32 i, packet = 0, body = 0;

	for (i = 0; i < box->mails; i++) {
		struct torus_event ev = box->mail[i].ev;

		if (torus_event_has_packet(&ev)) {
			struct torus_packet *p;

			ev.pkt = torus_pool_get(&d->pool);
			if (ev.pkt == TORUS_NONE) {
				d->failed = true;
				break;
			}
			torus_pool_fill(&d->pool, ev.pkt, &box->packets[packet++]);
			p = torus_packet_at(d, ev.pkt);
			if (p->body != TORUS_NONE) {
				p->body = torus_bodies_get(&d->bodies);
				if (p->body == TORUS_NONE) {
					d->failed = true;
					break;
				}
				mail_body_take(d, p, box->bodies +
					       (size_t)body++ * d->bodies.stride);
			}
		}
		mail_push(d, box->mail[i].at, &ev);
	}
	box->mails = 0;
	box->npackets = 0;
	box->nbodies = 0;
}

static bool mail_reserve(void **array, u32 *cap, u32 need, size_t size)
{
	u32 more = *cap ? *cap : 64;

	if (need <= *cap)
		return true;
	while (more < need)
		more *= 2;
	torus_free(*array, *cap * size);
	*array = torus_alloc(more * size);
	*cap = *array ? more : 0;
	return *array;
}

/**
 * torus_mail_reserve() - reserve memory for mail from another process
 * @box: an empty mailbox
 * @mails: number of events
 * @packets: number of these events with packets
 * @bodies: number of these packets with bodies
 * @stride: bytes of a mailed body
 *
 * Return: false if memory is exhausted.
 */
bool torus_mail_reserve(struct torus_mailbox *box, u32 mails, u32 packets, u32 bodies, u32 stride)
{
	return mail_reserve((void **)&box->mail, &box->mail_cap, mails, sizeof(*box->mail)) &&
	       mail_reserve((void **)&box->packets, &box->packet_cap, packets,
			    sizeof(*box->packets)) &&
	       mail_reserve((void **)&box->bodies, &box->body_cap, bodies, stride);
}

/**
 * torus_mail_collect() - receive the mail of the last window
 * @d: receiving domain
 * @parity: set of mailboxes that was filled
 *
 * Drains only the mailboxes of threads that own a neighbouring domain. Other mail is counted in
 * @d->far: if that is not zero, all mailboxes are drained.
 */
void torus_mail_collect(struct torus_domain *d, u32 parity)
{
	u64 from = d->from;

	if (torus_unlikely(d->far[parity])) {
		d->far[parity] = 0;
		from = (d->f->ndomains < 64 ? 1ull << d->f->ndomains : 0) - 1;
	}
	for (; from; from &= from - 1)
		mail_collect_box(d, &d->f->domain[torus_ctz(from)].outbox[parity][d->index]);
}

/**
 * torus_mail_threads() - assign domains and mailboxes to the threads of the next run
 * @f: the fabric, between two runs
 * @threads: number of threads
 *
 * The domains of a thread run one after the other and share the thread's mailboxes, so that a
 * receiver finds its mail in few places.
 */
void torus_mail_threads(struct torus_fabric *f, u32 threads)
{
	u32 i;
	u64 left;

	if (f->run_threads == threads)
		return;
	/* first drain the mail of the last run, because mailboxes may change their owner below */
	for (i = 0; f->run_threads && i < f->ndomains; i++)
		torus_mail_collect(&f->domain[i], 0);
	f->run_threads = threads;
	for (i = 0; i < f->ndomains; i++) {
		/*
		 * with several processes, each domain keeps its own mailboxes, because mail is
		 * exchanged by sending domain
		 */
		u32 hand = f->cfg.procs ? i : i % threads;

		f->domain[i].thread = hand;
		f->domain[i].boxes[0] = f->domain[hand].outbox[0];
		f->domain[i].boxes[1] = f->domain[hand].outbox[1];
		f->domain[i].after = i + threads < f->own_end ? &f->domain[i + threads] : NULL;
	}
	for (i = 0; i < f->ndomains; i++) {
		struct torus_domain *d = &f->domain[i];

		d->from = 0;
		for (left = d->senders; left; left &= left - 1)
			d->from |= 1ull << f->domain[torus_ctz(left)].thread;
	}
}
