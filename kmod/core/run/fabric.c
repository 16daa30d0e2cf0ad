// SPDX-License-Identifier: GPL-2.0
/*
 * A fabric: set up, run in YAWNS windows by one leader and its workers, taken
 * apart.
 */
#include "core/state/fabric.h"
#include "core/state/domain.h"
#include "core/link/link.h"
#include "core/nic/processor.h"
#include "core/nic/queue.h"
#include "core/load/table.h"
#include "core/load/workload.h"
#include "core/run/params.h"

/* ---------------------------------------------------------------- life cycle */

static u64 node_total(const struct torus_config *cfg)
{
	const struct torus_arch *arch = cfg->arch;
	u32 vcs = arch->router(cfg)->vcs;
	u64 dirs = 2 * cfg->geo.ndims;
	size_t cold = 0, hot = arch->node_bytes(cfg, &cold);

	return hot + cold + torus_queues_node_bytes(cfg) +
	       dirs * (2 * vcs + 2) * sizeof(u32) +	/* hot counters, link CRCs */
	       arch->groups * sizeof(u32) +			/* generations */
	       2 * sizeof(u32) + 4;				/* touched, again */
}

u64 torus_config_bytes(const struct torus_config *cfg)
{
	return cfg->geo.nodes * node_total(cfg) +
	       (u64)cfg->domains * (sizeof(struct torus_domain) +
				    TORUS_SEGMENTS_MAX * sizeof(void *) +
				    2 * cfg->domains * sizeof(struct torus_mailbox));
}

static void domain_free(struct torus_domain *d)
{
	struct torus_fabric *f = d->f;
	u32 i, j;

	torus_wheel_free(&d->wheel);
	torus_pool_free(&d->pool);
	torus_bodies_free(&d->bodies);
	torus_free(d->nodes, (size_t)d->count * d->node_bytes);
	torus_free(d->touched, ((size_t)d->count * 2 + 2) * sizeof(u32));
	torus_free(d->again, ((size_t)d->count + 2) * sizeof(u32));
	torus_free(d->received, (size_t)d->received_room * sizeof(*d->received));
	torus_free(d->later, (size_t)d->later_room * sizeof(*d->later));
	torus_processors_free(d);
	torus_queues_free(d);
	torus_free(d->hot, (size_t)d->count * f->dirs * f->hot_stride * sizeof(u32));
	torus_free(d->folded, (size_t)d->count * f->dirs * f->fold_stride * sizeof(u64));
	torus_free(d->stalls, (size_t)d->count * f->dirs * TORUS_STALL_MAX * sizeof(u32));
	torus_free(d->links, (size_t)d->count * f->dirs * sizeof(*d->links));
	torus_free(d->scratch, 2 * TORUS_SCRATCH_BYTES);
	for (i = 0; i < 2 && d->outbox[i]; i++) {
		for (j = 0; j < f->ndomains; j++) {
			struct torus_mailbox *box = &d->outbox[i][j];

			torus_free(box->mail, box->mail_room * sizeof(*box->mail));
			torus_free(box->packets, box->packet_room * sizeof(*box->packets));
			torus_free(box->bodies, (size_t)box->body_room * d->bodies.stride);
		}
		torus_free(d->outbox[i], f->ndomains * sizeof(*d->outbox[i]));
	}
}

static int domain_init(struct torus_domain *d)
{
	struct torus_fabric *f = d->f;
	size_t cold;
	u32 bits;

	torus_wheel_init(&d->wheel);
	torus_bodies_init(&d->bodies, f->arch->packet_chunks_max * f->arch->chunk_bytes);
	d->machine = f->machine;
	d->node_bytes = (u32)f->arch->node_bytes(&f->cfg, &cold);
	d->nodes = torus_alloc((size_t)d->count * d->node_bytes);
	d->node0 = (u8 *)((uintptr_t)d->nodes - (size_t)d->first * d->node_bytes);
	d->touched = torus_alloc(((size_t)d->count * 2 + 2) * sizeof(u32));
	d->again = torus_alloc(((size_t)d->count + 2) * sizeof(u32));
	d->hot = torus_alloc((size_t)d->count * f->dirs * f->hot_stride * sizeof(u32));
	d->scratch = torus_alloc(2 * TORUS_SCRATCH_BYTES);
	d->outbox[0] = torus_alloc(f->ndomains * sizeof(*d->outbox[0]));
	d->outbox[1] = torus_alloc(f->ndomains * sizeof(*d->outbox[1]));
	bits = d->count < 2048 ? TORUS_SEGMENT_SMALL : TORUS_SEGMENT_LARGE;
	if (torus_pool_init(&d->pool, bits) || !d->nodes || !d->touched || !d->again || !d->hot ||
	    !d->scratch || !d->outbox[0] || !d->outbox[1])
		return -ENOMEM;
	return 0;
}

