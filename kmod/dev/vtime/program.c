// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual time: a program is a process, with one clock for all its contexts (core/run/programs.h).
 *
 * A program tells its clock with TORUS_IOC_CLOCK.  What it has put into its rings by then is
 * known from that call on, each packet with the tick at which it shall enter; what it has read,
 * from the tick of a look on.  Between two calls the engine knows nothing of a program, and so
 * does nothing that could depend on when it is let run.
 *
 * A context that is closed stays, as one that drains, until the program has left at its clock
 * and its rings are empty; a program leaves when its last context is closed.
 */
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "core/base/number.h"
#include "dev/base/params.h"
#include "dev/engine/client.h"
#include "dev/engine/engine.h"
#include "dev/engine/events.h"
#include "dev/engine/leader.h"
#include "program.h"

#define TORUS_STALL_TEXT	160

/* ------------------------------------------------------------------ come and go */

/* The calling process's program, NULL before its first context. */
static struct torus_program *torus_program_mine(struct torus_engine *e)
{
	struct torus_program *program;

	lockdep_assert_held(&e->lock.mutex);
	list_for_each_entry(program, &e->vtime.programs, link) {
		if (program->mm == current->mm && program->open)
			return program;
	}
	return NULL;
}

/**
 * torus_program_may() - may a context of the calling process be attached?
 * @e: the engine, held
 *
 * Return: 0; -ETIME when virtual time has begun, but for who has not told its clock yet.
 */
int torus_program_may(struct torus_engine *e)
{
	struct torus_program *mine;

	if (!e->vtime.enabled || !torus_programs_begun(e->fabric))
		return 0;
	mine = torus_program_mine(e);
	return mine && !mine->told ? 0 : -ETIME;
}

static const struct torus_clock_ops torus_program_ops;

/**
 * torus_program_join() - a context of the calling process gets its clock
 * @client: the context
 * @e: the engine, held
 *
 * Return: 0, -ENOMEM, -ETIME.
 */
int torus_program_join(struct torus_engine *e, struct torus_engine_client *client)
{
	struct torus_program *program;
	int err;

	if (!e->vtime.enabled)
		return 0;
	program = torus_program_mine(e);
	if (program) {
		refcount_inc(&program->ref);
	} else {
		program = kzalloc(sizeof(*program), TORUS_GFP_USER);
		if (!program)
			return -ENOMEM;
		err = torus_programs_add(e->fabric, &program->clock, &torus_program_ops, NULL);
		if (err) {
			kfree(program);
			return err;
		}
		refcount_set(&program->ref, 1);
		program->engine = e;
		program->mm = current->mm;
		program->known = program->clock.now;
		init_waitqueue_head(&program->wait);
		list_add_tail(&program->link, &e->vtime.programs);
		if (torus_programs_begun(e->fabric))
			e->vtime.since = jiffies;
	}
	program->moved = jiffies;
	program->open++;
	client->program = program;
	return 0;
}

/* Undo torus_program_join(), with the engine held since then. */
void torus_program_part(struct torus_engine *e, struct torus_engine_client *client)
{
	struct torus_program *program = client->program;

	if (!program)
		return;
	client->program = NULL;
	program->open--;
	if (!refcount_dec_and_test(&program->ref))
		return;
	list_del(&program->link);
	torus_programs_undo(e->fabric, &program->clock);
	kfree(program);
}

/* The context's group has been taken. */
void torus_program_tie(struct torus_engine *e, struct torus_engine_client *client)
{
	if (!client->program)
		return;
	torus_programs_tie(e->fabric, &client->program->clock, client->node, client->group);
	client->program->held++;
}

/**
 * torus_program_leave() - the context's file was closed
 * @client: the context; the engine is held
 *
 * A program that is done before the others have come counts as one that has: else it would be
 * a matter of chance whether it does.
 *
 * Return: true if it stays until the program has left; false if that has not told its clock, and
 * time has not begun.
 */
bool torus_program_leave(struct torus_engine_client *client)
{
	struct torus_program *program = client->program;

	program->open--;
	if (!program->told && !torus_programs_begun(program->engine->fabric))
		return false;
	client->ops->reveal(client, program->known);
	if (!program->open)
		torus_programs_leave(program->engine->fabric, &program->clock);
	return true;
}

/**
 * torus_program_evict() - the context is taken from its program
 * @client: the context; the engine is held
 *
 * What is left of the program must not wait for a file to be closed that is not its own any more.
 */
void torus_program_evict(struct torus_engine_client *client)
{
	struct torus_program *program = client->program;

	if (!program || client->draining)
		return;
	if (!--program->open &&
	    (program->told || torus_programs_begun(program->engine->fabric)))
		torus_programs_leave(program->engine->fabric, &program->clock);
}

