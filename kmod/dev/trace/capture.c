// SPDX-License-Identifier: GPL-2.0
/*
 * Captures: a program that called TORUS_IOC_CAPTURE reads from a file the packets on links, or the
 * events of packets.
 *
 * The threads that run a fabric append records to the capture's ring, under its lock. At the end of
 * a run the task that has locked the engine appends a mark, if there are new records, and publishes
 * all records before it. So a reader gets whole runs.
 * Between two marks, the records of different domains are in any order. A record that does not fit
 * is discarded, and the next mark reports the number of discarded records: the fabric never waits
 * for a reader.
 *
 * A capture is added and removed with the engine locked. Then no run is in progress, so the threads
 * need no lock to walk the list of captures.
 */
#include <linux/anon_inodes.h>
#include <linux/fs.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "core/base/node_number.h"
#include "core/link/capture.h"
#include "dev/base/memory_limit.h"
#include "dev/engine/engine.h"
#include "dev/engine/engine_lifecycle.h"
#include "dev/engine/packet_records.h"
#include "capture.h"

#define TORUS_CAPTURE_MARK_BYTES	(sizeof(struct torus_capture_record) + \
					 sizeof(struct torus_capture_mark))

/**
 * struct torus_capture - a capture
 * @client: link to the engine
 * @e: the engine, with a reference
 * @ask: the program's request; nodes as indices, TORUS_NONE: any
 * @bytes: memory charged against max_bytes
 * @lock: protects @head, @lost, @clock and @image against the threads that run the fabric
 * @head: bytes ever written into @ring
 * @lost: records discarded since the last mark, for want of space
 * @clock: tick when the last run ended
 * @image: bytes of a packet, and padding
 * @published: bytes that may be read, counted like @head
 * @tail: bytes that were read, counted like @head
 * @ended: the fabric was deleted
 * @wait: readers sleep here
 * @reading: serializes readers
 * @ring: @ask.buffer bytes
 */
struct torus_capture {
	struct torus_trace_client client;
	struct torus_engine *e;
	struct torus_ioc_capture ask;
	u64 bytes;

	spinlock_t lock;	/* head, lost, clock, image */
	u64 head;
	u64 lost;
	u64 clock;
	u8 image[TORUS_LINK_CAPTURE_BYTES + 8];

	u64 published;
	u64 tail;
	bool ended;
	wait_queue_head_t wait;
	struct mutex reading;	/* serializes readers */
	u8 *ring;
};

/* ---------------------------------------------------------------- recording */

static void torus_capture_put(struct torus_capture *c, const void *from, u32 bytes)
{
	u32 at = c->head & (c->ask.buffer - 1), first = min(bytes, c->ask.buffer - at);

	lockdep_assert_held(&c->lock);
	memcpy(c->ring + at, from, first);
	memcpy(c->ring, (const u8 *)from + first, bytes - first);
	c->head += bytes;
}

/* Check whether a record fits. */
static bool torus_capture_room(struct torus_capture *c, u32 bytes)
{
	/*
	 * Pairs with the store to @tail in torus_capture_copy(): bytes that were copied may be
	 * overwritten.
	 */
	return c->ask.buffer - (c->head - smp_load_acquire(&c->tail)) >= bytes;
}

static void torus_capture_packet(struct torus_capture *c, struct torus_domain *d, u32 what,
				 u32 node, u32 dir, u32 vc, const struct torus_packet *p)
{
	struct torus_capture_record record = { .kind = TORUS_CAPTURE_PACKET };
	struct torus_wire wire;
	u32 captured;

	spin_lock(&c->lock);
	torus_link_capture_record(d, what, node, dir, vc, p, &wire, c->image);
	captured = wire.bytes;
	if (c->ask.bytes)
		captured = min(captured, c->ask.bytes);
	record.captured = captured;
	record.bytes = ALIGN(sizeof(record) + sizeof(wire) + captured, 8);
	/* Leave space for the mark that follows. */
	if (torus_capture_room(c, record.bytes + TORUS_CAPTURE_MARK_BYTES)) {
		/* Zero the padding: it must not show bytes of another packet. */
		memset(c->image + captured, 0, 8);
		torus_capture_put(c, &record, sizeof(record));
		torus_capture_put(c, &wire, sizeof(wire));
		torus_capture_put(c, c->image, record.bytes - sizeof(record) - sizeof(wire));
	} else {
		c->lost++;
	}
	spin_unlock(&c->lock);
}

