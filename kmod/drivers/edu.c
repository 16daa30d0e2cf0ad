// SPDX-License-Identifier: GPL-2.0
/*
 * torus_edu: a small driver for a node of a torus, written to be read.
 *
 * Each node that the driver is bound to has a file /dev/torus_edu-NAME. write() sends one packet,
 * which the machine's own header begins. read() receives one packet. Both move the packet word by
 * word through the FIFOs of the node (programmed I/O), and sleep until an interrupt reports that
 * there is a packet, or space for one. <linux/torus_port.h> describes the registers.
 *
 * It follows four rules:
 *
 * - The handler acknowledges a cause before it counts an event. A task loads the count before it
 *   reads the FIFOs, and sleeps until the count changes. So a packet that arrives after the FIFOs
 *   were read wakes the task.
 * - A file may be open when the driver is unbound. The structure of the node is freed with its last
 *   reference; calls that come later find @gone and fail with ENODEV.
 * - The node may be taken away at any moment. All registers then read as all ones, which the driver
 *   must not take for a level or a length.
 * - An interrupt may be lost. The status bit of its cause then stays set, and no other interrupt
 *   follows. A timer acknowledges all causes and wakes the tasks once a second; not with echo=1.
 *
 * With echo=1 the driver has no files: it answers packets from its interrupt handler, also on a
 * fabric in virtual time. The bytes of a packet after its header are the answer, which begins with
 * a header of its own.
 *
 *	modprobe torus_edu
 *	torusctl node set F 0-1 driver on
 *	echo torus_edu > /sys/bus/torus/devices/F:0.0.0/driver_override
 *	echo F:0.0.0 > /sys/bus/torus/drivers_probe
 */
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/kref.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/torus_bus.h>
#include <linux/torus_port.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#define EDU_ALL_ONES	(~0u)
/* No machine has longer packets: a node that is gone has a length of all ones. */
#define EDU_BYTES_MAX	4096
/* Time after which the driver does not rely on an interrupt. */
#define EDU_PERIOD	HZ
/* Packets enter by this FIFO: a normal one on each machine. */
#define EDU_FIFO	0

static bool edu_echo;
module_param_named(echo, edu_echo, bool, 0444);
MODULE_PARM_DESC(echo, "answer packets from the interrupt handler; the answer is in the packet");

/**
 * struct edu - a node that the driver is bound to
 * @ref: one reference for the bound driver, one per open file
 * @td: the node; valid while @gone is false (@lock)
 * @lock: one call at a time moves a packet
 * @gone: the driver was unbound (@lock)
 * @events: interrupts, and one event when the driver is unbound
 * @wait: tasks that wait for an event
 * @misc: the file
 * @name: name of the file
 * @timer: wakes the tasks if no interrupt does
 * @irq: interrupts: a packet has arrived, space is free
 * @bytes: longest packet in bytes
 * @chunk_bytes: bytes of a chunk, the unit of FIFO levels
 * @header_words: words of a packet's header
 * @answer: one handler at a time answers; the two interrupts may be on two processors
 * @words: the packet that the handler answers (@answer)
 */
struct edu {
	struct kref ref;
	struct torus_device *td;
	struct mutex lock;	/* a packet's words are moved as one */
	bool gone;
	atomic_t events;
	wait_queue_head_t wait;
	struct miscdevice misc;
	char name[96];
	struct timer_list timer;
	int irq[2];
	u32 bytes;
	u32 chunk_bytes;
	u32 header_words;
	spinlock_t answer;	/* a packet's words are moved as one */
	u32 words[EDU_BYTES_MAX / sizeof(u32)];
};

static void edu_free(struct kref *ref)
{
	struct edu *edu = container_of(ref, struct edu, ref);

	mutex_destroy(&edu->lock);
	kfree(edu);
}

/* ------------------------------------------------------------------ interrupts */

static void edu_event(struct edu *edu)
{
	atomic_inc(&edu->events);
	wake_up_interruptible_all(&edu->wait);
}

