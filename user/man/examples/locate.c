// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <stdio.h>
#include <torus/torus.h>

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "demo";
	struct torus_fabric_info fabric;
	__u32 node;

	if (torus_fabric_find(name, &fabric) || torus_fabric_node(&fabric, "1,1,0", &node))
		errx(1, "%s", torus_error_text());
	printf("%s is a %s of %u nodes; 1,1,0 is number %u\n", fabric.name, fabric.arch,
	       fabric.nodes, node);
	if (torus_fabric_node(&fabric, "9,9,9", &node))
		printf("refused: %s\n", torus_error_text());
	return 0;
}
