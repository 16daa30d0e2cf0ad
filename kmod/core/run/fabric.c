// SPDX-License-Identifier: GPL-2.0
/* Create, reset and free a fabric, and count its memory. */
#include "core/link/corruption.h"
#include "core/link/payload_crc.h"
#include "core/workload/traffic.h"
#include "core/run/fabric.h"
#include "core/workload/processor.h"
#include "core/workload/request_reply.h"
#include "core/run/domain_map.h"
#include "core/run/domain.h"
#include "core/run/limits.h"
#include "core/link/link.h"
#include "core/nic/inject_queue.h"
#include "core/nic/record.h"
#include "core/workload/pair_list.h"
#include "core/workload/workload.h"
#include "core/run/virtual_time.h"
#include "core/run/params.h"
#include "core/run/routing_tables.h"
#include "core/state/tni.h"

static u64 fabric_node_bytes(const struct torus_config *cfg)
{
	const struct torus_arch *arch = cfg->arch;
	u32 vcs = arch->router(cfg)->vcs;
	u64 dirs = 2 * cfg->geo.ndims;
	size_t cold = 0, hot = arch->node_bytes(cfg, &cold);

	return hot + cold + torus_queues_node_bytes(cfg) +
	       torus_tnis_node_bytes(arch->router(cfg)) +
	       dirs * 2 * vcs * sizeof(u32) +			/* hot counters */
	       (cfg->params[TORUS_P_CRC] ? dirs * 2 * sizeof(u32) : 0) +	/* link CRCs */
	       /* a node's entries in the lists of touched nodes */
	       3 * sizeof(u32);
}

u64 torus_config_bytes(const struct torus_config *cfg)
{
	u32 parts = torus_config_parts(cfg), procs = cfg->procs ? cfg->procs->count : 1;
	u64 own = ((u64)cfg->geo.nodes + procs - 1) / procs;

	/*
	 * with several domains: the domain of each node, and for each node of this process its
	 * entries in @local and @list
	 */
	return own * (fabric_node_bytes(cfg) + (parts > 1 ? 2 * sizeof(u32) : 0)) +
	       (parts > 1 ? cfg->geo.nodes : 0) +
	       parts * (sizeof(struct torus_domain) +
			2 * (u64)parts * sizeof(struct torus_mailbox));
}

static void fabric_free(struct torus_fabric *f)
{
	size_t groups = (size_t)f->nodes * f->arch->groups, i;

	torus_traffic_stop(f);
	torus_routes_forget(f);
	/* if the configuration was rejected, domains may not be initialized */
	for (i = 0; f->domain && i < f->ndomains; i++)
		if (f->domain[i].f)
			torus_domain_free(&f->domain[i]);
	if (f->machine && f->arch->release)
		f->arch->release(f);
	torus_free(f->machine, f->arch->machine_bytes);
	if (f->domain)
		torus_domain_map_free(f);
	torus_processors_free(f);
	torus_queues_free(f);
	torus_tnis_free(f);
	torus_links_free(f);
	torus_free(f->node, (size_t)f->nodes * f->node_bytes);
	torus_free(f->hot, (size_t)f->nodes * f->dirs * f->hot_stride * sizeof(u32));
	torus_free(f->domain, f->ndomains * sizeof(*f->domain));
	for (i = 0; f->nic && i < groups; i++) {
		if (f->nic[i])
			torus_nic_record_end(f->nic[i]);
		torus_free(f->nic[i], sizeof(**f->nic));
	}
	torus_free(f->nic, groups * sizeof(*f->nic));
	torus_free(f->attached, groups * sizeof(*f->attached));
	torus_free(f->completions, groups * sizeof(*f->completions));
	torus_free(f->generation, groups * sizeof(*f->generation));
	torus_free(f->partition, (size_t)f->nodes * sizeof(*f->partition));
	torus_free(f->faults, TORUS_FAULTS_MAX * sizeof(*f->faults));
	torus_free(f->fault_state, TORUS_FAULTS_MAX * sizeof(*f->fault_state));
	torus_free(f->link_crc, torus_link_crcs_bytes(f));
	torus_free(f->payload_zeros, torus_payloads_bytes(f));
	torus_free(f->loopback, f->nodes);
	torus_free(f->dead, f->nodes);
	torus_procs_free(f);
	torus_free(f, sizeof(*f));
}

/*
 * At a reset, clear the arrays that must be 0 when the fabric starts. Creation relies on zeroed
 * allocations instead: untouched memory takes no pages, and the thread that runs a domain touches
 * the domain's pages first.
 */
static void fabric_clear(struct torus_fabric *f)
{
	memset(f->node, 0, (size_t)f->nodes * f->node_bytes);
	memset(f->hot, 0, (size_t)f->nodes * f->dirs * f->hot_stride * sizeof(u32));
	torus_tnis_clear(f);
	if (f->link_crc)
		memset(f->link_crc, 0, torus_link_crcs_bytes(f));
}

