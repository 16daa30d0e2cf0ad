// SPDX-License-Identifier: GPL-2.0
/* See rig.h. */
#include <pthread.h>

#include "arch/arch.h"
#include "rig.h"
#include "core/run/windows.h"

bool rig_soak(void)
{
	const char *soak = getenv("TORUS_SOAK");

	return soak && *soak == '1';
}

static void set(struct torus_config *cfg, char *setting)
{
	char *value = strchr(setting, '=');
	struct torus_error err;

	assert_non_null(value);
	*value++ = '\0';
	if (!strcmp(setting, "seed"))
		cfg->seed = strtoull(value, NULL, 0);
	else if (!strcmp(setting, "domains"))
		cfg->domains = (u32)strtoul(value, NULL, 0);
	else if (torus_config_set(cfg, setting, value, &err))
		fail_msg("%s", err.text);
}

void rig_config(struct torus_config *cfg, const char *arch, const char *shape,
		const char *settings)
{
	char text[512], *at, *save = NULL;
	u32 dims[TORUS_DIMS_MAX], n = 0, mesh = 0;
	struct torus_error err;

	assert_int_equal(torus_arch_config(cfg, arch, &err), 0);
	while (*shape) {
		char *end;

		dims[n] = (u32)strtoul(shape, &end, 10);
		if (*end == 'm') {
			mesh |= 1u << n;
			end++;
		}
		n++;
		shape = *end ? end + 1 : end;
	}
	if (torus_config_shape(cfg, n, dims, mesh, &err))
		fail_msg("%s", err.text);
	snprintf(text, sizeof(text), "%s", settings);
	for (at = strtok_r(text, " ", &save); at; at = strtok_r(NULL, " ", &save))
		set(cfg, at);
}

struct torus_fabric *rig_make_arch(const char *arch, const char *shape, const char *settings)
{
	struct torus_fabric *f;
	struct torus_config cfg;
	struct torus_error err;

	rig_config(&cfg, arch, shape, settings);
	if (torus_fabric_create(&cfg, &f, &err))
		fail_msg("%s", err.text);
	return f;
}

u32 rig_node(struct torus_fabric *f, u32 x, u32 y, u32 z)
{
	u32 coords[TORUS_DIMS_MAX] = { x, y, z };

	return torus_geometry_node(&f->cfg.geo, coords);
}

static u32 find_reg(struct torus_fabric *f, const char *name)
{
	u32 i;

	for (i = 0; i < *f->arch->nregs; i++)
		if (!strcmp(f->arch->regs[i].name, name))
			return f->arch->regs[i].offset;
	fail_msg("no register %s", name);
	return 0;
}

u32 rig_reg(struct torus_fabric *f, u32 node, const char *name)
{
	struct torus_error err;
	u32 value = 0;

	assert_int_equal(f->arch->reg_read(f, node, find_reg(f, name), &value, &err), 0);
	return value;
}

void rig_reg_set(struct torus_fabric *f, u32 node, const char *name, u32 value)
{
	struct torus_error err;

	if (f->arch->reg_write(f, node, find_reg(f, name), value, &err))
		fail_msg("%s", err.text);
}

void rig_count(struct torus_fabric *f)
{
	struct torus_check check;

	assert_int_equal(torus_check_fabric(f, &check), 0);
	assert_true(check.conserved);
	assert_int_equal(check.wrong, 0);
	assert_int_equal(check.bubbles, 0);
}

void rig_empty(struct torus_fabric *f)
{
	u32 node, dir;

	rig_count(f);
	assert_int_equal(torus_fabric_in_flight(f), 0);
	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++) {
			struct torus_domain *d = torus_domain_of(f, node);

			if (torus_geometry_neighbor(&f->cfg.geo, node, dir) == TORUS_NONE)
				continue;
			assert_false(f->router->link_busy(f, node, dir));
			if (d->links && torus_link_at(d, node, dir)->live)
				assert_int_equal(torus_link_at(d, node, dir)->bytes, 0);
		}
	for (dir = 0; dir < f->ndomains; dir++) {
		assert_int_equal(f->domain[dir].pool.used, 0);
		assert_int_equal(f->domain[dir].bodies.used, 0);
	}
}

void rig_drain(struct torus_fabric *f)
{
	assert_int_equal(torus_fabric_run(f, ~0ull - 1, 0, 1), TORUS_RUN_IDLE);
}

/* ---------------------------------------------------------------- packets */

struct torus_packet rig_packet(struct torus_fabric *f, u32 src, u32 dst, u32 chunks)
{
	struct torus_packet p;
	static u32 seq;

	memset(&p, 0, sizeof(p));
	p.next = TORUS_NONE;
	p.src = src;
	p.dst = dst;
	p.seq = seq++;
	p.body = TORUS_NONE;
	p.born = torus_fabric_clock(f);
	p.entered = p.born;
	f->arch->make(f, &p, chunks);
	assert_int_equal(f->arch->inject_route(f, src, &p), 0);
	return p;
}

