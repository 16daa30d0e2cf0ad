// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <stdio.h>
#include <torus/torus.h>

#define PACKETS	8

int main(int argc, char **argv)
{
	const char *fabric = argc > 1 ? argv[1] : "demo";
	unsigned char packets[PACKETS][32] = { { 0 } }, packet[32];
	struct torus_packet_buffer many[PACKETS];
	struct torus_context *here, *there;
	int sent, i;

	if (torus_context_attach_at(&here, fabric, "0,0,0", NULL) ||
	    torus_context_attach_at(&there, fabric, "1,1,0", NULL))
		errx(1, "%s", torus_error_text());
	for (i = 0; i < PACKETS; i++) {
		many[i] = (struct torus_packet_buffer){ packets[i], sizeof(packets[i]) };
		if (torus_packet_begin(here, packets[i], sizeof(packets[i]),
				       torus_context_info(there)->node, 0,
				       TORUS_ROUTE_ORDERED) < 0)
			errx(1, "%s", torus_error_text());
	}
	/* As many as there is room for now; the others would be for another call. */
	sent = torus_inject_many(here, 0, many, PACKETS);
	if (sent < 0)
		errx(1, "%s", torus_error_text());
	for (i = 0; i < sent; i++)
		if (torus_receive_packet(there, TORUS_FIFO_ANY, packet, sizeof(packet), -1) < 0)
			errx(1, "%s", torus_error_text());
	printf("%d packets sent and received, %d refused\n", sent,
	       torus_inject_refused(here, NULL));
	torus_context_detach(there);
	torus_context_detach(here);
	return 0;
}
