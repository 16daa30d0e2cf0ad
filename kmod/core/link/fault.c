// SPDX-License-Identifier: GPL-2.0
/* Check faults, and set them at once or at their tick. */
#include "core/link/fault.h"
#include "core/link/recovery.h"
#include "core/state/domain.h"
#include "core/link/link.h"

/* Check whether the machine's receivers send nacks. */
static bool fault_nacks(struct torus_fabric *f)
{
	struct torus_link_timing t = { .nack = false };

	f->arch->timing(f, 0, 0, &t);
	return t.nack;
}

/**
 * torus_fault_check() - check that a fault is possible on the fabric's machine
 * @f: the fabric; no run may be in progress
 * @fault: the fault
 * @err: [out] error message
 *
 * Return: 0, -EOPNOTSUPP, -EINVAL, -ERANGE, or -ENOLINK if the given direction has no link.
 */
int torus_fault_check(struct torus_fabric *f, const struct torus_fault *fault,
		      struct torus_error *err)
{
	char dir[16], node[64];

	if (!f->router->link_live)
		return torus_fail(err, EOPNOTSUPP, "%s does not support link faults",
				  f->arch->name);
	if (fault->node != TORUS_NONE && fault->node >= f->nodes)
		return torus_fail(err, EINVAL, "node %u: the fabric has %u nodes",
				  fault->node, f->nodes);
	if (fault->dir != TORUS_NONE && fault->dir >= f->dirs)
		return torus_fail(err, EINVAL, "direction %u: a node has only %u directions",
				  fault->dir, f->dirs);
	if (!fault->what)
		return torus_fail(err, EINVAL, "the request names no fault");
	if (fault->what & TORUS_FAULT_DROP_NACK && !fault_nacks(f))
		return torus_fail(err, EOPNOTSUPP,
				  "drop-nack %u: the links of %s do not send nacks",
				  fault->drop_nack, f->arch->name);
	if (fault->what & TORUS_FAULT_STATE && fault->state > 1)
		return torus_fail(err, EINVAL, "state %u: must be 0 or 1", fault->state);
	if (fault->what & TORUS_FAULT_DELAY && fault->delay > TORUS_DELAY_MAX)
		return torus_fail(err, ERANGE, "delay %llu: must be at most %u ticks", fault->delay,
				  TORUS_DELAY_MAX);
	if (fault->node == TORUS_NONE && fault->dir != TORUS_NONE &&
	    f->cfg.geo.dims[TORUS_DIM(fault->dir)] == 1)
		return torus_fail(err, ENOLINK, "no node has a link in direction %s",
				  torus_direction_name(fault->dir, dir, sizeof(dir)));
	if (fault->node != TORUS_NONE && fault->dir != TORUS_NONE &&
	    torus_geometry_neighbor(&f->cfg.geo, fault->node, fault->dir) == TORUS_NONE)
		return torus_fail(err, ENOLINK, "node %s has no link in direction %s",
				  torus_geometry_text(&f->cfg.geo, fault->node, node, sizeof(node)),
				  torus_direction_name(fault->dir, dir, sizeof(dir)));
	return 0;
}

static bool fault_meant(const struct torus_fabric *f, const struct torus_fault *fault, u32 node,
			u32 dir)
{
	return (fault->node == TORUS_NONE || fault->node == node) &&
	       (fault->dir == TORUS_NONE || fault->dir == dir) &&
	       torus_geometry_neighbor(&f->cfg.geo, node, dir) != TORUS_NONE;
}

/* Apply the receiver's part of a fault, for packets that travel in direction @dir to @node. */
static void fault_apply_receiver(struct torus_domain *d, const struct torus_fault *fault, u32 node,
				 u32 dir)
{
	u32 from = torus_geometry_neighbor(&d->f->cfg.geo, node, TORUS_REVERSE(dir));

	if (from != TORUS_NONE && fault_meant(d->f, fault, from, dir))
		torus_link_apply_receiver(d, node, dir, fault);
}

static void fault_apply(struct torus_domain *d, const struct torus_fault *fault, bool undo)
{
	bool receiver = fault->what & TORUS_FAULT_RECEIVER && !undo;
	bool all = fault->node == TORUS_NONE || receiver;
	u32 i, dir;

	for (i = 0; i < (all ? d->count : 1); i++) {
		u32 node = all ? torus_domain_nth(d, i) : fault->node;

		for (dir = 0; dir < d->f->dirs; dir++) {
			if (torus_domain_has(d, node) && fault_meant(d->f, fault, node, dir))
				torus_link_apply(d, node, dir, fault, undo, !fault->lasts);
			if (receiver)
				fault_apply_receiver(d, fault, node, dir);
		}
	}
}

/*
 * Check whether a domain must handle a fault: it has the sender, or may have the receiver of a
 * receiver's fault.
 */
static bool fault_concerns(const struct torus_domain *d, const struct torus_fault *fault)
{
	return fault->node == TORUS_NONE || torus_domain_has(d, fault->node) ||
	       fault->what & TORUS_FAULT_RECEIVER;
}

static void fault_schedule(struct torus_domain *d, const struct torus_fault *fault, u32 index,
			   enum torus_event_kind kind)
{
	u64 at = kind == TORUS_EV_FAULT_BEGIN ? fault->at : fault->at + fault->lasts;
	u32 node = torus_domain_nth(d, 0);

	if (fault->node != TORUS_NONE && torus_domain_has(d, fault->node))
		node = fault->node;
	d->faults_pending++;
	torus_wheel_push(&d->wheel, at, (struct torus_event){
		.kind = (u8)kind, .fault = index,
		.node = node,
	});
}

