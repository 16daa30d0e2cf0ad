// SPDX-License-Identifier: GPL-2.0
/*
 * Send one packet from a node to another, without the message layer:
 *
 * packet FABRIC NODE			receive one
 * packet FABRIC NODE DESTINATION TEXT	send one
 */
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <torus/torus.h>

#define PACKET_MAX	2048	/* longer than the packets of any machine */

static void send(struct torus_context *context, const char *destination, const char *text)
{
	const struct torus_ioc_info *info = torus_context_info(context);
	unsigned char packet[PACKET_MAX] = { 0 };
	struct torus_fabric_info fabric;
	size_t bytes;
	__u32 node;

	if (torus_fabric_find(info->fabric, &fabric) ||
	    torus_fabric_node(&fabric, destination, &node))
		errx(1, "%s", torus_error_text());

	/* A packet starts with the machine's header and has a whole number of chunks. */
	bytes = info->header_bytes + strlen(text) + 1;
	bytes = (bytes + info->chunk_bytes - 1) / info->chunk_bytes * info->chunk_bytes;
	if (bytes > (size_t)info->packet_chunks_max * info->chunk_bytes)
		errx(1, "the text is too long for a packet of this machine");
	if (torus_packet_begin(context, packet, bytes, node, 0, TORUS_ROUTE_DYNAMIC) < 0)
		errx(1, "%s", torus_error_text());
	strcpy((char *)packet + info->header_bytes, text);

	if (torus_inject_packet(context, TORUS_FIFO_ANY, packet, bytes, -1))
		errx(1, "%s", torus_error_text());
	/* Detaching is safe once the kernel has taken the packet out of the ring. */
	while (!torus_inject_idle(context))
		;
	printf("sent %zu bytes to node %u\n", bytes, node);
}

static void receive(struct torus_context *context)
{
	unsigned char packet[PACKET_MAX];
	int bytes = torus_receive_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet), -1);

	if (bytes < 0)
		errx(1, "%s", torus_error_text());
	printf("received %d bytes: %s\n", bytes,
	       (char *)packet + torus_context_info(context)->header_bytes);
}

int main(int argc, char **argv)
{
	struct torus_context *context;

	if (argc != 3 && argc != 5)
		errx(2, "usage: packet FABRIC NODE [DESTINATION TEXT]");
	if (torus_context_attach_at(&context, argv[1], argv[2], NULL))
		errx(1, "%s", torus_error_text());
	if (argc == 5)
		send(context, argv[3], argv[4]);
	else
		receive(context);
	torus_context_detach(context);
	if (fflush(stdout))
		err(1, "standard output");
	return 0;
}