static void torus_capture_put_event(struct torus_capture *c, const struct torus_packet_event *event)
{
	const struct torus_capture_record record = {
		.bytes = sizeof(record) + sizeof(*event), .kind = TORUS_CAPTURE_EVENT,
	};

	static_assert(!((sizeof(record) + sizeof(*event)) % 8));
	spin_lock(&c->lock);
	/* Leave space for the mark that follows. */
	if (torus_capture_room(c, record.bytes + TORUS_CAPTURE_MARK_BYTES)) {
		torus_capture_put(c, &record, sizeof(record));
		torus_capture_put(c, event, sizeof(*event));
	} else {
		c->lost++;
	}
	spin_unlock(&c->lock);
}

static bool torus_capture_wants(u32 asked, u32 value)
{
	return asked == TORUS_CAPTURE_ANY || asked == value;
}

static void torus_capture_event(struct torus_trace_client *client, struct torus_domain *d, u32 what,
				u32 node, u32 dir, u32 vc, u64 about, const struct torus_packet *p)
{
	struct torus_capture *c = container_of(client, struct torus_capture, client);
	struct torus_packet_event event;

	if (!torus_capture_wants(c->ask.node, node) || !torus_capture_wants(c->ask.dir, dir) ||
	    !torus_capture_wants(c->ask.src, p->src) || !torus_capture_wants(c->ask.dst, p->dst))
		return;
	if (!(c->ask.flags & TORUS_CAPTURE_EVENTS)) {
		if (torus_link_capture_wanted(d, what, node, dir))
			torus_capture_packet(c, d, what, node, dir, vc, p);
	} else if (what < TORUS_TRACE_ACCEPT) {
		torus_packet_event_fill(c->e, d, what, node, dir, vc, about, p, &event);
		torus_capture_put_event(c, &event);
	}
}

/*
 * Append a mark, and publish all records before it. @ran: a run ended at @clock. Otherwise the
 * reader has read all records, and a mark is appended only if records were discarded: the report of
 * these must not wait for a run that may never start.
 */
static void torus_capture_mark(struct torus_capture *c, bool ran, u64 clock)
{
	struct torus_capture_record record = {
		.bytes = TORUS_CAPTURE_MARK_BYTES, .kind = TORUS_CAPTURE_MARK,
	};
	struct torus_capture_mark mark;

	spin_lock(&c->lock);
	if (ran)
		c->clock = clock;
	mark.clock = c->clock;
	mark.lost = c->lost;
	if ((c->head == c->published && !c->lost) || (!ran && c->head != c->published) ||
	    !torus_capture_room(c, TORUS_CAPTURE_MARK_BYTES)) {
		spin_unlock(&c->lock);
		return;
	}
	c->lost = 0;
	torus_capture_put(c, &record, sizeof(record));
	torus_capture_put(c, &mark, sizeof(mark));
	/* Pairs with torus_capture_there(). */
	smp_store_release(&c->published, c->head);
	spin_unlock(&c->lock);
	wake_up_interruptible_poll(&c->wait, EPOLLIN | EPOLLRDNORM);
}

static void torus_capture_ran(struct torus_trace_client *client, u64 clock)
{
	torus_capture_mark(container_of(client, struct torus_capture, client), true, clock);
}

static void torus_capture_end(struct torus_trace_client *client)
{
	struct torus_capture *c = container_of(client, struct torus_capture, client);

	/* Pairs with torus_capture_over(). */
	smp_store_release(&c->ended, true);
	wake_up_interruptible_poll(&c->wait, EPOLLIN | EPOLLHUP);
}

