// SPDX-License-Identifier: GPL-2.0
#include "link_pair.h"

void pair_open(struct link_pair *p, const char *settings, u32 seed)
{
	char text[256];

	snprintf(text, sizeof(text), "routing=deterministic seed=%u %s", seed, settings);
	p->f = rig_make("4x1x1", text);
	p->sent = 0;
	rig_trace_start(p->f, &p->trace, WATCH);
}

void pair_send(struct link_pair *p, u32 packets, u32 chunks)
{
	while (packets--) {
		struct torus_packet packet = rig_packet(p->f, 0, 1, chunks);

		if (!p->sent++)
			p->first = packet.seq;
		rig_inject(p->f, 0, &packet);
	}
}

void pair_close(struct link_pair *p)
{
	u32 i;

	rig_drain(p->f);
	assert_int_equal(rig_times(&p->trace, TORUS_TRACE_DELIVER, 1), p->sent);
	assert_int_equal(rig_times(&p->trace, TORUS_TRACE_DROP, TORUS_NONE), 0);
	for (i = 0; i < p->sent; i++)
		assert_int_equal(rig_find(&p->trace, TORUS_TRACE_DELIVER, 1, i)->seq, p->first + i);
	rig_at_rest(p->f);
	rig_trace_free(&p->trace);
	torus_fabric_destroy(p->f);
}

void link_set(struct torus_fabric *f, u32 what, u32 number)
{
	const struct torus_fault fault = {
		.what = what, .node = 0, .dir = XP, .state = number, .corrupt = number,
		.escape = number, .drop_ack = number, .corrupt_ack = number, .delay = number,
	};

	rig_fault(f, &fault);
}

void link_down(struct torus_fabric *f, u32 node, u32 dir, u64 at, u64 lasts)
{
	const struct torus_fault fault = {
		.what = TORUS_FAULT_STATE, .node = node, .dir = dir, .at = at, .lasts = lasts,
	};

	rig_fault(f, &fault);
}

void link_ber(struct torus_fabric *f, u64 rate, u64 at, u64 lasts)
{
	const struct torus_fault fault = {
		.what = TORUS_FAULT_BER, .node = TORUS_NONE, .dir = TORUS_NONE, .ber = rate,
		.at = at, .lasts = lasts,
	};

	rig_fault(f, &fault);
}
