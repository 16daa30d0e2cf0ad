// SPDX-License-Identifier: GPL-2.0
/*
 * Send a packet between two nodes of a Blue Gene/L fabric without libtorus: raw FABRIC NODE NODE
 *
 * <linux/torus.h> describes the pages, the rings and the barriers (B), (C), (D) and (F).
 */
#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <linux/torus.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#define PAYLOAD	(TORUS_BGL_HEADER_BYTES + TORUS_BGL_SOFTWARE_BYTES)

static struct torus_ioc_info attach(int fd, const char *fabric, const char *node)
{
	struct torus_ioc_attach ask = { 0 };
	struct torus_ioc_info info;
	char rest;

	if (sscanf(node, "%u%c", &ask.node, &rest) != 1)
		errx(2, "node %s: must be a number", node);
	snprintf(ask.fabric, sizeof(ask.fabric), "%s", fabric);
	if (fd < 0 || ioctl(fd, TORUS_IOC_ATTACH, &ask) || ioctl(fd, TORUS_IOC_INFO, &info))
		err(1, "fabric %s node %s", fabric, node);
	if (strcmp(info.arch, "bgl"))
		errx(1, "fabric %s: machine %s: must be bgl", fabric, info.arch);
	return info;
}

static char *map(int fd, int kind, int ring, size_t bytes, int prot)
{
	char *at = mmap(NULL, bytes, prot, MAP_SHARED, fd, TORUS_MAP_TOKEN(kind, ring));

	if (at == MAP_FAILED)
		err(1, "mmap");
	return at;
}

/* Ring the doorbell after an index was moved, if the kernel has set the flag that asks for it. */
static void doorbell(int fd, const struct torus_ioc_info *info, const char *status, __u32 flag)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);				/* (F) */
	if (__atomic_load_n((__u32 *)(status + info->status_flags_offset), __ATOMIC_RELAXED) &
	    flag && ioctl(fd, TORUS_IOC_DOORBELL))
		err(1, "doorbell");
}

/* Write a packet of one chunk into injection ring 0, which is empty. @to: receiver's coordinates */
static void post(int fd, const struct torus_ioc_info *info, const __u32 *to, const char *text)
{
	char *status = map(fd, TORUS_MAP_STATUS, 0, info->page_bytes, PROT_READ);
	char *control = map(fd, TORUS_MAP_CONTROL, 0, info->page_bytes, PROT_READ | PROT_WRITE);
	__u32 *packet = (void *)map(fd, TORUS_MAP_INJECT, 0, info->inject_chunks *
				    info->chunk_bytes, PROT_READ | PROT_WRITE);
	struct torus_control_inject *ring = (void *)(control + info->control_inject_offset);

	packet[0] = htonl(TORUS_BGL_DYNAMIC | to[0] << TORUS_BGL_X_SHIFT);
	packet[1] = htonl(to[1] << TORUS_BGL_Y_SHIFT | to[2] << TORUS_BGL_Z_SHIFT);
	strcpy((char *)packet + PAYLOAD, text);
	__atomic_store_n(&ring->tail, ring->tail + 1, __ATOMIC_RELEASE);	/* (B) */
	doorbell(fd, info, status, TORUS_STATUS_DOORBELL);
}

/* Wait for the first packet, in chunk 0 of any ring, print its text, and free its chunk. */
static void receive(int fd, const struct torus_ioc_info *info)
{
	char *status = map(fd, TORUS_MAP_STATUS, 0, info->page_bytes, PROT_READ);
	char *control = map(fd, TORUS_MAP_CONTROL, 0, info->page_bytes, PROT_READ | PROT_WRITE);
	struct torus_ioc_wait wait = { .events = EPOLLIN, .timeout_ms = -1 };
	struct torus_status_receive *filled;
	struct torus_control_receive *read;
	__u32 i;

	if (ioctl(fd, TORUS_IOC_WAIT, &wait) < 0)
		err(1, "wait");
	for (i = 0; i < info->receive_fifos; i++) {
		filled = (void *)(status + info->status_receive_offset +
				  i * info->status_receive_stride);
		read = (void *)(control + info->control_receive_offset +
				i * info->control_receive_stride);
		if (__atomic_load_n(&filled->tail, __ATOMIC_ACQUIRE) == read->head)	/* (C) */
			continue;
		printf("node %u received: %.*s\n", info->node, (int)(info->chunk_bytes - PAYLOAD),
		       map(fd, TORUS_MAP_RECEIVE, i, info->receive_chunks * info->chunk_bytes,
			   PROT_READ) + PAYLOAD);
		__atomic_store_n(&read->head, read->head + 1, __ATOMIC_RELEASE);	/* (D) */
	}
	doorbell(fd, info, status, TORUS_STATUS_HEAD);
}

int main(int argc, char **argv)
{
	int from = open("/dev/torus", O_RDWR), to = open("/dev/torus", O_RDWR);
	struct torus_ioc_info sender, receiver;

	if (argc != 4)
		errx(2, "usage: raw FABRIC NODE NODE");
	sender = attach(from, argv[1], argv[2]);
	receiver = attach(to, argv[1], argv[3]);
	post(from, &sender, receiver.coords, "ping");
	receive(to, &receiver);
	if (fflush(stdout))
		err(1, "standard output");
	return 0;
}