static void mailbox_clear(struct torus_mailbox *box)
{
	box->mails = 0;
	box->npackets = 0;
	box->nbodies = 0;
}

/* Everything back to the start; what a domain cannot do without stays allocated. */
static void domain_start(struct torus_domain *d)
{
	struct torus_fabric *f = d->f;
	size_t links = (size_t)d->count * f->dirs;
	u32 i;

	torus_wheel_free(&d->wheel);
	torus_pool_clear(&d->pool);
	torus_bodies_free(&d->bodies);
	torus_bodies_init(&d->bodies, f->arch->packet_chunks_max * f->arch->chunk_bytes);
	memset(d->nodes, 0, (size_t)d->count * d->node_bytes);
	memset(d->hot, 0, links * f->hot_stride * sizeof(u32));
	torus_free(d->folded, links * f->fold_stride * sizeof(u64));
	d->folded = NULL;
	torus_free(d->stalls, links * TORUS_STALL_MAX * sizeof(u32));
	d->stalls = NULL;
	torus_free(d->links, links * sizeof(*d->links));
	d->links = NULL;
	torus_processors_reset(d);
	torus_queues_reset(d);
	for (i = 0; i < f->ndomains; i++) {
		mailbox_clear(&d->outbox[0][i]);
		mailbox_clear(&d->outbox[1][i]);
	}
	memset(&d->tally, 0, sizeof(d->tally));
	d->ntouched = 0;
	d->nagain = 0;
	d->nreceived = 0;
	d->nlater = 0;
	d->faults_pending = 0;
	d->links_parked = 0;
	d->tokens_waiting = 0;
	d->now = 0;
	d->done = 0;
	d->parity = 0;
	d->failed = false;
	d->again_at = ~0ull;
	d->mail_at = ~0ull;
	d->fold_at = 1ull << 25;
	d->wheel.now = ~0ull;	/* just before tick 0 */
}

static void fabric_free(struct torus_fabric *f)
{
	size_t groups = (size_t)f->nodes * f->arch->groups, i;

	torus_traffic_stop(f);
	/* a configuration that was refused has got as far as empty domains */
	for (i = 0; f->domain && i < f->ndomains; i++)
		if (f->domain[i].f)
			domain_free(&f->domain[i]);
	torus_free(f->domain, f->ndomains * sizeof(*f->domain));
	for (i = 0; f->nic && i < groups; i++)
		torus_free(f->nic[i], sizeof(**f->nic));
	torus_free(f->nic, groups * sizeof(*f->nic));
	torus_free(f->attached, groups * sizeof(*f->attached));
	torus_free(f->generation, groups * sizeof(*f->generation));
	torus_free(f->partition, (size_t)f->nodes * sizeof(*f->partition));
	torus_free(f->faults, TORUS_FAULTS_MAX * sizeof(*f->faults));
	torus_free(f->fault_state, TORUS_FAULTS_MAX * sizeof(*f->fault_state));
	torus_free(f->link_crc, (size_t)f->nodes * f->dirs * 2 * sizeof(u32));
	torus_free(f->loopback, f->nodes);
	torus_free(f->dead, f->nodes);
	if (f->machine) {
		if (f->arch->release)
			f->arch->release(f);
		torus_free(f->machine, f->arch->machine_bytes);
	}
	torus_free(f, sizeof(*f));
}

/* What every start begins with: nodes at rest, CRCs at their first value. */
static int fabric_start(struct torus_fabric *f, struct torus_error *err)
{
	u32 i;

	for (i = 0; i < f->ndomains; i++)
		domain_start(&f->domain[i]);
	for (i = 0; i < f->nodes; i++) {
		f->arch->node_init(f, i);
		if (!(i & 1023))
			torus_yield();
	}
	memset(f->link_crc, 0xff, (size_t)f->nodes * f->dirs * 2 * sizeof(u32));
	torus_free(f->loopback, f->nodes);
	f->loopback = NULL;
	torus_free(f->dead, f->nodes);
	f->dead = NULL;
	f->clock = 0;
	f->links_live = false;
	return f->ber ? torus_param_changed(f, TORUS_P_BER, err) : 0;
}

