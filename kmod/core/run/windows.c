// SPDX-License-Identifier: GPL-2.0
/*
 * Simulate in YAWNS windows (Adiga et al. (2005), Simulator overview), with one leader and its
 * workers.
 */
#include "core/run/fabric.h"
#include "core/nic/group.h"
#include "core/nic/completion_report.h"
#include "core/run/routing_tables.h"
#include "core/run/windows.h"
#include "core/state/domain.h"
#include "core/state/mail.h"
#include "core/state/stop.h"

/* Wait at a sense-reversing spin barrier over the threads of a run. */
static void window_barrier_wait(struct torus_fabric *f, u32 *sense)
{
	/* read before arriving: after the last barrier, the next run may change it */
	u32 threads = f->run_threads, spins = 0;

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

torus_inline void window_barrier(struct torus_fabric *f, u32 *sense)
{
	if (f->run_threads > 1)
		window_barrier_wait(f, sense);
}

/*
 * Collect a domain's mail. A single domain usually has no mail, so test for that before the call.
 */
torus_inline void window_collect(struct torus_domain *d, u32 parity)
{
	if (d->from || d->far[parity])
		torus_mail_collect(d, parity);
}

static void window_run(struct torus_domain *d, u64 start, u64 end, u32 parity)
{
	/* no event is due before @start: advance the wheel to the tick before @start */
	d->wheel.now = start - 1;
	window_collect(d, parity ^ 1);
	d->parity = parity;
	d->mail_at = ~0ull;
	d->f->router->run(d, end);
	d->next_at[parity] = torus_domain_next(d);
	if (d->mail_at < d->next_at[parity])
		d->next_at[parity] = d->mail_at;
	d->working[parity] = torus_domain_working(d);
	d->woken[parity] = d->woke || (d->f->stop && d->met != TORUS_NOT_MET);
}

/*
 * In a run without a budget, a single domain with fewer than WINDOW_FEW pending events simulates
 * WINDOW_TOGETHER windows as one.
 */
#define WINDOW_FEW	64
#define WINDOW_TOGETHER	32

/*
 * Return the length of the next window, at most the lowest delay between two domains ("Windows of
 * length w"). A single domain depends on no other: if it has few events and the run no budget, its
 * windows are longer, because each window has a fixed cost.
 */
static u64 window_span(const struct torus_fabric *f, u64 start)
{
	if (f->in_step || f->stop || (!start && f->router->interrupts))
		return 1;
	if (f->ndomains == 1 && !f->run_budget && f->domain->wheel.pending < WINDOW_FEW)
		return (u64)WINDOW_TOGETHER * f->lookahead;
	return f->lookahead;
}

/*
 * Run all windows of a run as thread @thread. Each thread computes the same start, and so the same
 * end, of a window from the values that the domains published at the end of the last one.
 */
static void window_run_all(struct torus_fabric *f, u32 thread)
{
	/*
	 * start with the sense of the last run: a slow worker may still be in that run's last
	 * barrier
	 */
	u32 sense = torus_load(&f->barrier_sense);
	u32 parity = 0, i, end_why = TORUS_RUN_BUDGET;
	u64 windows, start = 0, end = f->clock, span;

	for (windows = 0; ; windows++) {
		bool woken = f->in_step == TORUS_STEP_ONE && windows;
		bool failed = false, work = f->run_on;

		window_barrier(f, &sense);
		/* thread 0 handles the mail of the other processes */
		if (f->cfg.procs) {
			if (!thread)
				f->cfg.procs->meet(f->cfg.procs, f, parity);
			window_barrier(f, &sense);
		}
		/*
		 * all workers have joined this run: a worker that is early for the next run must
		 * now wait
		 */
		if (!windows && !thread)
			torus_store(&f->run_open, 0);
		start = ~0ull;
		for (i = 0; i < f->ndomains; i++) {
			u64 at = torus_load(&f->domain[i].next_at[parity]);

			start = at < start ? at : start;
			failed |= torus_load(&f->domain[i].failed);
			work |= torus_load(&f->domain[i].working[parity]);
			woken |= torus_load(&f->domain[i].woken[parity]);
		}
		if (failed)
			end_why = TORUS_RUN_FAILED;
		else if (woken)
			end_why = TORUS_RUN_BUDGET;
		else if (!work)
			end_why = TORUS_RUN_IDLE;
		else if (start >= f->run_until)
			end_why = TORUS_RUN_TIME;
		else if (f->run_budget && windows == f->run_budget)
			end_why = TORUS_RUN_BUDGET;
		else if (f->run_budget && windows && start < end)
			/* a domain stopped within the last window, because the window takes long */
			end_why = TORUS_RUN_BUDGET;
		else
			end_why = ~0u;
		if (end_why != ~0u)
			break;
		span = window_span(f, start);
		end = start + span < f->run_until ? start + span : f->run_until;
		parity ^= 1;
		for (i = f->own_first + thread; i < f->own_end; i += f->run_threads)
			window_run(&f->domain[i], start, end, parity);
		torus_breathe();
	}
	/* all threads must have read the results before the next run starts */
	window_barrier(f, &sense);
	if (thread)
		return;
	f->run_end = end_why;
	f->run_parity = parity;
	f->run_stop = start < end ? start : end;
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
	window_run_all(f, thread);
}

/* Set all domains to tick @clock and collect their mail, without simulating. */
static void window_settle(struct torus_fabric *f, u64 clock, u32 parity)
{
	u32 i;

	for (i = f->own_first; i < f->own_end; i++) {
		struct torus_domain *d = &f->domain[i];

		d->wheel.now = clock - 1;
		d->now = clock;
		d->done = clock;
		window_collect(d, parity);
		/*
		 * mail that is sent between two runs is collected in the first window of the next
		 * run
		 */
		d->parity = 0;
		d->mail_at = ~0ull;
	}
	f->clock = clock;
}

/*
 * Check whether the clock must advance to the next staged tables although no event is pending.
 * Blocked packets may move with these tables. If readers block packets and rx_stall limits the time
 * for that, only torus_fabric_idle_advance() advances the clock, at its own pace.
 */
static bool window_walks(struct torus_fabric *f)
{
	return f->routes_waiting && torus_fabric_in_flight(f) &&
	       !(f->rx_stall && torus_nic_blocked(f));
}

/*
 * Return the result of a run. A run that switched tables, or that waits for staged tables, is not
 * finished.
 */
static enum torus_run window_verdict(struct torus_fabric *f, u64 until)
{
	if (f->run_end == TORUS_RUN_TIME && f->clock < until)
		return TORUS_RUN_BUDGET;
	if (f->run_end == TORUS_RUN_IDLE && (torus_fabric_pending(f) || window_walks(f)))
		return TORUS_RUN_BUDGET;
	return f->run_end;
}

enum torus_run torus_fabric_run(struct torus_fabric *f, u64 until, u64 budget, u32 threads)
{
	u64 clock = f->clock, turn = f->routes_waiting ? torus_routes_next(f) : ~0ull;
	u32 i;

	if (f->run_threads != (threads ? threads : 1))
		torus_mail_threads(f, threads ? threads : 1);
	for (i = 0; i < f->ndomains; i++) {
		struct torus_domain *d = &f->domain[i];

		d->next_at[0] = torus_domain_next(d);
		if (d->mail_at < d->next_at[0])
			d->next_at[0] = d->mail_at;
		d->working[0] = torus_domain_working(d);
		d->woke = false;
		d->woken[0] = false;
	}
	f->run_on = !torus_fabric_pending(f) && window_walks(f);
	f->run_on |= f->run_through;
	f->run_until = until < turn ? until : turn;
	/* an event since the last run has met the stop condition: simulate only the current tick */
	if (f->stop && clock + 1 < f->run_until && torus_stop_met(f, NULL))
		f->run_until = clock + 1;
	f->run_budget = budget;
	torus_store_release(&f->run_open, f->run_threads > 1);
	window_run_all(f, 0);

	switch (f->run_end) {
	case TORUS_RUN_TIME:
		clock = f->run_until;
		break;
	case TORUS_RUN_BUDGET:
		clock = f->run_stop;
		break;
	default:
		for (i = 0; i < f->ndomains; i++)
			if (f->domain[i].done > clock)
				clock = f->domain[i].done;
	}
	window_settle(f, clock, f->run_parity);
	if (f->cfg.procs)
		torus_procs_exchange_stats(f);
	torus_completions_deliver(f);
	if (f->run_end == TORUS_RUN_FAILED)
		torus_completions_report_failure(f);
	if (f->routes_waiting)
		torus_routes_turn(f);
	return window_verdict(f, until);
}

enum torus_run torus_fabric_run_through(struct torus_fabric *f, u64 until, u64 budget,
					bool through)
{
	enum torus_run run;

	f->run_through = through;
	run = torus_fabric_run(f, until, budget, 1);
	f->run_through = false;
	return run;
}

bool torus_fabric_spent(const struct torus_fabric *f)
{
	return f->run_end == TORUS_RUN_BUDGET;
}

u64 torus_fabric_next(const struct torus_fabric *f)
{
	u64 next = torus_routes_next(f);
	u32 i;

	for (i = 0; i < f->ndomains; i++) {
		u64 at = torus_domain_next(&f->domain[i]);

		next = at < next ? at : next;
		next = f->domain[i].mail_at < next ? f->domain[i].mail_at : next;
	}
	return next;
}

void torus_fabric_idle_advance(struct torus_fabric *f, u64 ticks)
{
	u64 next = torus_fabric_next(f), clock = f->clock + ticks;

	window_settle(f, clock < next ? clock : next, 0);
	torus_routes_turn(f);
}
