// SPDX-License-Identifier: GPL-2.0
/* Print a fabric as text. */
#include <stdio.h>

#include "group_count.h"
#include "text.h"
#include "../parse/shape.h"

static void print_shape(const struct torus_ioc_fabric *fabric)
{
	char text[PARSE_SHAPE_MAX], dim[PARSE_DIM_MAX];
	const struct torus_machine *machine = torus_machine_find(fabric->arch);
	unsigned int d;

	printf("%s: %s %s", fabric->name, fabric->arch,
	       parse_shape_text(fabric->nshape, fabric->shape, text, sizeof(text)));
	if (fabric->mesh)
		fputs(" mesh ", stdout);
	for (d = 0; d < fabric->ndims; d++)
		if (fabric->mesh >> d & 1)
			fputs(parse_dim_name(d, dim, sizeof(dim)), stdout);
	if (machine)
		printf(" (%s)", machine->title);
	printf(", %u nodes, %s\n", fabric->nodes,
	       fabric->traffic ? "a synthetic workload runs" : info_state_name(fabric->state));
}

static void print_clock(const struct torus_ioc_fabric *fabric)
{
	double tick_ns = fabric->tick_fs / 1e6;

	printf("    clock     %llu ticks (%.6g us), a tick is %.6g ns\n",
	       (unsigned long long)fabric->clock, fabric->clock * tick_ns / 1e3, tick_ns);
}

static void print_census(const struct info_census *census)
{
	const struct torus_ioc_fabric *fabric = &census->fabric;

	printf("    groups    %u per node; %zu in total: %zu free, %zu held by you, %zu held by "
	       "others, %zu forbidden, %zu dead\n", fabric->groups, census->count,
	       census->of[INFO_FREE],
	       census->of[INFO_MINE], census->of[INFO_HELD], census->of[INFO_FORBIDDEN],
	       census->of[INFO_DEAD]);
	printf("    nodes     %zu with a free group, %zu with only free groups\n",
	       census->nodes_free, census->nodes_whole);
}

static void print_limits(const struct torus_ioc_fabric *fabric)
{
	int out = __builtin_popcount(fabric->inject_priority);
	int in = __builtin_popcount(fabric->receive_priority);

	printf("    packets   up to %u bytes, in chunks of %u\n",
	       fabric->packet_chunks_max * fabric->chunk_bytes, fabric->chunk_bytes);
	printf("    FIFOs     per group: %u injection (%d priority), %u reception (%d priority), "
	       "%u chunks deep\n", fabric->inject_fifos, out, fabric->receive_fifos, in,
	       fabric->fifo_chunks);
	printf("    rings     injection %u chunks, reception %u chunks by default; at most %u "
	       "chunks\n", fabric->inject_chunks, fabric->receive_chunks, fabric->ring_chunks_max);
	printf("    no reader packets for a group that no program has opened %s\n",
	       fabric->hold ? "wait there (no_listener hold)" : "are lost (no_listener drop)");
}

static void print_nodes(const struct info_census *census)
{
	const struct torus_ioc_fabric *fabric = &census->fabric;
	char where[PARSE_COORDS_MAX];
	size_t place;

	for (place = 0; place < census->count; place++) {
		const struct torus_group *group = &census->groups[place];

		if (!group->group) {
			printf("    %u: %s", group->node,
			       query_text(fabric, group->node, where, sizeof(where)));
			if (group->partition)
				printf(" partition %u", group->partition);
		}
		printf(" %s", info_group_name(info_group(group)));
		if (group->group + 1 == (int)fabric->groups)
			putchar('\n');
	}
}

/**
 * info_text - print a fabric
 * @census: the fabric and its groups
 * @nodes: print a line per node with its groups in order
 */
void info_text(const struct info_census *census, bool nodes)
{
	const struct torus_ioc_fabric *fabric = &census->fabric;

	print_shape(fabric);
	print_clock(fabric);
	if (!fabric->inject_fifos) {
		puts("    programs  cannot attach: the machine has no FIFOs for them here");
		return;
	}
	print_census(census);
	print_limits(fabric);
	if (nodes)
		print_nodes(census);
}