static int fabric_allocate(struct torus_fabric *f, struct torus_error *err)
{
	u32 i, share = f->nodes / f->ndomains, rest = f->nodes % f->ndomains, first = 0;
	int ret;

	f->share = share;
	f->rest = rest;
	f->large = rest * (share + 1);
	f->machine = torus_alloc(f->arch->machine_bytes);
	f->domain = torus_alloc(f->ndomains * sizeof(*f->domain));
	f->generation = torus_alloc((size_t)f->nodes * f->arch->groups * sizeof(*f->generation));
	f->link_crc = torus_alloc((size_t)f->nodes * f->dirs * 2 * sizeof(u32));
	if (!f->machine || !f->domain || !f->generation || !f->link_crc)
		goto no_memory;
	torus_params_apply(f);
	ret = f->arch->configure(f, err);
	if (ret)
		return ret;
	for (i = 0; i < f->ndomains; i++) {
		struct torus_domain *d = &f->domain[i];

		d->f = f;
		d->index = i;
		d->first = first;
		d->count = share + (i < rest);
		first += d->count;
	}
	for (i = 0; i < f->ndomains; i++)
		if (domain_init(&f->domain[i]))
			goto no_memory;
	if (torus_processors_init(f) || torus_queues_init(f))
		goto no_memory;
	return 0;

no_memory:
	return torus_fail(err, ENOMEM, "no memory for %u nodes (%llu bytes)", f->nodes,
			  torus_config_bytes(&f->cfg));
}

int torus_fabric_create(const struct torus_config *cfg, struct torus_fabric **out,
			struct torus_error *err)
{
	const struct torus_arch *arch = cfg->arch;
	struct torus_fabric *f;
	int ret;

	if (!cfg->geo.nodes)
		return torus_fail(err, EINVAL, "no shape");
	if (!cfg->domains || cfg->domains > TORUS_DOMAINS_MAX)
		return torus_fail(err, ERANGE, "domains %u: 1 to %u", cfg->domains,
				  TORUS_DOMAINS_MAX);
	if (cfg->domains > cfg->geo.nodes)
		return torus_fail(err, EINVAL, "domains %u: the fabric has %u nodes", cfg->domains,
				  cfg->geo.nodes);
	f = torus_alloc(sizeof(*f));
	if (!f)
		return torus_fail(err, ENOMEM, "no memory for a fabric");
	f->cfg = *cfg;
	f->arch = arch;
	f->nodes = cfg->geo.nodes;
	f->dirs = 2 * cfg->geo.ndims;
	f->ndomains = cfg->domains;
	f->router = arch->router(cfg);
	f->vcs = f->router->vcs;
	f->tick_fs = arch->tick_fs(cfg);
	f->hot_stride = 2 * f->vcs;
	f->fold_stride = f->hot_stride + TORUS_STALL_MAX;
	ret = fabric_allocate(f, err);
	if (!ret)
		ret = fabric_start(f, err);
	if (ret) {
		fabric_free(f);
		return ret;
	}
	*out = f;
	return 0;
}

void torus_fabric_destroy(struct torus_fabric *f)
{
	fabric_free(f);
}

int torus_fabric_reset(struct torus_fabric *f, u64 seed, struct torus_error *err)
{
	torus_traffic_stop(f);
	torus_nic_reset(f);
	if (f->fault_state)
		memset(f->fault_state, 0, TORUS_FAULTS_MAX * sizeof(*f->fault_state));
	f->cfg.seed = seed;
	return fabric_start(f, err);
}

int torus_fabric_set(struct torus_fabric *f, const char *key, const char *value,
		     struct torus_error *err)
{
	int i = torus_param_find(f->arch, key, err), ret;
	struct torus_config cfg = f->cfg;

	if (i < 0)
		return i;
	ret = torus_config_set(&cfg, key, value, err);
	if (ret)
		return ret;
	if (cfg.params[i] != f->cfg.params[i] && !torus_param_at(f->arch, (u32)i)->live)
		return torus_fail(err, EBUSY, "%s: only a new fabric can take it", key);
	f->cfg = cfg;
	torus_params_apply(f);
	ret = torus_param_changed(f, (u32)i, err);
	return ret ? ret : f->arch->configure(f, err);
}

