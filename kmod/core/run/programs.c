// SPDX-License-Identifier: GPL-2.0
/* Virtual time: the clocks of programs bound the fabric's. */
#include "core/run/programs.h"
#include "core/run/fabric.h"
#include "core/run/windows.h"

#define NEVER	(~0ull)

bool torus_programs_virtual(const struct torus_fabric *f)
{
	return f->cfg.params[TORUS_P_TIME] == TORUS_TIME_VIRTUAL;
}

bool torus_programs_begun(const struct torus_fabric *f)
{
	return f->programs && f->programs == f->cfg.params[TORUS_P_PROGRAMS];
}

int torus_programs_add(struct torus_fabric *f, struct torus_clock *clock,
		       const struct torus_clock_ops *ops, struct torus_error *err)
{
	if (torus_programs_begun(f))
		return torus_fail(err, ETIME,
				  "time began when %u programs had come: nobody may come later "
				  "until the fabric is reset", f->programs);
	*clock = (struct torus_clock){ .ops = ops, .now = f->clock, .next = f->clocks };
	f->clocks = clock;
	f->programs++;
	return 0;
}

void torus_programs_tie(struct torus_fabric *f, struct torus_clock *clock, u32 node, u32 group)
{
	torus_nic_get(f, node, group)->clock = clock;
}

void torus_programs_remove(struct torus_fabric *f, struct torus_clock *clock)
{
	struct torus_clock **at;
	u32 i;

	for (at = &f->clocks; *at && *at != clock; at = &(*at)->next)
		;
	if (*at)
		*at = clock->next;
	/* before time has begun it may be somebody else's turn */
	if (!torus_programs_begun(f))
		f->programs--;
	for (i = 0; i < f->nattached; i++)
		if (f->nic[f->attached[i]]->clock == clock)
			f->nic[f->attached[i]]->clock = NULL;
}

void torus_programs_undo(struct torus_fabric *f, struct torus_clock *clock)
{
	bool begun = torus_programs_begun(f);

	torus_programs_remove(f, clock);
	f->programs -= begun;
}

/* Who has waited until now, and does not any more, has the fabric's clock. */
static void program_wake(const struct torus_fabric *f, struct torus_clock *clock)
{
	if (clock->state == TORUS_CLOCK_WAITS && clock->now < f->clock)
		clock->now = f->clock;
}

int torus_programs_move(struct torus_fabric *f, struct torus_clock *clock, u64 at,
			struct torus_error *err)
{
	program_wake(f, clock);
	if (at > TORUS_CLOCK_MAX)
		return torus_fail(err, ERANGE, "clock %llu: at most %llu", at, TORUS_CLOCK_MAX);
	if (at > clock->now && at - clock->now > TORUS_CLOCK_STEP_MAX)
		return torus_fail(err, ERANGE,
				  "clock %llu is more than %llu ticks behind the program's, %llu",
				  at, TORUS_CLOCK_STEP_MAX, clock->now);
	if (at > clock->now)
		clock->now = at;
	clock->state = TORUS_CLOCK_RUNS;
	return 0;
}

void torus_programs_wait(struct torus_fabric *f, struct torus_clock *clock, u32 wants, u64 until)
{
	clock->wants = wants;
	clock->until = until > clock->now ? until : clock->now;
	clock->got = 0;
	clock->state = TORUS_CLOCK_LOOKS;
}

void torus_programs_leave(struct torus_fabric *f, struct torus_clock *clock)
{
	program_wake(f, clock);
	clock->state = TORUS_CLOCK_LEAVES;
}

static void program_resume(struct torus_clock *clock, u32 got)
{
	clock->got = got;
	clock->state = TORUS_CLOCK_RUNS;
	clock->ops->resume(clock);
}

void torus_programs_reset(struct torus_fabric *f)
{
	struct torus_clock *clock;

	torus_clock_reset(f);
	f->programs = 0;
	for (clock = f->clocks; clock; clock = clock->next) {
		clock->now = 0;
		clock->read = false;
		f->programs++;
		if (clock->state == TORUS_CLOCK_WAITS || clock->state == TORUS_CLOCK_LOOKS)
			program_resume(clock, 0);
	}
}

