// SPDX-License-Identifier: GPL-2.0
/* See scene.h. */
#include "arch/bgl/bgl.h"
#include "scene.h"
#include "core/run/windows.h"

void scene_open(struct trace_scene *s, const char *settings, u32 seed)
{
	char text[256];

	snprintf(text, sizeof(text), "%s seed=%u", settings, seed);
	s->f = rig_make("4x4x4", text);
	s->node = rig_node(s->f, 1, 1, 1);
	rig_trace_start(s->f, &s->trace, 1u << TORUS_TRACE_HOP);
}

void scene_close(struct trace_scene *s)
{
	rig_census(s->f);
	rig_drain(s->f);
	rig_at_rest(s->f);
	rig_trace_free(&s->trace);
	torus_fabric_destroy(s->f);
}

u32 scene_vc(const struct trace_scene *s, u32 vc)
{
	if (vc == TORUS_BGL_BP)
		return s->f->vcs - 1;
	return vc == TORUS_BGL_BN && s->f->vcs > 4 ? 4 : vc;
}

u32 scene_target(const struct trace_scene *s, u32 hints)
{
	u32 coords[TORUS_DIMS_MAX], dir;

	torus_geometry_coords(&s->f->cfg.geo, s->node, coords);
	for (dir = 0; dir < BGL_DIRS; dir++)
		if (hints & bgl_hint_bit(dir))
			coords[TORUS_DIM(dir)] = (coords[TORUS_DIM(dir)] + (dir & 1 ? 3 : 1)) % 4;
	return torus_geometry_node(&s->f->cfg.geo, coords);
}

void scene_fill(struct trace_scene *s, u32 dir, u32 vc, u32 packets, u32 chunks)
{
	u32 peer = torus_geometry_neighbor(&s->f->cfg.geo, s->node, dir);

	while (packets--) {
		struct torus_packet p = rig_packet_on(s->f, s->node, peer, chunks, vc, 0);

		rig_place(s->f, peer, dir, scene_vc(s, vc), &p);
	}
}

u32 scene_transit(struct trace_scene *s, u32 from, u32 vc, u32 hints, u32 chunks)
{
	struct torus_packet p = rig_packet_on(s->f, 0, scene_target(s, hints), chunks, vc, hints);

	rig_place(s->f, s->node, from, scene_vc(s, vc), &p);
	return p.seq;
}

u32 scene_inject(struct trace_scene *s, u32 fifo, u32 vc, u32 hints, u32 chunks)
{
	struct torus_packet p = rig_packet_on(s->f, s->node, scene_target(s, hints), chunks, vc,
					      hints);

	rig_inject(s->f, fifo, &p);
	return p.seq;
}

const struct rig_step *scene_left(struct trace_scene *s, u64 until, u32 i)
{
	torus_fabric_run(s->f, until, 0, 1);
	return rig_find(&s->trace, TORUS_TRACE_HOP, s->node, i);
}

u64 scene_when(struct trace_scene *s, u32 seq)
{
	const struct rig_step *step;
	u32 i;

	for (i = 0; (step = rig_find(&s->trace, TORUS_TRACE_HOP, s->node, i)); i++)
		if (step->seq == seq)
			return step->at;
	return ~0ull;
}
