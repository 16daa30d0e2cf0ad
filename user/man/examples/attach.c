// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <stdio.h>
#include <torus/torus.h>

int main(int argc, char **argv)
{
	const struct torus_attach_config config = { .group = 1, .inject_chunks = 1024 };
	const char *fabric = argc > 1 ? argv[1] : "demo";
	const struct torus_ioc_info *info;
	struct torus_context *context;

	if (torus_context_attach_at(&context, fabric, "1,0,0", &config))
		errx(1, "%s", torus_error_text());
	info = torus_context_info(context);
	printf("node %u of %u, %s: %u injection FIFOs behind rings of %u chunks of %u bytes\n",
	       info->node, info->nodes, info->arch, info->inject_fifos, info->inject_chunks,
	       info->chunk_bytes);
	torus_context_detach(context);
	return 0;
}