static const struct torus_trace_client_ops torus_capture_client_ops = {
	.event = torus_capture_event,
	.ran = torus_capture_ran,
	.end = torus_capture_end,
};

/* ------------------------------------------------------------------ reading */

/* Return the number of bytes that may be read. */
static u64 torus_capture_there(struct torus_capture *c)
{
	/* Pairs with torus_capture_mark(): the records are visible. */
	return smp_load_acquire(&c->published) - READ_ONCE(c->tail);
}

static bool torus_capture_over(struct torus_capture *c)
{
	/* Pairs with torus_capture_end(): all records that were published before are visible. */
	return smp_load_acquire(&c->ended);
}

static int torus_capture_get(struct torus_capture *c, char __user *to, u64 from, u32 bytes)
{
	u32 at = from & (c->ask.buffer - 1), first = min(bytes, c->ask.buffer - at);

	return copy_to_user(to, c->ring + at, first) ||
	       copy_to_user(to + first, c->ring, bytes - first) ? -EFAULT : 0;
}

/*
 * Copy whole records, as many as fit. Records start at multiples of 8, and their headers have 8
 * bytes: a header never wraps.
 */
static ssize_t torus_capture_copy(struct torus_capture *c, char __user *to, size_t size)
{
	u64 there = torus_capture_there(c);
	u32 bytes = 0;
	int err;

	while (bytes < there) {
		const struct torus_capture_record *record;

		record = (void *)(c->ring + ((c->tail + bytes) & (c->ask.buffer - 1)));
		if (bytes + record->bytes > size)
			break;
		bytes += record->bytes;
	}
	if (there && !bytes)
		return -EMSGSIZE;
	err = torus_capture_get(c, to, c->tail, bytes);
	if (err)
		return err;
	/* Pairs with torus_capture_room(). */
	smp_store_release(&c->tail, c->tail + bytes);
	return bytes;
}

static ssize_t torus_capture_read(struct file *file, char __user *to, size_t size, loff_t *at)
{
	struct torus_capture *c = file->private_data;
	ssize_t got = 0;
	int err = 0;

	size = min_t(size_t, size, TORUS_CAPTURE_BUFFER_MAX);
	if (mutex_lock_interruptible(&c->reading))
		return -EINTR;
	if (!torus_capture_there(c))
		torus_capture_mark(c, false, 0);
	while (!torus_capture_there(c) && !err) {
		if (torus_capture_over(c)) {
			/* Records may have been published after the check above, before the end. */
			if (torus_capture_there(c))
				break;
			goto out;
		}
		if (file->f_flags & O_NONBLOCK)
			err = -EAGAIN;
		else
			err = wait_event_interruptible(c->wait, torus_capture_there(c) ||
						       torus_capture_over(c)) ? -EINTR : 0;
	}
	got = err ?: torus_capture_copy(c, to, size);
out:
	mutex_unlock(&c->reading);
	return got;
}

static __poll_t torus_capture_poll(struct file *file, poll_table *wait)
{
	struct torus_capture *c = file->private_data;
	__poll_t ready = 0;

	poll_wait(file, &c->wait, wait);
	if (torus_capture_over(c))
		ready |= EPOLLIN | EPOLLHUP;
	if (torus_capture_there(c))
		ready |= EPOLLIN | EPOLLRDNORM;
	return ready;
}

/* ----------------------------------------------------------- coming and going */

static void torus_capture_free(struct torus_capture *c)
{
	mutex_destroy(&c->reading);
	kvfree(c->ring);
	if (c->bytes)
		torus_budget_give(c->bytes);
	torus_engine_put(c->e);
	kfree(c);
}

/* Remove a capture from its engine, so that it records no more packets, and free it. */
static void torus_capture_drop(struct torus_capture *c)
{
	/* On failure the fabric was deleted, and the engine has removed the capture. */
	if (!torus_engine_lock(c->e)) {
		list_del_init(&c->client.link);
		torus_engine_unlock(c->e);
	}
	torus_capture_free(c);
}