/**
 * torus_program_has_clock() - has a process a clock that has not left virtual time?
 * @e: the engine, held
 * @mm: of the process
 *
 * Return: true if so: torus_engine_depart() is called when the clock leaves, or goes.
 */
bool torus_program_has_clock(struct torus_engine *e, const struct mm_struct *mm)
{
	struct torus_program *program;

	lockdep_assert_held(&e->lock.mutex);
	list_for_each_entry(program, &e->vtime.programs, link) {
		if (program->mm == mm && program->clock.state != TORUS_CLOCK_GONE)
			return true;
	}
	return false;
}

/* Has the program left, in virtual time too? */
bool torus_program_gone(const struct torus_engine_client *client)
{
	return client->program->clock.state == TORUS_CLOCK_GONE;
}

/* The context's group is given back; the engine is held. */
void torus_program_detach(struct torus_engine *e, struct torus_engine_client *client)
{
	if (client->program && torus_program_gone(client))
		torus_clock_forsake(e->fabric, client->node, client->group);
	else
		torus_nic_detach(e->fabric, client->node, client->group);
	/* the clock goes with its last group, while there is a fabric that knows it */
	if (client->program && !--client->program->held) {
		list_del(&client->program->link);
		torus_programs_remove(e->fabric, &client->program->clock);
		torus_engine_depart(e, client->program->mm, false);
	}
}

/* The context is no more. */
void torus_program_free(struct torus_engine_client *client)
{
	if (client->program && refcount_dec_and_test(&client->program->ref))
		kfree(client->program);
	client->program = NULL;
}

/* Whoever waits shall look whether the fabric is still there. */
void torus_program_wake(struct torus_engine_client *client)
{
	if (client->program)
		wake_up_all(&client->program->wait);
}

/* What TORUS_IOC_INFO tells of virtual time. */
void torus_program_info(const struct torus_engine_client *client, struct torus_ioc_info *info)
{
	const u64 *params;

	if (!client->program || torus_engine_hold(client->program->engine))
		return;
	params = torus_fabric_config(client->program->engine->fabric)->params;
	info->features |= TORUS_FEATURE_CLOCK;
	info->look_ticks = params[TORUS_P_LOOK];
	info->inject_packet_ticks = params[TORUS_P_INJECT_PACKET];
	info->inject_chunk_ticks = params[TORUS_P_INJECT_CHUNK];
	info->receive_packet_ticks = params[TORUS_P_RECEIVE_PACKET];
	info->receive_chunk_ticks = params[TORUS_P_RECEIVE_CHUNK];
	torus_engine_release(client->program->engine);
}

/* ------------------------------------------------------------------ its clock */

static u32 torus_program_look(struct torus_clock *clock)
{
	struct torus_program *program = container_of(clock, struct torus_program, clock);
	struct torus_engine_client *client;
	u32 got = 0;

	list_for_each_entry(client, &program->engine->clients.list, link) {
		if (client->program == program && !client->draining)
			got |= client->ops->look(client);
	}
	return got & clock->wants;
}

static void torus_program_resume(struct torus_clock *clock)
{
	struct torus_program *program = container_of(clock, struct torus_program, clock);

	program->known = clock->now;
	program->moved = jiffies;
	program->named = false;
	program->over_clock = clock->now;
	program->over_got = clock->got;
	WRITE_ONCE(program->over, program->begun);
	wake_up_all(&program->wait);
}

static void torus_program_left(struct torus_clock *clock)
{
	struct torus_program *program = container_of(clock, struct torus_program, clock);
	struct torus_engine *e = program->engine;
	struct torus_engine_client *client;

	list_for_each_entry(client, &e->clients.list, link) {
		if (client->program == program)
			torus_nic_leave(e->fabric, client->node, client->group);
	}
	torus_engine_depart(e, program->mm, true);
}

static const struct torus_clock_ops torus_program_ops = {
	.look = torus_program_look,
	.resume = torus_program_resume,
	.leave = torus_program_left,
};

static_assert(TORUS_CLOCK_ARRIVAL == TORUS_WANT_ARRIVAL && TORUS_CLOCK_ROOM == TORUS_WANT_ROOM &&
	      TORUS_CLOCK_NOTICE == TORUS_WANT_NOTICE);

/* Is this the call that a signal has broken off, made once more? */
static bool torus_program_again(const struct torus_program *program,
				const struct torus_ioc_clock *ask)
{
	return program->waits && ask->op == TORUS_CLOCK_WAIT &&
	       ask->clock == program->ask.clock && ask->until == program->ask.until &&
	       ask->wants == program->ask.wants;
}

