// SPDX-License-Identifier: GPL-2.0
/*
 * Exchange packets between two nodes of a Blue Gene/L fabric without libtorus: raw FABRIC NODE NODE
 *
 * <linux/torus.h> describes the pages, the rings and the barriers (B), (C), (D) and (F).
 */
#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <linux/torus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#define PAYLOAD	(TORUS_BGL_HEADER_BYTES + TORUS_BGL_SOFTWARE_BYTES)

struct node {
	int fd;
	struct torus_ioc_info info;
	char *status, *control, *inject, *receive[TORUS_BGL_RECEIVE_FIFOS];
};

static void *map(const struct node *node, int kind, int ring, size_t bytes, int prot)
{
	void *at = mmap(NULL, bytes, prot, MAP_SHARED, node->fd, TORUS_MAP_TOKEN(kind, ring));

	if (at == MAP_FAILED)
		err(1, "mmap");
	return at;
}

static void attach(struct node *node, const char *fabric, const char *number)
{
	struct torus_ioc_info *info = &node->info;
	struct torus_ioc_attach ask = { 0 };
	char *end;
	int i;

	ask.node = strtoul(number, &end, 0);
	if (end == number || *end)
		errx(2, "node %s: must be a number", number);
	snprintf(ask.fabric, sizeof(ask.fabric), "%s", fabric);
	node->fd = open("/dev/torus", O_RDWR);
	if (node->fd < 0 || ioctl(node->fd, TORUS_IOC_ATTACH, &ask) ||
	    ioctl(node->fd, TORUS_IOC_INFO, info))
		err(1, "fabric %s node %s", fabric, number);
	if (strcmp(info->arch, "bgl"))
		errx(1, "fabric %s: arch is %s, must be bgl", fabric, info->arch);
	node->status = map(node, TORUS_MAP_STATUS, 0, info->page_bytes, PROT_READ);
	node->control = map(node, TORUS_MAP_CONTROL, 0, info->page_bytes, PROT_READ | PROT_WRITE);
	node->inject = map(node, TORUS_MAP_INJECT, 0, info->inject_chunks * info->chunk_bytes,
			   PROT_READ | PROT_WRITE);
	for (i = 0; i < TORUS_BGL_RECEIVE_FIFOS; i++)
		node->receive[i] = map(node, TORUS_MAP_RECEIVE, i,
				       info->receive_chunks * info->chunk_bytes, PROT_READ);
}

/* Ring the doorbell after an index was moved, if the kernel has set the flag that asks for it. */
static void doorbell(const struct node *node, __u32 flag)
{
	const __u32 *flags = (void *)(node->status + node->info.status_flags_offset);

	__atomic_thread_fence(__ATOMIC_SEQ_CST);			/* (F) */
	if (__atomic_load_n(flags, __ATOMIC_RELAXED) & flag && ioctl(node->fd, TORUS_IOC_DOORBELL))
		err(1, "doorbell");
}

/* Write a packet of one chunk into injection ring 0, which has space because it is empty. */
static void post(const struct node *node, const struct node *to, const char *text)
{
	struct torus_control_inject *control =
		(void *)(node->control + node->info.control_inject_offset);
	__u32 at = control->tail % node->info.inject_chunks, *packet;

	packet = (void *)(node->inject + at * node->info.chunk_bytes);
	packet[0] = htonl(TORUS_BGL_DYNAMIC | to->info.coords[0] << TORUS_BGL_X_SHIFT);
	packet[1] = htonl(to->info.coords[1] << TORUS_BGL_Y_SHIFT |
			  to->info.coords[2] << TORUS_BGL_Z_SHIFT);
	strcpy((char *)packet + PAYLOAD, text);
	__atomic_store_n(&control->tail, control->tail + 1, __ATOMIC_RELEASE);	/* (B) */
	doorbell(node, TORUS_STATUS_DOORBELL);
}

/* Wait until a reception ring has a packet, print its text, and free its chunk. */
static void receive(const struct node *node)
{
	const struct torus_ioc_info *info = &node->info;
	struct torus_ioc_wait wait = { .events = EPOLLIN, .timeout_ms = -1 };
	const struct torus_status_receive *status;
	struct torus_control_receive *control;
	__u32 i, at;

	for (i = 0;; i = (i + 1) % TORUS_BGL_RECEIVE_FIFOS) {
		status = (void *)(node->status + info->status_receive_offset +
				  i * info->status_receive_stride);
		control = (void *)(node->control + info->control_receive_offset +
				   i * info->control_receive_stride);
		if (__atomic_load_n(&status->tail, __ATOMIC_ACQUIRE) != control->head)	/* (C) */
			break;
		if (!i && ioctl(node->fd, TORUS_IOC_WAIT, &wait) < 0)
			err(1, "wait");
	}
	at = control->head % info->receive_chunks;
	printf("node %u received: %.*s\n", info->node, (int)(info->chunk_bytes - PAYLOAD),
	       node->receive[i] + at * info->chunk_bytes + PAYLOAD);
	__atomic_store_n(&control->head, control->head + 1, __ATOMIC_RELEASE);	/* (D) */
	doorbell(node, TORUS_STATUS_HEAD);
}

int main(int argc, char **argv)
{
	struct node a, b;

	if (argc != 4)
		errx(2, "usage: raw FABRIC NODE NODE");
	attach(&a, argv[1], argv[2]);
	attach(&b, argv[1], argv[3]);
	post(&a, &b, "ping");
	receive(&b);
	post(&b, &a, "pong");
	receive(&a);
	if (fflush(stdout))
		err(1, "standard output");
	return 0;
}
