// SPDX-License-Identifier: GPL-2.0
/* The record of a driver's accesses: the last ones are lost if it is full. */
#include <linux/debugfs.h>
#include <linux/preempt.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>

#include "record.h"

#define ENTRIES	16384

/**
 * struct lab_entry - equal accesses without another one in between
 * @node: node of the lab
 * @offset: register
 * @value: value that was read or written
 * @times: number of accesses
 * @write: they were writes
 * @handler: they were made by an interrupt handler
 */
struct lab_entry {
	const struct lab_node *node;
	u32 offset;
	u32 value;
	u32 times;
	bool write;
	bool handler;
};

/* Protects the record. */
static DEFINE_RAW_SPINLOCK(record_lock);
static struct lab_entry *record;
static u32 record_used;
static atomic_t record_handlers;

void lab_record_add(const struct lab_node *node, bool write, u32 offset, u32 value)
{
	struct lab_entry entry = { node, offset, value, 1, write, in_hardirq() }, *last;
	unsigned long flags;

	raw_spin_lock_irqsave(&record_lock, flags);
	last = record_used ? &record[record_used - 1] : NULL;
	if (last && last->node == node && last->offset == offset && last->value == value &&
	    last->write == write && last->handler == entry.handler)
		last->times++;
	else if (record_used < ENTRIES)
		record[record_used++] = entry;
	raw_spin_unlock_irqrestore(&record_lock, flags);
	if (entry.handler)
		atomic_inc(&record_handlers);
}

u32 lab_record_in_handlers(void)
{
	return atomic_read(&record_handlers);
}

void lab_record_clear(void)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&record_lock, flags);
	record_used = 0;
	raw_spin_unlock_irqrestore(&record_lock, flags);
}

/* A line of an entry: r or w, offset, value, number, and h in a handler. */
static int record_show(struct seq_file *file, void *unused)
{
	u32 used = READ_ONCE(record_used), i;

	for (i = 0; i < used; i++)
		seq_printf(file, "%c %x %x %u %c\n", record[i].write ? 'w' : 'r', record[i].offset,
			   record[i].value, record[i].times, record[i].handler ? 'h' : 't');
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(record);

int lab_record_init(struct dentry *directory)
{
	record = vzalloc(array_size(ENTRIES, sizeof(*record)));
	if (!record)
		return -ENOMEM;
	debugfs_create_file("record", 0400, directory, NULL, &record_fops);
	return 0;
}

void lab_record_exit(void)
{
	vfree(record);
}