/* Reset clock, domains and nodes, after creation and at each reset. */
static int fabric_start(struct torus_fabric *f, struct torus_error *err)
{
	u32 i;

	torus_links_free(f);
	for (i = 0; i < f->ndomains; i++)
		torus_domain_start(&f->domain[i]);
	for (i = 0; i < f->nodes; i++) {
		if (torus_node_here(f, i))
			f->arch->node_init(f, i);
		if (!(i & 1023))
			torus_yield();
	}
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
	size_t links = (size_t)f->nodes * f->dirs, cold;
	u32 i;
	int ret;

	f->machine = torus_alloc(f->arch->machine_bytes);
	f->domain = torus_alloc(f->ndomains * sizeof(*f->domain));
	f->hot = torus_alloc(links * f->hot_stride * sizeof(u32));
	f->node_bytes = (u32)f->arch->node_bytes(&f->cfg, &cold);
	f->node = torus_alloc((size_t)f->nodes * f->node_bytes);
	if (!f->machine || !f->domain || !f->hot || !f->node)
		goto no_memory;
	torus_params_apply(f);
	ret = f->arch->configure(f, err);
	if (ret)
		return ret;
	for (i = 0; i < f->ndomains; i++) {
		struct torus_domain *d = &f->domain[i];

		d->f = f;
		d->index = i;
		d->away = i < f->own_first || i >= f->own_end;
	}
	if (torus_domain_map(f))
		goto no_memory;
	for (i = 0; i < f->ndomains; i++)
		if (torus_domain_init(&f->domain[i]))
			goto no_memory;
	if (torus_procs_init(f) || torus_processors_init(f) || torus_queues_init(f) ||
	    torus_tnis_init(f) || (f->crc_full && torus_link_crcs_init(f)))
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
		return torus_fail(err, EINVAL, "shape is missing for %s", cfg->arch->name);
	if (!cfg->domains || cfg->domains > TORUS_DOMAINS_MAX)
		return torus_fail(err, ERANGE, "domains %u: must be 1 to %u", cfg->domains,
				  TORUS_DOMAINS_MAX);
	if (cfg->domains > cfg->geo.nodes)
		return torus_fail(err, EINVAL,
				  "domains %u: must be at most %u, the number of nodes",
				  cfg->domains, cfg->geo.nodes);
	if (cfg->procs && (!cfg->threads || cfg->domains < cfg->procs->count * cfg->threads))
		return torus_fail(err, EINVAL,
				  "domains %u: %u ranks with %u threads each require at least one "
				  "domain per thread", cfg->domains, cfg->procs->count,
				  cfg->threads);
	ret = torus_limit_check(cfg, err);
	if (ret)
		return ret;
	f = torus_alloc(sizeof(*f));
	if (!f)
		return torus_fail(err, ENOMEM, "no memory for a fabric");
	f->cfg = *cfg;
	f->arch = arch;
	f->load = &torus_load_ops;
	f->nodes = cfg->geo.nodes;
	f->dirs = 2 * cfg->geo.ndims;
	f->ndomains = torus_config_parts(cfg);
	f->own_end = f->ndomains;
	if (cfg->procs) {
		f->own_first = cfg->procs->self * cfg->threads;
		f->own_end = f->own_first + cfg->threads;
	}
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
	torus_vtime_reset(f);
	torus_routes_forget(f);
	if (f->fault_state)
		memset(f->fault_state, 0, TORUS_FAULTS_MAX * sizeof(*f->fault_state));
	f->cfg.seed = seed;
	fabric_clear(f);
	return fabric_start(f, err);
}

/* Bytes allocated for clients: groups' structs, and arrays with one entry per group. */
static u64 fabric_groups_bytes(const struct torus_fabric *f)
{
	size_t groups = (size_t)f->nodes * f->arch->groups, i;
	u64 bytes = f->completions ? groups * sizeof(*f->completions) : 0;

	if (f->attached)
		bytes += groups * (sizeof(*f->attached) + sizeof(*f->generation));
	for (i = 0; f->nic && i < groups; i++) {
		bytes += sizeof(*f->nic) + (f->nic[i] ? sizeof(**f->nic) : 0);
		if (f->nic[i] && f->nic[i]->records && f->nic[i]->records->own)
			bytes += torus_nic_record_bytes(f->arch);
	}
	return bytes;
}

u64 torus_fabric_memory(const struct torus_fabric *f)
{
	u64 bytes = torus_config_bytes(&f->cfg) + sizeof(*f) + torus_pairs_bytes(f->pairs) +
		    fabric_groups_bytes(f), nodes = 0;
	u32 i;

	/* only nodes of this process use memory */
	for (i = f->own_first; i < f->own_end; i++)
		nodes += f->domain[i].count;
	bytes += torus_fabric_routes_bytes(f);
	bytes += f->arch->later_bytes ? f->arch->later_bytes(f) : 0;
	bytes += f->loopback ? f->nodes : 0;
	bytes += f->dead ? f->nodes : 0;
	bytes += f->partition ? (u64)f->nodes * sizeof(*f->partition) : 0;
	bytes += f->links ? nodes * f->dirs * sizeof(*f->links) : 0;
	bytes += f->processors ? nodes * sizeof(*f->processors) : 0;
	/* torus_config_bytes() already counts the CRCs of crc=full */
	bytes += f->link_crc && !f->crc_full ? torus_link_crcs_bytes(f) : 0;
	bytes += f->workload ? nodes * f->workload->streams *
			       (sizeof(*f->workload->sources) +
				(f->workload->own ? sizeof(*f->workload->own) : 0) +
				(f->workload->counted ? sizeof(*f->workload->counted) : 0)) : 0;
	bytes += f->workload && f->workload->replies ?
		 nodes * sizeof(*f->workload->replies) : 0;
	for (i = 0; i < f->ndomains; i++)
		bytes += torus_domain_bytes(&f->domain[i]);
	return bytes;
}