static int torus_capture_release(struct inode *inode, struct file *file)
{
	torus_capture_drop(file->private_data);
	return 0;
}

static const struct file_operations torus_capture_ops = {
	.owner = THIS_MODULE,
	.release = torus_capture_release,
	.read = torus_capture_read,
	.poll = torus_capture_poll,
};

/* Replace a node's number by its index. Return: false if no node has that number. */
static bool torus_capture_index(const struct torus_engine *e, u32 *node)
{
	if (*node == TORUS_CAPTURE_ANY)
		return true;
	*node = torus_node_index(&e->geo, *node);
	return *node != TORUS_NONE;
}

/* Check a request, set its defaults, and replace node numbers by indices. */
static int torus_capture_check(const struct torus_engine *e, struct torus_ioc_capture *ask)
{
	if (!torus_capture_index(e, &ask->node) || !torus_capture_index(e, &ask->src) ||
	    !torus_capture_index(e, &ask->dst))
		return -EINVAL;
	if (ask->dir != TORUS_CAPTURE_ANY && ask->dir >= 2 * e->geo.ndims)
		return -EINVAL;
	if (ask->flags & ~TORUS_CAPTURE_EVENTS)
		return -EINVAL;
	if (ask->flags && (ask->dir != TORUS_CAPTURE_ANY || ask->bytes))
		return -EINVAL;
	ask->buffer = ask->buffer ?: TORUS_CAPTURE_BUFFER;
	if (!is_power_of_2(ask->buffer) || ask->buffer < TORUS_CAPTURE_BUFFER_MIN ||
	    ask->buffer > TORUS_CAPTURE_BUFFER_MAX)
		return -EINVAL;
	return 0;
}

/* Create a capture that records no packets yet. It takes over the caller's reference to @e. */
static struct torus_capture *torus_capture_make(struct torus_engine *e,
						const struct torus_ioc_capture *ask)
{
	struct torus_capture *c = kzalloc(sizeof(*c), TORUS_GFP_USER);
	int err;

	if (!c) {
		torus_engine_put(e);
		return ERR_PTR(-ENOMEM);
	}
	c->client.ops = &torus_capture_client_ops;
	INIT_LIST_HEAD(&c->client.link);
	spin_lock_init(&c->lock);
	mutex_init(&c->reading);
	init_waitqueue_head(&c->wait);
	c->e = e;
	c->ask = *ask;
	err = torus_budget_take(ask->buffer, NULL);
	if (err)
		goto err_free;
	c->bytes = ask->buffer;
	c->ring = kvzalloc(ask->buffer, TORUS_GFP_USER);
	err = -ENOMEM;
	if (!c->ring)
		goto err_free;
	return c;

err_free:
	torus_capture_free(c);
	return ERR_PTR(err);
}

/* Start to record. Return: the file descriptor, or a negative errno. */
static int torus_capture_begin(struct torus_capture *c)
{
	int fd = torus_engine_lock(c->e);

	if (!fd) {
		list_add_tail(&c->client.link, &c->e->trace.clients);
		torus_engine_unlock(c->e);
		fd = anon_inode_getfd("[torus-capture]", &torus_capture_ops, c,
				      O_RDONLY | O_CLOEXEC);
	}
	if (fd < 0)
		torus_capture_drop(c);
	return fd;
}

/**
 * torus_capture_open() - start to record packets on links, or events of packets, of a fabric
 * @e: the fabric's engine; the reference is taken over
 * @ask: the request, with node numbers; changed to indices
 *
 * Return: a file descriptor to read the records from, or a negative errno of <linux/torus.h>.
 */
int torus_capture_open(struct torus_engine *e, struct torus_ioc_capture *ask)
{
	struct torus_capture *c;
	int err = torus_capture_check(e, ask);

	if (err) {
		torus_engine_put(e);
		return err;
	}
	c = torus_capture_make(e, ask);
	return IS_ERR(c) ? PTR_ERR(c) : torus_capture_begin(c);
}
