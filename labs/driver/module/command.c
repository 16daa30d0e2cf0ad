// SPDX-License-Identifier: GPL-2.0
/*
 * Commands: a program writes one to /sys/kernel/debug/torus_lab/command, and reads its result from
 * the same open file. Numbers are hexadecimal; NAME is that of a device.
 *
 *	send NAME WORD...	let the driver of the node send a packet
 *	receive NAME		let the driver of the node receive a packet
 *	put NAME WORD...	send a packet from a node of the lab
 *	take NAME		take a packet that a node of the lab has received
 *	register NAME OFFSET	read a register, without a record
 *	fake NAME OFFSET VALUE	reads of the register return the value; 0 0: no register
 *	irqs NAME 0|1		torus_device_irq() fails, or works
 *	left NAME		handlers after the last remove(), and the register ENABLE
 *	hook NAME EVENT OFFSET VALUE ACTION [PEER WORD...]
 *	hooked NAME		1: the hook has not run yet
 *	go NAME			let a hook continue
 *	clear			clear the record
 *
 * The result is one decimal number, negative for an error, and the words of a packet.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "record.h"

#define COMMAND_MAX	1024

/**
 * struct lab_call - an open file
 * @text: the command, then the result
 * @node: node of the command, or NULL
 * @count: words of the packet
 * @words: the packet, in both directions
 */
struct lab_call {
	char text[COMMAND_MAX];
	struct lab_node *node;
	u32 count;
	u32 words[TORUS_LAB_WORDS];
};

static struct dentry *lab_directory;

/* Call the driver of the node, which must be attached. */
static int call_driver(struct lab_call *call, bool send)
{
	struct lab_node *node = call->node;
	int ret = -ENODEV;

	down_read(&node->attached);
	if (node->driver && send) {
		atomic_inc(&node->senders);
		ret = node->driver->send(node->td, call->words, call->count);
		lab_release_tail(node);
	} else if (node->driver) {
		ret = node->driver->receive(node->td, call->words);
		call->count = ret > 0 ? min_t(u32, ret, TORUS_LAB_WORDS) : 0;
	}
	up_read(&node->attached);
	return ret;
}

static int call_put(struct lab_call *call)
{
	u32 i;

	if (lab_node_read(call->node, TORUS_PORT_SPACE) < TORUS_LAB_WORDS / 8)
		return -EAGAIN;
	for (i = 0; i < call->count; i++)
		lab_node_write(call->node, TORUS_PORT_WRITE_DATA, call->words[i]);
	return 0;
}

static int call_take(struct lab_call *call)
{
	u32 readable = lab_node_read(call->node, TORUS_PORT_READABLE), fifo, i;

	call->count = 0;
	if (!readable || readable == ~0u)
		return 0;
	fifo = __ffs(readable);
	call->count = min_t(u32, TORUS_LAB_WORDS,
			    lab_node_read(call->node, TORUS_PORT_AT_FIFO(TORUS_PORT_WORDS, fifo)));
	for (i = 0; i < call->count; i++)
		call->words[i] = lab_node_read(call->node,
					       TORUS_PORT_AT_FIFO(TORUS_PORT_READ_DATA, fifo));
	return call->count;
}

/* @words: event, register, value, action; then the packet of @peer. */
static int call_hook(struct lab_call *call, struct lab_node *peer)
{
	struct lab_hook *hook = &call->node->hook;

	if (call->count < 4)
		return -EINVAL;
	atomic_set(&hook->event, LAB_NEVER);
	atomic_set(&call->node->senders, 0);
	WRITE_ONCE(call->node->first, NULL);
	hook->go = false;
	hook->offset = call->words[1];
	hook->value = call->words[2];
	hook->action = call->words[3];
	hook->peer = peer;
	hook->count = call->count - 4;
	memcpy(hook->words, call->words + 4, hook->count * sizeof(u32));
	atomic_set(&hook->event, call->words[0]);
	return 0;
}