/* Any context: acknowledge first. */
static void edu_acknowledge(struct edu *edu)
{
	torus_write32(edu->td, TORUS_PORT_ACKNOWLEDGE,
		      TORUS_PORT_STATUS_RECEIVE | TORUS_PORT_STATUS_INJECT);
}

static void edu_answer(struct edu *edu);

/*
 * Hard interrupt context. In virtual time the acknowledgement would end the episode, so the handler
 * is busy until it has answered.
 */
static irqreturn_t edu_interrupt(int irq, void *data)
{
	struct edu *edu = data;

	torus_busy(edu->td);
	edu_acknowledge(edu);
	if (edu_echo)
		edu_answer(edu);
	else
		edu_event(edu);
	torus_idle(edu->td);
	return IRQ_HANDLED;
}

static void edu_period(struct timer_list *timer)
{
	struct edu *edu = container_of(timer, struct edu, timer);

	edu_acknowledge(edu);
	edu_event(edu);
	mod_timer(&edu->timer, jiffies + EDU_PERIOD);
}

static void edu_free_interrupts(struct edu *edu)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(edu->irq); i++)
		if (edu->irq[i] > 0)
			free_irq(edu->irq[i], edu);
}

static int edu_request_interrupts(struct edu *edu)
{
	static const u32 cause[] = { TORUS_PORT_CAUSE_RECEIVE, TORUS_PORT_CAUSE_INJECT };
	int irq, err;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(edu->irq); i++) {
		irq = torus_device_irq(edu->td, cause[i]);
		if (irq < 0)
			return irq;
		err = request_irq(irq, edu_interrupt, 0, "torus_edu", edu);
		if (err)
			return err;
		edu->irq[i] = irq;
	}
	return 0;
}

/* ------------------------------------------------------------------ FIFOs */

/*
 * Return: the number of a reception FIFO with a packet; -EAGAIN; -ENODEV if the node is gone. The
 * caller has locked @edu: a node that is not gone stays.
 */
static int edu_readable(struct edu *edu)
{
	u32 readable;

	if (edu->gone)
		return -ENODEV;
	readable = torus_read32(edu->td, TORUS_PORT_READABLE);
	if (readable == EDU_ALL_ONES)
		return -ENODEV;
	return readable ? __ffs(readable) : -EAGAIN;
}

/* Return: 0 if the injection FIFO has space for @bytes, -EAGAIN, or -ENODEV. @edu is locked. */
static int edu_writable(struct edu *edu, u32 bytes)
{
	u32 space;

	if (edu->gone)
		return -ENODEV;
	space = torus_read32(edu->td, TORUS_PORT_AT_FIFO(TORUS_PORT_SPACE, EDU_FIFO));
	if (space == EDU_ALL_ONES)
		return -ENODEV;
	return space >= DIV_ROUND_UP(bytes, edu->chunk_bytes) ? 0 : -EAGAIN;
}

/*
 * Read the first packet of a FIFO. A packet that is longer than the buffer stays in the FIFO.
 * Return: its length in bytes, -EMSGSIZE, or -ENODEV.
 */
static ssize_t edu_receive(struct edu *edu, u32 fifo, u32 *words, size_t size)
{
	u32 count, i;

	count = torus_read32(edu->td, TORUS_PORT_AT_FIFO(TORUS_PORT_WORDS, fifo));
	if (count > edu->bytes / sizeof(*words))
		return -ENODEV;
	if (count * sizeof(*words) > size)
		return -EMSGSIZE;
	for (i = 0; i < count; i++)
		words[i] = torus_read32(edu->td, TORUS_PORT_AT_FIFO(TORUS_PORT_READ_DATA, fifo));
	return count * sizeof(*words);
}

/*
 * Write a packet into the injection FIFO, which has space. The node finds the end of the packet by
 * its header. If the header's length is not @count words, the packet is sent with zeros at its end,
 * or without the other words, so that the next packet does not continue it. Return: 0; -EINVAL for
 * such a packet; -ENODEV.
 */
