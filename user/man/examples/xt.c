// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <stdio.h>
#include <torus/xt.h>

int main(int argc, char **argv)
{
	const char *fabric = argc > 1 ? argv[1] : "demo";
	const int fifo = TORUS_XT_FIFO(TORUS_XT_SECOND);
	struct torus_context *here, *there;
	struct torus_xt_header header;
	unsigned char packet[72] = { 0 };

	if (torus_context_attach_at(&here, fabric, "0,0,0", NULL) ||
	    torus_context_attach_at(&there, fabric, "1,0,0", NULL))
		errx(1, "%s", torus_error_text());
	torus_xt_header_init(&header, torus_context_info(there)->node, 0, sizeof(packet));
	header.vc = TORUS_XT_SECOND;
	header.software = 77;
	if (torus_xt_header_build(packet, &header) ||
	    torus_inject_packet(here, fifo, packet, sizeof(packet), -1) ||
	    torus_receive_packet(there, fifo, packet, sizeof(packet), -1) < 0)
		errx(1, "%s", torus_error_text());
	torus_xt_header_parse(packet, &header);
	printf("software's bits are %u, VC %u, %u flits\n", header.software, header.vc,
	       header.flits);
	torus_context_detach(there);
	torus_context_detach(here);
	return 0;
}
