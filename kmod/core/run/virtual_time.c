// SPDX-License-Identifier: GPL-2.0
/* Virtual time: the programs' clocks bound the fabric's clock. */
#include "core/run/virtual_time.h"
#include "core/run/fabric.h"
#include "core/run/windows.h"

#define NEVER	(~0ull)

bool torus_vtime_enabled(const struct torus_fabric *f)
{
	return f->cfg.params[TORUS_P_TIME] == TORUS_TIME_VIRTUAL;
}

bool torus_vtime_started(const struct torus_fabric *f)
{
	return f->programs && f->programs == f->cfg.params[TORUS_P_PROGRAMS];
}

int torus_vtime_client_add(struct torus_fabric *f, struct torus_vtime_client *client,
			   const struct torus_vtime_client_ops *ops, struct torus_error *err)
{
	if (torus_vtime_started(f))
		return torus_fail(err, ETIME,
				  "virtual time has started with %u programs: no more can attach "
				  "until the fabric is reset", f->programs);
	*client = (struct torus_vtime_client){
		.ops = ops, .now = f->clock, .next = f->vtime_clients,
	};
	f->vtime_clients = client;
	f->programs++;
	return 0;
}

void torus_vtime_client_bind(struct torus_fabric *f, struct torus_vtime_client *client, u32 node,
			     u32 group)
{
	torus_nic_get(f, node, group)->vtime = client;
}

void torus_vtime_client_remove(struct torus_fabric *f, struct torus_vtime_client *client)
{
	struct torus_vtime_client **at;
	u32 i;

	for (at = &f->vtime_clients; *at && *at != client; at = &(*at)->next)
		;
	if (*at)
		*at = client->next;
	/* before time has started, another program can be added in place of this one */
	if (!torus_vtime_started(f))
		f->programs--;
	for (i = 0; i < f->nattached; i++)
		if (f->nic[f->attached[i]]->vtime == client)
			f->nic[f->attached[i]]->vtime = NULL;
}

void torus_vtime_client_undo_add(struct torus_fabric *f, struct torus_vtime_client *client)
{
	bool begun = torus_vtime_started(f);

	torus_vtime_client_remove(f, client);
	f->programs -= begun;
}

/* When a program stops waiting, advance its clock to the fabric's clock. */
static void vtime_catch_up(const struct torus_fabric *f, struct torus_vtime_client *client)
{
	if (client->state == TORUS_VTIME_WAITS && client->now < f->clock)
		client->now = f->clock;
}

int torus_vtime_client_advance(struct torus_fabric *f, struct torus_vtime_client *client, u64 at,
			       struct torus_error *err)
{
	vtime_catch_up(f, client);
	if (at > TORUS_VTIME_MAX)
		return torus_fail(err, ERANGE, "clock %llu: must be at most %llu", at,
				  TORUS_VTIME_MAX);
	if (at > client->now && at - client->now > TORUS_VTIME_STEP_MAX)
		return torus_fail(err, ERANGE,
				  "clock %llu: must be at most %llu ticks after the program's "
				  "present clock %llu", at, TORUS_VTIME_STEP_MAX, client->now);
	if (at > client->now)
		client->now = at;
	client->state = TORUS_VTIME_RUNS;
	return 0;
}

void torus_vtime_client_wait(struct torus_fabric *f, struct torus_vtime_client *client, u32 wants,
			     u64 until)
{
	client->wants = wants;
	client->until = until > client->now ? until : client->now;
	client->got = 0;
	client->state = TORUS_VTIME_POLLS;
}

void torus_vtime_client_leave(struct torus_fabric *f, struct torus_vtime_client *client)
{
	vtime_catch_up(f, client);
	client->state = TORUS_VTIME_LEAVES;
}

static void vtime_resume(struct torus_vtime_client *client, u32 got)
{
	client->got = got;
	client->state = TORUS_VTIME_RUNS;
	client->ops->resume(client);
}

void torus_vtime_reset(struct torus_fabric *f)
{
	struct torus_vtime_client *client;

	torus_vtime_client_free_orphans(f);
	f->programs = 0;
	for (client = f->vtime_clients; client; client = client->next) {
		client->now = 0;
		client->read = false;
		f->programs++;
		if (client->ops->reset)
			client->ops->reset(client);
		else if (client->state == TORUS_VTIME_WAITS || client->state == TORUS_VTIME_POLLS)
			vtime_resume(client, 0);
	}
}

