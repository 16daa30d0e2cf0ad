// SPDX-License-Identifier: GPL-2.0
/*
 * A program outside the tree, built with pkg-config: it prints the error of a failing attach, and a
 * number from a route map.
 */
#include <stdio.h>
#include <torus/message.h>
#include <torus/route.h>

int main(int argc, char **argv)
{
	const struct torus_attach_config config = { .device = "/nonexistent" };
	const __u32 dims[] = { 8, 8, 8 };
	struct torus_route_choice choice;
	struct torus_context *context;
	struct torus_route_map *map;

	if (!torus_context_attach(&context, argc > 1 ? argv[1] : "none", 0, &config))
		return 1;
	printf("%s\n", torus_error_text());
	if (torus_route_map_new(&map, dims, 3, 0) || torus_route_kill_node(map, 1) ||
	    !torus_route_choose(map, 0, 2, 0, NULL, &choice))
		return 1;
	printf("%u hops around the dead node\n", choice.hops);
	torus_route_map_free(map);
	return 0;
}