void rig_inject(struct torus_fabric *f, u32 fifo, const struct torus_packet *packet)
{
	struct torus_domain *d = torus_domain_of(f, packet->src);
	u32 pkt = torus_pool_get(&d->pool);

	assert_int_not_equal(pkt, TORUS_NONE);
	assert_true(f->router->inject_room(f, packet->src, fifo) >= packet->chunks);
	torus_pool_fill(&d->pool, pkt, packet);
	torus_stats_inject(d, torus_packet_at(d, pkt));
	f->router->inject(d, packet->src, fifo, pkt);
	f->router->touch(f, packet->src);
}

void rig_place(struct torus_fabric *f, u32 node, u32 dir, u32 vc,
	       const struct torus_packet *packet)
{
	assert_int_equal(f->router->place(f, node, dir, vc, packet), 0);
}

/* ------------------------------------------------------------------ trace */

static void on_event(struct torus_tracer *w, struct torus_domain *d, u32 what, u32 node,
		     u32 dir, u32 vc, const struct torus_packet *p)
{
	struct rig_trace *t = (struct rig_trace *)w;
	struct rig_step *s;

	if (!(t->kinds >> what & 1))
		return;
	if (t->n == t->cap) {
		t->cap = t->cap ? 2 * t->cap : 1024;
		t->step = realloc(t->step, t->cap * sizeof(*t->step));
	}
	s = &t->step[t->n++];
	*s = (struct rig_step){
		.at = d->now, .born = p->born, .what = what, .node = node, .dir = dir, .vc = vc,
		.src = p->src, .dst = p->dst, .seq = p->seq, .hops = p->hops,
		.chunks = p->chunks, .flags = p->flags,
	};
	memcpy(s->header, p->header, sizeof(s->header));
}

void rig_trace_start(struct torus_fabric *f, struct rig_trace *trace, u32 kinds)
{
	assert_int_equal(f->ndomains, 1);
	memset(trace, 0, sizeof(*trace));
	trace->tracer.event = on_event;
	trace->kinds = kinds;
	f->domain[0].tracer = &trace->tracer;
}

void rig_trace_free(struct rig_trace *trace)
{
	free(trace->step);
	trace->step = NULL;
	trace->n = 0;
	trace->cap = 0;
}

const struct rig_step *rig_find(const struct rig_trace *trace, u32 what, u32 node, u32 i)
{
	u32 j;

	for (j = 0; j < trace->n; j++)
		if (trace->step[j].what == what &&
		    (node == TORUS_NONE || trace->step[j].node == node) && !i--)
			return &trace->step[j];
	return NULL;
}

u32 rig_times(const struct rig_trace *trace, u32 what, u32 node)
{
	u32 n = 0;

	while (rig_find(trace, what, node, n))
		n++;
	return n;
}

/* ----------------------------------------------------------- faults, traffic */

void rig_fault(struct torus_fabric *f, const struct torus_fault *fault)
{
	struct torus_error err;

	if (torus_fault_set(f, fault, &err))
		fail_msg("%s", err.text);
}

struct torus_link_counters rig_link(struct torus_fabric *f, u32 node, u32 dir)
{
	struct torus_link_counters c;

	torus_link_counters(f, node, dir, &c);
	return c;
}

struct torus_link_view rig_view(struct torus_fabric *f, u32 node, u32 dir)
{
	struct torus_link_view v;

	torus_link_view(f, node, dir, &v);
	return v;
}

void rig_start(struct torus_fabric *f, const struct torus_traffic *t)
{
	struct torus_error err;

	if (torus_traffic_start(f, t, &err))
		fail_msg("%s", err.text);
}

void rig_load(struct torus_fabric *f, u32 percent, u32 min, u32 max, u64 cycles)
{
	const struct torus_traffic t = {
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = min, .size_max = max,
		.load = ((u64)percent << 32) / 100, .cycles = cycles,
	};

	rig_start(f, &t);
}

void rig_packets(struct torus_fabric *f, u64 packets, u32 min, u32 max)
{
	const struct torus_traffic t = {
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = min, .size_max = max,
		.packets = packets,
	};

	rig_start(f, &t);
}

struct rig_worker {
	struct torus_fabric *f;
	u32 thread;
};

static void *work(void *arg)
{
	struct rig_worker *w = arg;

	torus_fabric_work(w->f, w->thread);
	return NULL;
}

bool rig_step(struct torus_fabric *f, u64 budget, u32 threads)
{
	struct rig_worker worker[8];
	pthread_t id[8];
	bool more;
	u32 i;

	assert_true(threads <= 8);
	threads = torus_traffic_runs(f) ? threads : 1;
	for (i = 1; i < threads; i++) {
		worker[i] = (struct rig_worker){ f, i };
		assert_int_equal(pthread_create(&id[i], NULL, work, &worker[i]), 0);
	}
	more = torus_traffic_step(f, budget, threads);
	for (i = 1; i < threads; i++)
		pthread_join(id[i], NULL);
	return more;
}

struct torus_result rig_finish(struct torus_fabric *f, u64 budget, u32 threads)
{
	struct torus_result r;

