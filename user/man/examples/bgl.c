// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <stdio.h>
#include <torus/bgl.h>

int main(int argc, char **argv)
{
	const char *fabric = argc > 1 ? argv[1] : "demo";
	const __u32 dest[3] = { 1, 0, 0 };
	struct torus_context *here, *there;
	struct torus_bgl_header header;
	unsigned char packet[32] = { 0 };

	if (torus_context_attach_at(&here, fabric, "0,0,0", NULL) ||
	    torus_context_attach_at(&there, fabric, "1,0,0", NULL))
		errx(1, "%s", torus_error_text());
	torus_bgl_header_init(&header, TORUS_ROUTE_DYNAMIC, dest, 0, sizeof(packet));
	header.hints = TORUS_BGL_HINT_XP;
	header.software = 2;
	if (torus_bgl_header_build(packet, &header) ||
	    torus_inject_packet(here, TORUS_FIFO_ANY, packet, sizeof(packet), -1) ||
	    torus_receive_packet(there, TORUS_FIFO_ANY, packet, sizeof(packet), -1) < 0)
		errx(1, "%s", torus_error_text());
	torus_bgl_header_parse(packet, &header);
	printf("software's bits are %u, the hardware's sequence number is %u\n",
	       header.software, header.sequence);
	torus_context_detach(there);
	torus_context_detach(here);
	return 0;
}
