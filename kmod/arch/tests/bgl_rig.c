// SPDX-License-Identifier: GPL-2.0
/* See bgl_rig.h. */
#include "arch/bgl/bgl.h"
#include "core/state/completion.h"
#include "bgl_rig.h"

struct torus_fabric *rig_make(const char *shape, const char *settings)
{
	return rig_make_arch("bgl", shape, settings);
}

void rig_start_refused(const struct torus_traffic *t, const char *why)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct torus_error err;

	assert_true(torus_traffic_start(f, t, &err) < 0);
	assert_says(err.text, why);
	torus_fabric_destroy(f);
}

/*
 * Pack the buffer capacities in chunks as the registers report them: D0, D1, the first escape VC
 * and BP, one byte each.
 */
static u32 capacities(struct torus_fabric *f)
{
	const u8 *capacity = bgl_machine(f)->capacity;
	u32 escape = f->vcs > 4 ? 4 : TORUS_BGL_BN;

	return (u32)capacity[0] << 24 | capacity[1] << 16 | capacity[escape] << 8 |
	       capacity[f->vcs - 1];
}

/* Check that no register reports a count of tokens or chunks outside 0..capacity. */
static void check_ranges(struct torus_fabric *f)
{
	u32 capacity = capacities(f), node, dir, byte;

	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++) {
			u32 tokens = bgl_vc_tokens(f, node, dir);
			u32 full = bgl_vc_fullness(f, node, dir);

			for (byte = 0; byte < 32; byte += 8) {
				u32 most = capacity >> byte & 0xff;

				assert_true((tokens >> byte & 0xff) <= most);
				assert_true((full >> byte & 0xff) <= most);
			}
		}
}

void rig_census(struct torus_fabric *f)
{
	rig_count(f);
	check_ranges(f);
}

void rig_at_rest(struct torus_fabric *f)
{
	u32 all = capacities(f), node, dir;

	rig_empty(f);
	check_ranges(f);
	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++) {
			assert_int_equal(bgl_vc_fullness(f, node, dir), 0);
			if (torus_geometry_neighbor(&f->cfg.geo, node, dir) != TORUS_NONE)
				assert_int_equal(bgl_vc_tokens(f, node, dir), all);
		}
}

struct torus_packet rig_packet_on(struct torus_fabric *f, u32 src, u32 dst, u32 chunks, u32 vc,
				  u32 hints)
{
	struct torus_packet p = rig_packet(f, src == dst ? (src + 1) % f->nodes : src, dst, chunks);
	struct bgl_fields *fields = bgl_fields(&p);

	p.src = src;
	fields->hints = (u8)hints;
	fields->vc = (u8)vc;
	fields->dynamic = vc <= TORUS_BGL_D1;
	p.flags = vc == TORUS_BGL_BP ? TORUS_PACKET_PRIORITY : 0;
	return p;
}

struct rig_message *rig_send(struct rig_client *c, u32 dst, u32 pid, u32 chunks, bool dynamic,
			     u32 mark)
{
	struct rig_message *m = &c->out[c->outs++];
	struct bgl_header h = { .pid = (u8)pid, .chunks = (u8)chunks, .dynamic = dynamic };
	u32 coords[TORUS_DIMS_MAX];
	u8 header[8];

	assert_true(c->outs <= RIG_RING);
	torus_geometry_coords(&c->f->cfg.geo, dst, coords);
	h.dest[0] = (u8)coords[0];
	h.dest[1] = (u8)coords[1];
	h.dest[2] = (u8)coords[2];
	h.vc = dynamic ? TORUS_BGL_D0 : TORUS_BGL_BN;
	bgl_header_pack(&h, header);
	memset(m, 0, sizeof(*m));
	m->chunks = (u8)chunks;
	rig_bytes(m->bytes, header, chunks, mark);
	return m;
}

u32 rig_losses(const struct rig_client *c, u32 number, u32 flags)
{
	u32 i, n = 0;

	for (i = 0; i < c->losses; i++)
		n += c->loss[i].number == RIG_NUMBER + number && c->loss[i].flags == flags;
	return n;
}

void rig_ends(const struct rig_client *c, u32 clients)
{
	u32 i, j, lost, reported;

	for (i = 0; i < clients; i++) {
		u32 *seen = calloc(c[i].outs + 1, sizeof(*seen));

		for (j = 0; j < clients; j++) {
			u32 k;

			for (k = 0; k < c[j].ins; k++) {
				u32 mark = rig_mark(c[j].in[k].bytes, c[j].in[k].chunks);

				if (mark >> 16 == i)
					seen[mark & 0xffff]++;
			}
		}
		for (j = 0, reported = 0; j < c[i].outs; j++) {
			lost = rig_losses(&c[i], j, 0);
			assert_int_equal(seen[j] + lost, !c[i].out[j].refused);
			reported += lost;
		}
		assert_int_equal(reported, c[i].losses);
		assert_int_equal(c[i].completed, c[i].accepts);
		free(seen);
	}
}

u32 rig_losses_by(const struct rig_client *c, u32 reason)
{
	u32 i, n = 0;

	for (i = 0; i < c->losses; i++)
		n += c->loss[i].reason == reason;
	return n;
}
