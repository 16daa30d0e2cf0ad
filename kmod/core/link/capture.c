// SPDX-License-Identifier: GPL-2.0
/*
 * Capture records of packets on links: struct torus_wire of <linux/torus.h>, and the bytes. On a
 * live link, each transmitted copy has a record (TORUS_TRACE_WIRE). A link that is not live
 * transmits each packet once and unchanged, so each hop yields one record.
 */
#include "core/base/node_number.h"
#include "core/link/corruption.h"
#include "core/link/link.h"
#include "core/link/capture.h"
#include "core/state/trace.h"

/**
 * torus_link_capture_wanted() - check whether to record an event in a capture
 * @d: the domain
 * @what: enum torus_trace_event
 * @node: the sender
 * @dir: the link's direction
 *
 * Return: true for exactly one event of each transmission on a link.
 */
bool torus_link_capture_wanted(struct torus_domain *d, u32 what, u32 node, u32 dir)
{
	if (what == TORUS_TRACE_WIRE)
		return true;
	return what == TORUS_TRACE_HOP && !(d->links && torus_link_at(d, node, dir)->live);
}

/**
 * torus_link_capture_record() - make the capture record of a transmission
 * @d: the domain
 * @what: enum torus_trace_event, of which torus_link_capture_wanted() is true
 * @node: the sender
 * @dir: the link's direction
 * @vc: the VC
 * @p: the packet
 * @wire: [out] the record
 * @bytes: [out] @wire->bytes bytes, at most TORUS_LINK_CAPTURE_BYTES
 */
void torus_link_capture_record(struct torus_domain *d, u32 what, u32 node, u32 dir, u32 vc,
			       const struct torus_packet *p, struct torus_wire *wire, u8 *bytes)
{
	const struct torus_geometry *geo = &d->f->cfg.geo;
	const struct torus_arch *arch = d->f->arch;
	const struct torus_tracer *w = d->tracer;
	bool live = what == TORUS_TRACE_WIRE, invalid = p->flags & TORUS_PACKET_INVALID;
	u32 seq = live ? p->link_seq : torus_link_packets(d, node, dir) - 1;
	u32 length = torus_link_wire_image(d, p, seq, bytes), sent = live ? p->sent : 1;

	if (live && w->image)
		memcpy(bytes, w->image, length);
	*wire = (struct torus_wire){
		.tick = d->now + (live ? 0 : w->about),
		.node = torus_node_number(geo, node),
		.peer = torus_node_number(geo, torus_link_peer(d->f, node, dir)),
		.src = torus_node_number(geo, p->src), .dst = torus_node_number(geo, p->dst),
		.seq = p->seq, .link_seq = (u16)seq, .bytes = (u16)length,
		.dir = (u8)dir, .vc = (u8)vc, .attempt = (u8)(sent < 255 ? sent : 255),
		.flags = live ? (u8)w->about : invalid ? TORUS_WIRE_INVALID : 0,
		.header_bytes = (u8)arch->header_bytes,
		.crc_bytes = (u8)arch->crc_bytes, .crc_at = (u8)arch->crc_at,
	};
	scnprintf(wire->arch, sizeof(wire->arch), "%s", arch->name);
}