/* Does a thread sleep in a wait that has not ended?  One that a signal has woken does not. */
static bool torus_program_sleeps(const struct torus_program *program)
{
	return program->sleepers && program->over != program->begun;
}

/* With the engine held: the program's clock moves, and its wait begins. */
static int torus_program_tell(struct torus_program *program, const struct torus_ioc_clock *ask)
{
	struct torus_fabric *f = program->engine->fabric;
	struct torus_engine_client *client;
	int err;

	err = torus_programs_move(f, &program->clock, ask->clock, NULL);
	if (err)
		return err;
	list_for_each_entry(client, &program->engine->clients.list, link) {
		if (client->program == program && !client->draining)
			client->ops->reveal(client, max(program->known, ask->clock));
	}
	program->known = program->clock.now;
	program->moved = jiffies;
	program->named = false;
	program->told = true;
	program->waits = ask->op == TORUS_CLOCK_WAIT;
	program->ask = *ask;
	/* a wait that a signal has broken off is given up */
	WRITE_ONCE(program->over, program->begun);
	if (program->waits) {
		program->begun++;
		program->sleepers = 0;
		torus_programs_wait(f, &program->clock, ask->wants, ask->until);
	}
	return 0;
}

/*
 * With the engine held: the call takes effect.  @wait: [out] number of the wait that it belongs to.
 *
 * A wait ends for all of its threads, and only its end wakes them: while one sleeps, another
 * thread may join the wait, but neither move the clock nor wait for something else.
 */
static int torus_program_begin(struct torus_engine_client *client, struct torus_ioc_clock *ask,
			       u32 *wait)
{
	struct torus_program *program = client->program;
	int err;

	if (client->program->engine->state == TORUS_FABRIC_FAILED)
		return -EIO;
	if (!torus_program_again(program, ask)) {
		if (torus_program_sleeps(program))
			return -EBUSY;
		err = torus_program_tell(program, ask);
		if (err)
			return err;
	}
	if (ask->op == TORUS_CLOCK_WAIT)
		program->sleepers++;
	*wait = program->begun;
	ask->clock = program->clock.now;
	ask->got = 0;
	return 0;
}

/* Has a wait ended?  The next ones may have, too. */
static bool torus_program_over(const struct torus_program *program, u32 wait)
{
	return (s32)(READ_ONCE(program->over) - wait) >= 0;
}

/* Sleep until the program's wait has ended, and take its result. */
static int torus_program_sleep(struct torus_engine_client *client, struct torus_ioc_clock *ask,
			       u32 wait)
{
	struct torus_program *program = client->program;
	struct torus_engine *e = program->engine;
	bool signal;
	int err = 0;

	signal = wait_event_interruptible(program->wait, torus_program_over(program, wait) ||
					  READ_ONCE(e->state) == TORUS_FABRIC_FAILED ||
					  /* pairs with the store in torus_file_kill() */
					  smp_load_acquire(&client->dead));
	/* though the context may have been evicted: others of the program may not */
	if (torus_engine_hold(e))
		return -ENODEV;
	if (wait == program->begun)
		program->sleepers--;
	if (client->dead) {
		err = -ENODEV;
	} else if (!torus_program_over(program, wait)) {
		/* it still waits: the call is made once more, or the clock moved */
		err = signal ? -ERESTARTSYS : -EIO;
	} else {
		if (wait == program->begun)
			program->waits = false;
		ask->clock = program->over_clock;
		ask->got = program->over_got;
	}
	torus_engine_release(e);
	return err;
}

/**
 * torus_program_ioctl() - TORUS_IOC_CLOCK
 * @client: a context
 * @argp: what the program does with its clock
 *
 * Return: 0; -EOPNOTSUPP when the fabric's time is free; -EINVAL; -ERANGE; -EBUSY when another
 * thread of the process waits; -EINTR; -ENODEV; -EIO when the fabric has stopped, for want of
 * memory; -EFAULT.
 */
int torus_program_ioctl(struct torus_engine_client *client, struct torus_ioc_clock __user *argp)
{
	struct torus_ioc_clock ask;
	u32 wait;
	int err;

	if (copy_from_user(&ask, argp, sizeof(ask)))
		return -EFAULT;
	if (memchr_inv(ask.reserved, 0, sizeof(ask.reserved)) || ask.op > TORUS_CLOCK_WAIT ||
	    ask.wants & ~(TORUS_CLOCK_ARRIVAL | TORUS_CLOCK_ROOM | TORUS_CLOCK_NOTICE))
		return -EINVAL;
	if (!client->program)
		return -EOPNOTSUPP;
	err = torus_engine_hold_client(client->program->engine, client);
	if (err)
		return err;
	err = torus_program_begin(client, &ask, &wait);
	torus_engine_release_kick(client->program->engine);
	if (!err && ask.op == TORUS_CLOCK_WAIT)
		err = torus_program_sleep(client, &ask, wait);
	if (err)
		return err;
	return copy_to_user(argp, &ask, sizeof(ask)) ? -EFAULT : 0;
}