	while (rig_step(f, budget, threads))
		;
	torus_traffic_result(f, &r);
	return r;
}

u64 rig_hash(struct torus_fabric *f, u32 percent, u32 min, u32 max, u64 cycles, u32 threads)
{
	struct torus_result r;

	rig_load(f, percent, min, max, cycles);
	r = rig_finish(f, 0, threads);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.conservation, 1);
	assert_int_equal(r.tokens, 1);
	assert_true(r.delivered > 1000);
	torus_fabric_destroy(f);
	return r.hash;
}

/* ---------------------------------------------------------------- clients */

static u32 client_pull(void *client, u32 fifo, u32 room, u8 *bytes, u32 *number)
{
	struct rig_client *c = client;
	struct rig_message *m = &c->out[c->pulled];

	if (c->pulled == c->outs || m->fifo != fifo || m->chunks > room)
		return 0;
	memcpy(bytes, m->bytes, m->chunks * c->f->arch->chunk_bytes);
	*number = RIG_NUMBER + c->pulled++;
	return m->chunks;
}

static void client_refused(void *client, u32 fifo, u32 code)
{
	struct rig_client *c = client;
	struct rig_message *m = &c->out[c->pulled - 1];

	assert_int_equal(m->fifo, fifo);
	m->refused = true;
	m->code = code;
	c->refusals++;
}

static void client_accepted(void *client, u32 fifo)
{
	struct rig_client *c = client;

	assert_int_equal(c->out[c->pulled - 1].fifo, fifo);
	c->accepts++;
}

static bool client_push(void *client, u32 fifo, const u8 *bytes, u32 chunks)
{
	struct rig_client *c = client;
	struct rig_message *m;

	if (!c->credits)
		return false;
	assert_true(c->ins < RIG_RING);
	c->credits--;
	m = &c->in[c->ins++];
	memcpy(m->bytes, bytes, chunks * c->f->arch->chunk_bytes);
	m->chunks = (u8)chunks;
	m->fifo = (u8)fifo;
	m->at = torus_domain_of(c->f, c->node)->now;
	return true;
}

static void client_notify(void *client)
{
	((struct rig_client *)client)->notified++;
}

static void client_lost(void *client, const struct torus_lost_packet *loss)
{
	struct rig_client *c = client;

	assert_true(c->losses < RIG_RING);
	assert_int_equal(loss->src, c->node);
	assert_int_equal(loss->generation, c->generation);
	assert_int_equal(loss->sender, c->group);
	c->loss[c->losses++] = *loss;
}

static void client_ended(void *client, u64 completed)
{
	struct rig_client *c = client;

	assert_true(completed > c->completed && completed <= c->accepts);
	c->completed = completed;
}

static void client_interrupt(void *client, bool receive, u32 fifo)
{
	((struct rig_client *)client)->interrupts++;
}

static const struct torus_nic_ops client_ops = {
	.pull = client_pull,
	.refused = client_refused,
	.accepted = client_accepted,
	.push = client_push,
	.notify = client_notify,
	.interrupt = client_interrupt,
	.lost = client_lost,
	.ended = client_ended,
};

void rig_attach(struct rig_client *c, struct torus_fabric *f, u32 node, u32 group,
		bool priority)
{
	struct torus_error err;

	memset(c, 0, sizeof(*c));
	c->f = f;
	c->node = node;
	c->group = group;
	c->credits = RIG_RING;
	c->out = calloc(RIG_RING, sizeof(*c->out));
	c->in = calloc(RIG_RING, sizeof(*c->in));
	c->loss = calloc(RIG_RING, sizeof(*c->loss));
	if (torus_nic_attach(f, node, group, priority, &client_ops, c, &c->generation, &err))
		fail_msg("%s", err.text);
}

void rig_detach(struct rig_client *c)
{
	if (c->f)
		torus_nic_detach(c->f, c->node, c->group);
	c->f = NULL;
}

void rig_client_free(struct rig_client *c)
{
	rig_detach(c);
	free(c->out);
	free(c->in);
	free(c->loss);
	memset(c, 0, sizeof(*c));
}

void rig_bytes(u8 *bytes, const u8 *header, u32 chunks, u32 mark)
{
	u64 rng = torus_random_seed(1, 7, mark);
	u32 i;

	memcpy(bytes, header, 8);
	memcpy(bytes + 8, &mark, sizeof(mark));
	for (i = 12; i < chunks * 32; i++)
		bytes[i] = (u8)(torus_random(&rng) >> 32);
}

u32 rig_mark(const u8 *bytes, u32 chunks)
{
	u8 right[256];
	u32 mark;

	memcpy(&mark, bytes + 8, sizeof(mark));
	rig_bytes(right, bytes, chunks, mark);
	return memcmp(right + 8, bytes + 8, chunks * 32 - 8) ? ~0u : mark;
}

void rig_settle(struct torus_fabric *f)
{
	bool moved;

	do {
		moved = torus_nic_poll(f);
		torus_fabric_run(f, ~0ull - 1, 0, 1);
		moved |= torus_nic_poll(f);
	} while (moved);
}
