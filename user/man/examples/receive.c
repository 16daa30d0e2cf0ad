// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <poll.h>
#include <stdio.h>
#include <torus/torus.h>

int main(int argc, char **argv)
{
	const char *fabric = argc > 1 ? argv[1] : "demo";
	struct torus_context *here, *there;
	unsigned char packet[32] = { 0 };
	struct torus_view view;
	struct pollfd pollfd;

	if (torus_context_attach_at(&here, fabric, "0,0,0", NULL) ||
	    torus_context_attach_at(&there, fabric, "0,1,0", NULL) ||
	    torus_packet_begin(here, packet, sizeof(packet), torus_context_info(there)->node, 0,
			       TORUS_ROUTE_DYNAMIC) < 0 ||
	    torus_inject_packet(here, TORUS_FIFO_ANY, packet, sizeof(packet), -1))
		errx(1, "%s", torus_error_text());
	/* Among other files that the program waits for */
	pollfd = (struct pollfd){ .fd = torus_context_fd(there), .events = POLLIN };
	if (poll(&pollfd, 1, -1) < 0)
		err(1, "poll");
	if (torus_receive_peek(there, TORUS_FIFO_ANY, &view))
		errx(1, "%s", torus_error_text());
	printf("%zu bytes in FIFO %u, read where they lie\n", view.bytes, view.fifo);
	if (torus_receive_advance(there, &view))
		errx(1, "%s", torus_error_text());
	torus_context_detach(there);
	torus_context_detach(here);
	return 0;
}