const struct torus_config *torus_fabric_config(const struct torus_fabric *f)
{
	return &f->cfg;
}

u64 torus_fabric_clock(const struct torus_fabric *f)
{
	return f->clock;
}

u32 torus_fabric_dirs(const struct torus_fabric *f)
{
	return f->dirs;
}

u64 torus_fabric_memory(const struct torus_fabric *f)
{
	u64 bytes = torus_config_bytes(&f->cfg) + sizeof(*f) + torus_table_bytes(f->table);
	u32 i;

	for (i = 0; i < f->ndomains; i++) {
		const struct torus_domain *d = &f->domain[i];
		size_t links = (size_t)d->count * f->dirs;

		bytes += torus_wheel_bytes(&d->wheel) + torus_bodies_bytes(&d->bodies) +
			 torus_pool_bytes(&d->pool) - TORUS_SEGMENTS_MAX * sizeof(void *);
		bytes += d->links ? links * sizeof(*d->links) : 0;
		bytes += d->folded ? links * f->fold_stride * sizeof(u64) : 0;
		bytes += d->sources ? (u64)d->count * f->workload->streams *
				      sizeof(*d->sources) : 0;
		bytes += d->received_room * sizeof(*d->received);
		bytes += (u64)d->later_room * sizeof(*d->later);
	}
	if (f->nic)
		bytes += (u64)f->nodes * f->arch->groups * (sizeof(*f->nic) + sizeof(u32));
	return bytes;
}

u64 torus_fabric_in_flight(const struct torus_fabric *f)
{
	s64 sum = 0;
	u32 i;

	for (i = 0; i < f->ndomains; i++)
		sum += f->domain[i].tally.population;
	return (u64)sum;
}

u32 torus_fabric_partition(const struct torus_fabric *f, u32 node)
{
	return f->partition ? f->partition[node] : 0;
}

int torus_fabric_partition_set(struct torus_fabric *f, u32 node, u32 partition,
			       struct torus_error *err)
{
	if (node >= f->nodes)
		return torus_fail(err, EINVAL, "node %u: the fabric has %u nodes", node, f->nodes);
	if (!f->partition)
		f->partition = torus_alloc((size_t)f->nodes * sizeof(*f->partition));
	if (!f->partition)
		return torus_fail(err, ENOMEM, "no memory for partitions of %u nodes", f->nodes);
	f->partition[node] = partition;
	return 0;
}

/* ------------------------------------------------------------------- running */

static u64 next_event(const struct torus_domain *d)
{
	u64 next = torus_wheel_next(&d->wheel);

	return d->again_at < next ? d->again_at : next;
}

/* A fault that is scheduled happens when something else brings the clock there. */
static bool working(const struct torus_domain *d)
{
	if (d->faults_pending && (d->links_parked || d->tokens_waiting))
		return true;
	return d->wheel.pending > d->faults_pending || d->again_at != ~0ull || d->mail_at != ~0ull;
}

bool torus_fabric_pending(const struct torus_fabric *f)
{
	u32 i;

	for (i = 0; i < f->ndomains; i++)
		if (working(&f->domain[i]))
			return true;
	return false;
}

/* Sense-reversing spin barrier over the threads of a run. */
static void barrier_wait(struct torus_fabric *f, u32 *sense)
{
	/* read before arriving: behind the last barrier the next run may change it */
	u32 threads = f->run_threads, spins = 0;

	if (threads == 1)
		return;
	*sense ^= 1;
	if (torus_fetch_add(&f->barrier_count, 1) + 1 == threads) {
		torus_store(&f->barrier_count, 0);
		torus_store_release(&f->barrier_sense, *sense);
		return;
	}
	while (torus_load_acquire(&f->barrier_sense) != *sense) {
		torus_relax();
		if (++spins > 4000) {
			torus_yield();
			spins = 0;
		}
	}
}

static void window(struct torus_domain *d, u64 start, u64 end, u32 parity)
{
	/* nothing is due before @start: the wheel may stand just before it */
	d->wheel.now = start - 1;
	torus_mail_collect(d, parity ^ 1);
	d->parity = parity;
	d->mail_at = ~0ull;
	d->f->router->run(d, end);
	d->next_at[parity] = next_event(d);
	if (d->mail_at < d->next_at[parity])
		d->next_at[parity] = d->mail_at;
	d->working[parity] = working(d);
}