/**
 * torus_faults_alloc() - allocate the arrays of scheduled faults
 * @f: the fabric; no run may be in progress
 * @err: [out] error message
 *
 * Return: 0 or -ENOMEM.
 */
int torus_faults_alloc(struct torus_fabric *f, struct torus_error *err)
{
	if (!f->faults)
		f->faults = torus_alloc(TORUS_FAULTS_MAX * sizeof(*f->faults));
	if (!f->fault_state)
		f->fault_state = torus_alloc(TORUS_FAULTS_MAX * sizeof(*f->fault_state));
	return f->faults && f->fault_state ? 0 :
	       torus_fail(err, ENOMEM, "no memory for scheduled faults");
}

/*
 * Check whether entry @i is in use, or with several processes, was ever used: all processes must
 * use the same entries, although not each fault concerns all of them.
 */
static bool fault_taken(const struct torus_fabric *f, u32 i)
{
	return f->cfg.procs ? f->faults[i].what : f->fault_state[i];
}

static int fault_reserve(struct torus_fabric *f, u32 *index, struct torus_error *err)
{
	int ret = torus_faults_alloc(f, err);
	u32 i;

	if (ret)
		return ret;
	for (i = 0; i < TORUS_FAULTS_MAX && fault_taken(f, i); i++)
		;
	if (i == TORUS_FAULTS_MAX)
		return torus_fail(err, ENOSPC,
				  "%u faults are already scheduled, which is the maximum",
				  TORUS_FAULTS_MAX);
	*index = i;
	return 0;
}

int torus_fault_set(struct torus_fabric *f, const struct torus_fault *fault,
		    struct torus_error *err)
{
	struct torus_fault copy = *fault;
	u32 node, dir, i, index = 0, pending = 0;
	int ret = torus_fault_check(f, fault, err);

	if (ret)
		return ret;
	if (copy.at < f->clock)
		copy.at = f->clock;
	if (copy.at + copy.lasts < copy.at)
		return torus_fail(err, ERANGE,
				  "at %llu for %llu: the fault must end before tick 2^64",
				  copy.at, copy.lasts);
	/*
	 * Even a process without an affected link must use wide packets, because processes exchange
	 * packets in mail.
	 */
	ret = f->cfg.procs ? torus_links_live(f, err) : 0;
	if (ret)
		return ret;
	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++)
			if (fault_meant(f, &copy, node, dir) && torus_link_near(f, node, dir)) {
				ret = torus_link_live(f, node, dir, err);
				if (ret)
					return ret;
			}
	if (copy.at > f->clock || copy.lasts) {
		ret = fault_reserve(f, &index, err);
		if (ret)
			return ret;
		f->faults[index] = copy;
		if (copy.at == f->clock)
			f->faults[index].what |= TORUS_FAULT_BEGUN;
	}
	for (i = 0; i < f->ndomains; i++) {
		struct torus_domain *d = &f->domain[i];

		if (d->away || !fault_concerns(d, &copy))
			continue;
		if (copy.at > f->clock) {
			fault_schedule(d, &copy, index, TORUS_EV_FAULT_BEGIN);
			pending++;
		} else {
			fault_apply(d, &copy, false);
		}
		if (copy.lasts) {
			fault_schedule(d, &copy, index, TORUS_EV_FAULT_END);
			pending++;
		}
	}
	if (pending)
		f->fault_state[index] = pending;
	return 0;
}

void torus_fault_fire(struct torus_domain *d, const struct torus_event *ev)
{
	const struct torus_fault *fault = &d->f->faults[ev->fault];
	bool end = ev->kind == TORUS_EV_FAULT_END;

	/* do not count this event: the number of such events depends on the number of domains */
	d->stats.events--;
	d->faults_pending--;
	if (d->now < (end ? fault->at + fault->lasts : fault->at)) {
		fault_schedule(d, fault, ev->fault, ev->kind);
		return;
	}
	fault_apply(d, fault, end);
	torus_fetch_add(&d->f->fault_state[ev->fault], -1u);
}

bool torus_fault_pending(const struct torus_fabric *f, u32 *at, struct torus_fault *fault,
			 bool *begun)
{
	u32 i;

	for (i = *at; f->fault_state && i < TORUS_FAULTS_MAX; i++) {
		if (!f->fault_state[i])
			continue;
		*fault = f->faults[i];
		/* a fault that is due in the current tick has not begun: its event is pending */
		*begun = fault->at < f->clock || fault->what & TORUS_FAULT_BEGUN;
		fault->what &= ~TORUS_FAULT_BEGUN;
		*at = i + 1;
		return true;
	}
	return false;
}

/**
 * torus_faults_resume() - schedule the rest of the faults that were read from a file
 * @f: the fabric, with its clock at the file's tick and no fault scheduled
 */
void torus_faults_resume(struct torus_fabric *f)
{
	u32 i, j;

	for (i = 0; f->fault_state && i < TORUS_FAULTS_MAX; i++) {
		const struct torus_fault *fault = &f->faults[i];
		bool set = f->fault_state[i];

		f->fault_state[i] = 0;
		for (j = 0; set && j < f->ndomains; j++) {
			struct torus_domain *d = &f->domain[j];

			if (d->away || !fault_concerns(d, fault))
				continue;
			/* the events of the current tick are still to be handled */
			if (!(fault->what & TORUS_FAULT_BEGUN) && fault->at >= f->clock) {
				fault_schedule(d, fault, i, TORUS_EV_FAULT_BEGIN);
				f->fault_state[i]++;
			}
			if (fault->lasts && fault->at + fault->lasts >= f->clock) {
				fault_schedule(d, fault, i, TORUS_EV_FAULT_END);
				f->fault_state[i]++;
			}
		}
	}
}