static int edu_send(struct edu *edu, const u32 *words, u32 count)
{
	u32 missing = 1, sent;

	for (sent = 0; sent < edu->bytes / sizeof(*words) && missing; sent++) {
		torus_write32(edu->td, TORUS_PORT_AT_FIFO(TORUS_PORT_WRITE_DATA, EDU_FIFO),
			      sent < count ? words[sent] : 0);
		missing = torus_read32(edu->td, TORUS_PORT_AT_FIFO(TORUS_PORT_MISSING, EDU_FIFO));
	}
	if (missing == EDU_ALL_ONES)
		return -ENODEV;
	return sent == count ? 0 : -EINVAL;
}

/*
 * Hard interrupt context: answer all packets that have arrived. If the injection FIFO has no space,
 * the others are answered at the interrupt that reports space. The node stays while its interrupts
 * are requested.
 */
static void edu_answer(struct edu *edu)
{
	ssize_t bytes;
	int fifo;

	spin_lock(&edu->answer);
	while ((fifo = edu_readable(edu)) >= 0 && !edu_writable(edu, edu->bytes)) {
		bytes = edu_receive(edu, fifo, edu->words, edu->bytes);
		if (bytes < 0)
			break;
		bytes /= sizeof(*edu->words);
		if (bytes > edu->header_words)
			edu_send(edu, edu->words + edu->header_words, bytes - edu->header_words);
	}
	spin_unlock(&edu->answer);
}

/* ------------------------------------------------------------------ the file */

static struct edu *edu_of(struct file *file)
{
	return file->private_data;
}

/* misc_open() and misc_deregister() exclude each other, so the driver still has its reference. */
static int edu_open(struct inode *inode, struct file *file)
{
	struct edu *edu = container_of(file->private_data, struct edu, misc);

	kref_get(&edu->ref);
	file->private_data = edu;
	return nonseekable_open(inode, file);
}

static int edu_release(struct inode *inode, struct file *file)
{
	kref_put(&edu_of(file)->ref, edu_free);
	return 0;
}

static ssize_t edu_read(struct file *file, char __user *to, size_t size, loff_t *at)
{
	struct edu *edu = edu_of(file);
	ssize_t got = -EAGAIN;
	u32 *words;
	int fifo, events;

	words = kmalloc(edu->bytes, GFP_KERNEL);
	if (!words)
		return -ENOMEM;
	while (got == -EAGAIN) {
		events = atomic_read(&edu->events);
		if (mutex_lock_interruptible(&edu->lock)) {
			got = -ERESTARTSYS;
			break;
		}
		fifo = edu_readable(edu);
		got = fifo < 0 ? fifo : edu_receive(edu, fifo, words, size);
		mutex_unlock(&edu->lock);
		if (got != -EAGAIN || file->f_flags & O_NONBLOCK)
			break;
		if (wait_event_interruptible(edu->wait, atomic_read(&edu->events) != events))
			got = -ERESTARTSYS;
	}
	if (got > 0 && copy_to_user(to, words, got))
		got = -EFAULT;
	kfree(words);
	return got;
}

static ssize_t edu_write(struct file *file, const char __user *from, size_t size, loff_t *at)
{
	struct edu *edu = edu_of(file);
	int err = -EAGAIN, events;
	u32 *words;

	if (!size || size % sizeof(*words) || size > edu->bytes)
		return -EINVAL;
	words = memdup_user(from, size);
	if (IS_ERR(words))
		return PTR_ERR(words);
	while (err == -EAGAIN) {
		events = atomic_read(&edu->events);
		if (mutex_lock_interruptible(&edu->lock)) {
			err = -ERESTARTSYS;
			break;
		}
		err = edu_writable(edu, edu->bytes) ?: edu_send(edu, words, size / sizeof(*words));
		mutex_unlock(&edu->lock);
		if (err != -EAGAIN || file->f_flags & O_NONBLOCK)
			break;
		if (wait_event_interruptible(edu->wait, atomic_read(&edu->events) != events))
			err = -ERESTARTSYS;
	}
	kfree(words);
	return err ?: size;
}

