// SPDX-License-Identifier: GPL-2.0
/*
 * Send packets to drivers until a signal ends it: load FABRIC NODE DESTINATION..
 *
 * Packets of 1 chunk up to the longest go to FIFO group 0 of each destination in turn. If one
 * destination takes none, no packet is sent any more, which the fabric's counters show.
 */
#include <err.h>
#include <stdlib.h>
#include <torus/torus.h>

#define PACKET_MAX	2048	/* longer than the packets of any machine */

int main(int argc, char **argv)
{
	const struct torus_ioc_info *info;
	unsigned char packet[PACKET_MAX];
	struct torus_context *context;
	__u32 chunks = 0;
	int at = 3;

	if (argc < 4)
		errx(2, "usage: load FABRIC NODE DESTINATION..");
	if (torus_context_attach_at(&context, argv[1], argv[2], NULL))
		errx(1, "%s", torus_error_text());
	info = torus_context_info(context);
	for (;;) {
		size_t bytes = (size_t)(chunks + 1) * info->chunk_bytes;

		if (torus_packet_begin(context, packet, bytes, (__u32)strtoul(argv[at], NULL, 0), 0,
				       TORUS_ROUTE_ORDERED) < 0 ||
		    torus_inject_packet(context, TORUS_FIFO_ANY, packet, bytes, -1))
			errx(1, "%s", torus_error_text());
		chunks = (chunks + 1) % info->packet_chunks_max;
		at = at + 1 < argc ? at + 1 : 3;
	}
}
