// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <torus/torus.h>

int main(int argc, char **argv)
{
	const char *fabric = argc > 1 ? argv[1] : "demo";
	struct torus_context *here, *there;
	unsigned char packet[64];
	int header, bytes;

	if (torus_context_attach_at(&here, fabric, "0,0,0", NULL) ||
	    torus_context_attach_at(&there, fabric, "1,1,0", NULL))
		errx(1, "%s", torus_error_text());
	memset(packet, 'x', sizeof(packet));
	header = torus_packet_begin(here, packet, sizeof(packet),
				    torus_context_info(there)->node, 0, TORUS_ROUTE_ORDERED);
	if (header < 0 || torus_inject_packet(here, TORUS_FIFO_ANY, packet, sizeof(packet), -1))
		errx(1, "%s", torus_error_text());
	bytes = torus_receive_packet(there, TORUS_FIFO_ANY, packet, sizeof(packet), -1);
	if (bytes < 0)
		errx(1, "%s", torus_error_text());
	printf("%d bytes, %d of them the machine's header\n", bytes, header);
	torus_context_detach(there);
	torus_context_detach(here);
	return 0;
}