/*
 * Every thread walks through the same windows: it finds the same start in what
 * the domains published at the end of the last one, and so the same end.
 */
static void run_windows(struct torus_fabric *f, u32 thread)
{
	/* goes on from the last run, whose last barrier a worker may not have left yet */
	u32 sense = torus_load(&f->barrier_sense);
	u32 parity = 0, i, end_why = TORUS_RUN_BUDGET;
	u64 windows, start = 0, end = f->clock;
	/* "windows of length w", no longer than the least delay between two domains */
	u64 span = f->lookahead;

	for (windows = 0; ; windows++) {
		bool failed = false, work = false;

		barrier_wait(f, &sense);
		/* everybody is in: who comes early to the next run waits outside */
		if (!windows && !thread)
			torus_store(&f->run_open, 0);
		start = ~0ull;
		for (i = 0; i < f->ndomains; i++) {
			u64 at = torus_load(&f->domain[i].next_at[parity]);

			start = at < start ? at : start;
			failed |= torus_load(&f->domain[i].failed);
			work |= torus_load(&f->domain[i].working[parity]);
		}
		if (failed)
			end_why = TORUS_RUN_FAILED;
		else if (!work)
			end_why = TORUS_RUN_IDLE;
		else if (start >= f->run_until)
			end_why = TORUS_RUN_TIME;
		else if (f->run_budget && windows == f->run_budget)
			end_why = TORUS_RUN_BUDGET;
		else
			end_why = ~0u;
		if (end_why != ~0u)
			break;
		end = start + span < f->run_until ? start + span : f->run_until;
		parity ^= 1;
		for (i = thread; i < f->ndomains; i += f->run_threads)
			window(&f->domain[i], start, end, parity);
		torus_breathe();
	}
	/* nobody may begin the next run while somebody still reads this one's */
	barrier_wait(f, &sense);
	if (thread)
		return;
	f->run_end = end_why;
	f->run_parity = parity;
	f->run_stop = end;
}

void torus_fabric_work(struct torus_fabric *f, u32 thread)
{
	u32 spins = 0;

	while (!torus_load_acquire(&f->run_open)) {
		torus_relax();
		if (++spins > 4000) {
			torus_yield();
			spins = 0;
		}
	}
	run_windows(f, thread);
}

/* Bring every domain to tick @clock, its mail collected, nothing simulated. */
static void settle(struct torus_fabric *f, u64 clock, u32 parity)
{
	u32 i;

	for (i = 0; i < f->ndomains; i++) {
		struct torus_domain *d = &f->domain[i];

		d->wheel.now = clock - 1;
		d->now = clock;
		d->done = clock;
		torus_mail_collect(d, parity);
		/* what is mailed between two runs is collected in the first window */
		d->parity = 0;
		d->mail_at = ~0ull;
	}
	f->clock = clock;
}

enum torus_run torus_fabric_run(struct torus_fabric *f, u64 until, u64 budget, u32 threads)
{
	u64 clock = f->clock;
	u32 i;

	for (i = 0; i < f->ndomains; i++) {
		struct torus_domain *d = &f->domain[i];

		d->next_at[0] = next_event(d);
		if (d->mail_at < d->next_at[0])
			d->next_at[0] = d->mail_at;
		d->working[0] = working(d);
	}
	f->run_until = until;
	f->run_budget = budget;
	f->run_threads = threads ? threads : 1;
	torus_store_release(&f->run_open, f->run_threads > 1);
	run_windows(f, 0);

	switch (f->run_end) {
	case TORUS_RUN_TIME:
		clock = until;
		break;
	case TORUS_RUN_BUDGET:
		clock = f->run_stop;
		break;
	default:
		for (i = 0; i < f->ndomains; i++)
			if (f->domain[i].done > clock)
				clock = f->domain[i].done;
	}
	settle(f, clock, f->run_parity);
	return f->run_end;
}

void torus_fabric_idle_advance(struct torus_fabric *f, u64 ticks)
{
	u64 next = ~0ull, clock = f->clock + ticks;
	u32 i;

	for (i = 0; i < f->ndomains; i++) {
		u64 at = next_event(&f->domain[i]);

		next = at < next ? at : next;
	}
	settle(f, clock < next ? clock : next, 0);
}