static int call_node(struct lab_call *call, const char *name, struct lab_node *peer)
{
	struct lab_node *node = call->node;
	u32 sent = call->count;

	if (!strcmp(name, "send") || !strcmp(name, "receive")) {
		int ret = call_driver(call, *name == 's');

		call->count = *name == 's' ? 0 : call->count;
		return ret;
	}
	if (!strcmp(name, "take"))
		return call_take(call);
	call->count = 0;
	if (!strcmp(name, "hooked"))
		return !!atomic_read(&node->hook.event);
	if (!strcmp(name, "go")) {
		WRITE_ONCE(node->hook.go, true);
		return 0;
	}
	if (!strcmp(name, "left")) {
		call->count = 1;
		call->words[0] = node->enabled_left;
		return node->irqs_left;
	}
	call->count = sent;
	if (!strcmp(name, "put"))
		return call_put(call);
	if (!strcmp(name, "hook"))
		return call_hook(call, peer);
	if (!strcmp(name, "register")) {
		call->words[0] = lab_node_read(node, call->words[0]);
		call->count = 1;
		return 0;
	}
	if (!strcmp(name, "fake")) {
		node->fake_value = call->words[1];
		WRITE_ONCE(node->fake, call->words[0]);
		return 0;
	}
	if (strcmp(name, "irqs"))
		return -EINVAL;
	WRITE_ONCE(node->no_irq, !call->words[0]);
	return 0;
}

/* Parse the words of a packet; a word that begins with a slash names the peer. */
static int call_words(struct lab_call *call, char *text, struct lab_node **peer)
{
	char *word;

	while ((word = strsep(&text, " "))) {
		if (*word == '/') {
			lab_node_put(*peer);
			*peer = lab_node_get(word + 1);
			if (!*peer)
				return -ENODEV;
			continue;
		}
		if (call->count == TORUS_LAB_WORDS ||
		    kstrtou32(word, 16, call->words + call->count))
			return -EINVAL;
		call->count++;
	}
	return 0;
}

static int call_run(struct lab_call *call)
{
	char *text = strim(call->text), *name = strsep(&text, " "), *device = strsep(&text, " ");
	struct lab_node *peer = NULL;
	int ret;

	call->count = 0;
	if (!strcmp(name, "clear")) {
		lab_record_clear();
		return 0;
	}
	call->node = device ? lab_node_get(device) : NULL;
	if (!call->node)
		return -ENODEV;
	ret = call_words(call, text, &peer) ?: call_node(call, name, peer);
	lab_node_put(peer);
	lab_node_put(call->node);
	return ret;
}

static ssize_t command_write(struct file *file, const char __user *from, size_t size, loff_t *at)
{
	struct lab_call *call = file->private_data;
	size_t length;
	u32 i;
	int ret;

	if (size >= COMMAND_MAX)
		return -EINVAL;
	if (copy_from_user(call->text, from, size))
		return -EFAULT;
	call->text[size] = 0;
	ret = call_run(call);
	length = scnprintf(call->text, COMMAND_MAX, "%d", ret);
	for (i = 0; i < call->count; i++)
		length += scnprintf(call->text + length, COMMAND_MAX - length, " %x",
				    call->words[i]);
	return size;
}

static ssize_t command_read(struct file *file, char __user *to, size_t size, loff_t *at)
{
	struct lab_call *call = file->private_data;
	loff_t start = 0;

	return simple_read_from_buffer(to, size, &start, call->text, strlen(call->text));
}

static int command_open(struct inode *inode, struct file *file)
{
	struct lab_call *call = kzalloc(sizeof(*call), GFP_KERNEL);

	file->private_data = call;
	return call ? 0 : -ENOMEM;
}

static int command_release(struct inode *inode, struct file *file)
{
	kfree(file->private_data);
	return 0;
}

static const struct file_operations command_ops = {
	.owner = THIS_MODULE,
	.open = command_open,
	.release = command_release,
	.read = command_read,
	.write = command_write,
};

int lab_commands_init(void)
{
	int err;

	lab_directory = debugfs_create_dir("torus_lab", NULL);
	err = lab_record_init(lab_directory);
	if (err)
		debugfs_remove(lab_directory);
	else
		debugfs_create_file_unsafe("command", 0600, lab_directory, NULL, &command_ops);
	return err;
}

void lab_commands_exit(void)
{
	debugfs_remove(lab_directory);
	lab_record_exit();
}
