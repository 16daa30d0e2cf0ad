// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <stdio.h>
#include <torus/route.h>

int main(void)
{
	const __u32 dims[] = { 4, 4, 4 };
	struct torus_route_choice choice;
	struct torus_route_map *map;

	if (torus_route_map_new(&map, dims, 3, 0))
		errx(1, "no memory");
	/* From 0,0,0 to 2,0,0 the way through 1,0,0 is barred; that through 3,0,0 is not. */
	if (torus_route_kill_node(map, 1))
		errx(1, "no memory");
	if (torus_route_choose(map, 0, 2, TORUS_ROUTE_IN_ORDER, NULL, &choice))
		printf("%u hops by hints 0x%02x\n", choice.hops, choice.leg[0].hints);
	torus_route_map_free(map);
	return 0;
}