/* The fabric has come to the tick of a program that looks, or waits until then. */
static bool program_reached(struct torus_fabric *f, struct torus_clock *clock)
{
	u32 got;

	if (clock->state == TORUS_CLOCK_LOOKS && clock->now == f->clock) {
		got = clock->ops->look(clock);
		clock->read = true;
		if (got || !clock->wants || clock->until <= clock->now) {
			program_resume(clock, got);
			return true;
		}
		memset(clock->woken, 0, sizeof(clock->woken));
		clock->got = 0;
		clock->state = TORUS_CLOCK_WAITS;
		return true;
	}
	if (clock->state == TORUS_CLOCK_WAITS && clock->until == f->clock) {
		clock->now = f->clock;
		clock->ops->look(clock);
		clock->read = true;
		program_resume(clock, 0);
		return true;
	}
	return false;
}

/* The first tick in which some program may still do something. */
static u64 programs_bound(struct torus_fabric *f)
{
	struct torus_clock *clock;
	u64 bound = NEVER, at;

	for (clock = f->clocks; clock; clock = clock->next) {
		at = clock->state == TORUS_CLOCK_GONE ? NEVER :
		     clock->state == TORUS_CLOCK_WAITS ? clock->until : clock->now;
		/* it leaves in this tick, with what else happens in it */
		if (clock->state == TORUS_CLOCK_LEAVES && at == f->clock)
			continue;
		bound = at < bound ? at : bound;
	}
	return bound;
}

/* The tick of the fabric's clock begins: what programs did at that clock is felt, if anything. */
static bool programs_feel(struct torus_fabric *f)
{
	struct torus_clock *clock;
	bool felt = false;
	u32 i;

	for (i = 0; i < f->nattached; i++) {
		struct torus_nic *nic = f->nic[f->attached[i]];

		if (nic->clock && nic->clock->read)
			felt |= torus_nic_drain(f, nic);
	}
	for (clock = f->clocks; clock; clock = clock->next) {
		clock->read = false;
		if (clock->state != TORUS_CLOCK_LEAVES || clock->now != f->clock)
			continue;
		clock->state = TORUS_CLOCK_GONE;
		clock->ops->leave(clock);
		felt = true;
	}
	return felt;
}

/* Who was waiting for what has happened before the fabric's clock goes on from there. */
static bool programs_woken(struct torus_fabric *f)
{
	struct torus_clock *clock;
	bool any = false;
	u32 what;

	for (clock = f->clocks; clock; clock = clock->next) {
		if (clock->state != TORUS_CLOCK_WAITS)
			continue;
		for (what = 0; what < TORUS_HAPPENINGS; what++)
			clock->got |= (u32)clock->woken[what] << what;
		if (!clock->got)
			continue;
		clock->now = f->clock;
		clock->state = TORUS_CLOCK_LOOKS;
		any = true;
	}
	return any;
}

static u32 programs_wants(struct torus_fabric *f)
{
	struct torus_clock *clock;
	u32 wants = 0;

	for (clock = f->clocks; clock; clock = clock->next)
		if (clock->state == TORUS_CLOCK_WAITS)
			wants |= clock->wants;
	return wants;
}

enum torus_programs torus_programs_step(struct torus_fabric *f, u64 ticks)
{
	u64 until = f->clock + ticks, bound;
	struct torus_clock *clock;
	bool reached = false;
	enum torus_run run;
	u32 wants;

	if (!torus_programs_begun(f))
		return TORUS_PROGRAMS_COMPUTE;
	for (clock = f->clocks; clock; clock = clock->next)
		reached |= program_reached(f, clock);
	bound = programs_bound(f);
	if (bound <= f->clock)
		return reached ? TORUS_PROGRAMS_MOVED : TORUS_PROGRAMS_COMPUTE;
	wants = programs_wants(f);
	/* one tick at a time: who waits may have to go on behind any */
	f->in_step = wants & TORUS_WANT_NOTICE ? TORUS_STEP_ONE :
		     wants ? TORUS_STEP_TICKS : TORUS_STEP_FREE;
	f->run_through = bound != NEVER;
	if (programs_feel(f)) {
		/* in this tick, whatever else there is in it */
		until = f->clock + 1;
		f->run_through = true;
	}
	run = torus_fabric_run(f, bound < until ? bound : until, 0, 1);
	f->run_through = false;
	f->in_step = TORUS_STEP_FREE;
	if (run == TORUS_RUN_FAILED)
		return TORUS_PROGRAMS_FAILED;
	if (programs_woken(f) || run != TORUS_RUN_IDLE)
		return TORUS_PROGRAMS_MOVED;
	return wants ? TORUS_PROGRAMS_DEADLOCK : TORUS_PROGRAMS_COMPUTE;
}