/* Handle a program that polls, or whose wait ends, at the fabric's clock. */
static bool vtime_reached(struct torus_fabric *f, struct torus_vtime_client *client)
{
	u32 got;

	if (client->state == TORUS_VTIME_POLLS && client->now == f->clock) {
		got = client->ops->poll(client);
		client->read = true;
		if (got || !client->wants || client->until <= client->now) {
			vtime_resume(client, got);
			return true;
		}
		memset(client->woken, 0, sizeof(client->woken));
		client->got = 0;
		client->state = TORUS_VTIME_WAITS;
		return true;
	}
	if (client->state == TORUS_VTIME_WAITS && client->until == f->clock) {
		client->now = f->clock;
		client->ops->poll(client);
		client->read = true;
		vtime_resume(client, 0);
		return true;
	}
	return false;
}

/* Return the first tick in which a program may still act. Only earlier ticks may be simulated. */
static u64 vtime_bound(struct torus_fabric *f)
{
	struct torus_vtime_client *client;
	u64 bound = NEVER, at;

	for (client = f->vtime_clients; client; client = client->next) {
		at = client->state == TORUS_VTIME_GONE ? NEVER :
		     client->state == TORUS_VTIME_WAITS ? client->until : client->now;
		/* a program that leaves in this tick does not bound it */
		if (client->state == TORUS_VTIME_LEAVES && at == f->clock)
			continue;
		bound = at < bound ? at : bound;
	}
	return bound;
}

/*
 * Apply the programs' actions at the start of the fabric's current tick: deliver packets to the
 * rings that programs have read, and detach the programs that leave. Return true if there was an
 * action.
 */
static bool vtime_apply(struct torus_fabric *f)
{
	struct torus_vtime_client *client;
	bool applied = false;
	u32 i;

	for (i = 0; i < f->nattached; i++) {
		struct torus_nic *nic = f->nic[f->attached[i]];

		if (nic->vtime && nic->vtime->read)
			applied |= torus_nic_drain(f, nic);
	}
	for (client = f->vtime_clients; client; client = client->next) {
		client->read = false;
		if (client->state != TORUS_VTIME_LEAVES || client->now != f->clock)
			continue;
		client->state = TORUS_VTIME_GONE;
		client->ops->leave(client);
		applied = true;
	}
	return applied;
}

/* Wake the programs whose wanted events have happened, before the fabric's clock advances. */
static bool vtime_woken(struct torus_fabric *f)
{
	struct torus_vtime_client *client;
	bool any = false;
	u32 what;

	for (client = f->vtime_clients; client; client = client->next) {
		if (client->state != TORUS_VTIME_WAITS)
			continue;
		for (what = 0; what < TORUS_VTIME_EVENTS; what++)
			client->got |= (u32)client->woken[what] << what;
		if (!client->got)
			continue;
		client->now = f->clock;
		client->state = TORUS_VTIME_POLLS;
		any = true;
	}
	return any;
}

/*
 * Return the events that clients want which wait, and passive ones that will poll. @active: [out] a
 * client waits that is not passive.
 */
static u32 vtime_wants(struct torus_fabric *f, bool *active)
{
	struct torus_vtime_client *client;
	u32 wants = 0;

	*active = false;
	for (client = f->vtime_clients; client; client = client->next) {
		if (client->state == TORUS_VTIME_WAITS ||
		    (client->passive && client->state == TORUS_VTIME_POLLS))
			wants |= client->wants;
		*active |= !client->passive && client->state == TORUS_VTIME_WAITS && client->wants;
	}
	return wants;
}

enum torus_vtime_result torus_vtime_step(struct torus_fabric *f, u64 ticks)
{
	u64 until = f->clock + ticks, bound;
	struct torus_vtime_client *client;
	bool reached = false, active;
	enum torus_run run;
	u32 wants;

	if (!torus_vtime_started(f))
		return TORUS_VTIME_COMPUTE;
	for (client = f->vtime_clients; client; client = client->next)
		reached |= vtime_reached(f, client);
	bound = vtime_bound(f);
	if (bound <= f->clock)
		return reached ? TORUS_VTIME_MOVED : TORUS_VTIME_COMPUTE;
	wants = vtime_wants(f, &active);
	/* a waiting program may resume after any tick, so no domain may run ahead of another */
	f->in_step = wants & TORUS_WANT_NOTICE ? TORUS_STEP_ONE :
		     wants ? TORUS_STEP_TICKS : TORUS_STEP_FREE;
	f->run_through = bound != NEVER;
	if (vtime_apply(f)) {
		/* simulate this tick even without an event, because an action was applied in it */
		until = f->clock + 1;
		f->run_through = true;
	}
	run = torus_fabric_run(f, bound < until ? bound : until, 0, 1);
	f->run_through = false;
	f->in_step = TORUS_STEP_FREE;
	if (run == TORUS_RUN_FAILED)
		return TORUS_VTIME_FAILED;
	if (vtime_woken(f) || run != TORUS_RUN_IDLE)
		return TORUS_VTIME_MOVED;
	return active ? TORUS_VTIME_DEADLOCK : TORUS_VTIME_COMPUTE;
}