static __poll_t edu_poll(struct file *file, poll_table *table)
{
	struct edu *edu = edu_of(file);
	__poll_t ready = 0;

	poll_wait(file, &edu->wait, table);
	mutex_lock(&edu->lock);
	if (edu->gone)
		ready = EPOLLHUP | EPOLLERR;
	else if (edu_readable(edu) >= 0)
		ready |= EPOLLIN | EPOLLRDNORM;
	if (!edu->gone && !edu_writable(edu, edu->bytes))
		ready |= EPOLLOUT | EPOLLWRNORM;
	mutex_unlock(&edu->lock);
	return ready;
}

static const struct file_operations edu_file_ops = {
	.owner = THIS_MODULE,
	.open = edu_open,
	.release = edu_release,
	.read = edu_read,
	.write = edu_write,
	.poll = edu_poll,
};

/* ------------------------------------------------------------------ bind and unbind */

static int edu_start(struct edu *edu)
{
	int err = edu_request_interrupts(edu);

	if (err)
		return err;
	torus_write32(edu->td, TORUS_PORT_ENABLE,
		      TORUS_PORT_STATUS_RECEIVE | TORUS_PORT_STATUS_INJECT);
	/* The timer's accesses would make a run in virtual time differ from the next. */
	if (edu_echo)
		return 0;
	mod_timer(&edu->timer, jiffies + EDU_PERIOD);
	edu->misc = (struct miscdevice){
		.minor = MISC_DYNAMIC_MINOR,
		.name = edu->name,
		.fops = &edu_file_ops,
		.parent = &edu->td->dev,
		.mode = 0600,
	};
	return misc_register(&edu->misc);
}

static void edu_stop(struct edu *edu)
{
	timer_shutdown_sync(&edu->timer);
	torus_write32(edu->td, TORUS_PORT_ENABLE, 0);
	edu_free_interrupts(edu);
}

static int edu_probe(struct torus_device *td, const struct torus_device_id *id)
{
	struct edu *edu;
	int err;

	if (torus_read32(td, TORUS_PORT_MAGIC) != TORUS_PORT_MAGIC_VALUE ||
	    torus_read32(td, TORUS_PORT_VERSION) != TORUS_PORT_ABI_VERSION)
		return -ENODEV;
	edu = kzalloc(sizeof(*edu), GFP_KERNEL);
	if (!edu)
		return -ENOMEM;
	kref_init(&edu->ref);
	mutex_init(&edu->lock);
	spin_lock_init(&edu->answer);
	init_waitqueue_head(&edu->wait);
	timer_setup(&edu->timer, edu_period, 0);
	edu->td = td;
	edu->chunk_bytes = torus_read32(td, TORUS_PORT_CHUNK_BYTES);
	edu->bytes = torus_read32(td, TORUS_PORT_PACKET_CHUNKS) * edu->chunk_bytes;
	edu->header_words = DIV_ROUND_UP(torus_read32(td, TORUS_PORT_HEADER_BYTES), sizeof(u32));
	if (edu->chunk_bytes > EDU_BYTES_MAX || edu->bytes > EDU_BYTES_MAX) {
		kref_put(&edu->ref, edu_free);
		return -ENODEV;
	}
	snprintf(edu->name, sizeof(edu->name), "torus_edu-%s", dev_name(&td->dev));
	torus_set_drvdata(td, edu);
	err = edu_start(edu);
	if (err) {
		edu_stop(edu);
		kref_put(&edu->ref, edu_free);
	}
	return err;
}

static void edu_remove(struct torus_device *td)
{
	struct edu *edu = torus_get_drvdata(td);

	if (!edu_echo)
		misc_deregister(&edu->misc);
	mutex_lock(&edu->lock);
	edu->gone = true;
	mutex_unlock(&edu->lock);
	edu_event(edu);
	edu_stop(edu);
	kref_put(&edu->ref, edu_free);
}

static struct torus_driver edu_driver = {
	.driver = { .name = "torus_edu" },
	.probe = edu_probe,
	.remove = edu_remove,
};
module_torus_driver(edu_driver);

MODULE_DESCRIPTION("Example driver of the torus bus: packets by read() and write()");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(TORUS_BUS);