/* ------------------------------------------------------------------ the engine's side */

/**
 * torus_program_last() - a context of the program that time waits for
 * @e: the engine, held
 *
 * Return: the context; NULL before time has begun, and where all programs wait.
 */
struct torus_engine_client *torus_program_last(struct torus_engine *e)
{
	struct torus_engine_client *client, *last = NULL;

	if (!torus_programs_begun(e->fabric))
		return NULL;
	list_for_each_entry(client, &e->clients.list, link) {
		if (!client->program || client->draining ||
		    client->program->clock.state != TORUS_CLOCK_RUNS)
			continue;
		if (!last || client->program->clock.now < last->program->clock.now)
			last = client;
	}
	return last;
}

/* Jiffies since when a program holds time up: nobody does before time has begun. */
static unsigned long torus_program_since(const struct torus_program *program)
{
	return time_after(program->engine->vtime.since, program->moved) ?
	       program->engine->vtime.since : program->moved;
}

/* Milliseconds for which a program has not moved its clock, in time that has begun. */
u64 torus_program_stood_ms(const struct torus_program *program)
{
	return jiffies_to_msecs(jiffies - torus_program_since(program));
}

static void torus_program_tell_stall(struct torus_engine *e, struct torus_engine_client *client)
{
	char text[TORUS_STALL_TEXT];

	if (!client) {
		e->vtime.stalled = true;
		scnprintf(text, sizeof(text),
			  "all programs wait, without a time-out, and %s",
			  torus_fabric_in_flight(e->fabric) ?
			  "no packet that is under way can move" : "nothing is under way");
		torus_event_send_held(e, &(struct torus_event_note){
			.event = TORUS_EVENT_STALL,
			.text = text,
		});
		return;
	}
	client->program->named = true;
	scnprintf(text, sizeof(text),
		  "time stands at %llu: %s neither computes nor waits",
		  client->program->clock.now, client->holder.command);
	torus_event_send_held(e, &(struct torus_event_note){
		.event = TORUS_EVENT_STALL,
		.node = &client->node,
		.group = &client->group,
		.holder = &client->holder,
		.text = text,
	});
}

/* struct torus_vtime_ops.run. Out of memory: the engine's state says so. */
static bool torus_program_run(struct torus_engine *e, u64 ticks)
{
	switch (torus_programs_step(e->fabric, ticks)) {
	case TORUS_PROGRAMS_MOVED:
		e->vtime.stalled = false;
		e->state = TORUS_FABRIC_RUNNING;
		return true;
	case TORUS_PROGRAMS_COMPUTE:
		e->state = torus_fabric_in_flight(e->fabric) ? TORUS_FABRIC_RUNNING :
							       TORUS_FABRIC_IDLE;
		return false;
	case TORUS_PROGRAMS_DEADLOCK:
		e->state = TORUS_FABRIC_DEADLOCKED;
		if (!e->vtime.stalled)
			torus_program_tell_stall(e, NULL);
		return false;
	case TORUS_PROGRAMS_FAILED:
		break;
	}
	e->state = TORUS_FABRIC_FAILED;
	return false;
}

/* struct torus_vtime_ops.rest */
static long torus_program_rest(struct torus_engine *e, long timeout)
{
	struct torus_engine_client *client;
	unsigned long due;

	client = torus_program_last(e);
	if (!client || client->program->named)
		return timeout;
	due = torus_program_since(client->program) + torus_param_virtual_stall_jiffies();
	if (time_before(jiffies, due))
		return clamp_t(long, due - jiffies, 1, timeout);
	torus_program_tell_stall(e, client);
	return timeout;
}

const struct torus_vtime_ops torus_program_vtime_ops = {
	.run = torus_program_run,
	.rest = torus_program_rest,
};

/**
 * torus_program_busy() - contexts that hinder a reset
 * @e: the engine, held
 *
 * Closed ones, which may wait for a time that does not come, are let go of.
 *
 * Return: how many are open.
 */
u32 torus_program_busy(struct torus_engine *e)
{
	u32 open = e->clients.attached - e->clients.draining;

	if (!open)
		torus_engine_retire(e, true);
	return open;
}
