// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <torus/torus.h>

int main(int argc, char **argv)
{
	const char *fabric = argc > 1 ? argv[1] : "demo";
	struct torus_interrupts interrupts;
	struct torus_context *context;
	int ret;

	if (torus_context_attach_at(&context, fabric, "0,0,0", NULL))
		errx(1, "%s", torus_error_text());
	/* The processor is for others: look once, and sleep. */
	torus_wait_tune(context, 1, 0);
	ret = torus_receive_wait(context, TORUS_FIFO_ANY, 50);
	printf("%s\n", ret == -ETIMEDOUT ? "nothing came in 50 ms" : "a packet came");
	if (!torus_interrupts_take(context, &interrupts))
		printf("no interrupts\n");
	torus_context_detach(context);
	return 0;
}
