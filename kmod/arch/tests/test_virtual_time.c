// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual time: results depend only on the actions of the programs, not on the real time at which
 * a program runs, nor on the division of the fabric. A program here is a list of actions. A
 * scheduler runs programs and pieces of the simulation in random order.
 */
#include "arch/tests/bgl_rig.h"
#include "core/nic/inject.h"
#include "core/run/virtual_time.h"

#define PROGRAMS	16
#define ROUNDS		12
#define FIFOS		3
#define RING		256	/* maximum packets that a program puts into a ring */
#define UNREAD		6	/* capacity of a reception ring in packets */

struct program_ring {
	struct rig_message *out;
	u64 stamp[RING];
	u32 put, known, pulled;
	u64 woken;
};

/* A FIFO group of a program, with its rings as the device stores them. */
struct seat {
	struct torus_fabric *f;
	u32 node, group;
	struct rig_client packer;	/* only builds packets */
	struct program_ring ring[FIFOS];
	struct rig_message *in;
	u32 ins, taken, read;
	u64 completed;
	u32 losses, bad;	/* @bad: number of rejected packets that are not reported yet */
};

struct program {
	struct torus_vtime_client clock;
	struct seat seat[2];
	u32 seats;
	u64 rng;
	u64 now;
	u64 digest;
	u32 round;
	bool blocked, finished, left;
};

struct world {
	struct torus_fabric *f;
	struct program program[PROGRAMS];
	u32 programs;
};

/* ------------------------------------------------------- callbacks of the client */

static u32 seat_pull(void *client, u32 fifo, u32 room, u8 *bytes, u32 *number)
{
	struct seat *s = client;
	struct program_ring *r = &s->ring[fifo % FIFOS];
	struct rig_message *m = &r->out[r->pulled];
	u64 stamp = r->stamp[r->pulled];

	if (fifo >= FIFOS || r->pulled == r->known)
		return 0;
	if (stamp > torus_nic_clock(s->f, s->node)) {
		if (r->woken < stamp)
			torus_nic_wake(s->f, s->node, stamp);
		r->woken = stamp;
		return 0;
	}
	if (m->chunks > room)
		return 0;
	memcpy(bytes, m->bytes, m->chunks * 32);
	*number = fifo << 16 | r->pulled++;
	return m->chunks;
}

static void seat_refused(void *client, u32 fifo, u32 code)
{
	assert_true(((struct seat *)client)->bad--);
}

static void seat_accepted(void *client, u32 fifo)
{
}

static bool seat_push(void *client, u32 fifo, const u8 *bytes, u32 chunks)
{
	struct seat *s = client;
	struct rig_message *m = &s->in[s->ins];

	if (s->ins - s->read >= UNREAD)
		return false;
	assert_true(s->ins < RIG_RING);
	memcpy(m->bytes, bytes, chunks * 32);
	m->chunks = (u8)chunks;
	m->fifo = (u8)fifo;
	m->at = torus_nic_clock(s->f, s->node);
	s->ins++;
	return true;
}

static void seat_notify(void *client)
{
}

static void seat_lost(void *client, const struct torus_lost_packet *loss)
{
	((struct seat *)client)->losses++;
}

static void seat_ended(void *client, u64 completed)
{
	((struct seat *)client)->completed = completed;
}

static const struct torus_nic_ops seat_ops = {
	.pull = seat_pull,
	.refused = seat_refused,
	.accepted = seat_accepted,
	.push = seat_push,
	.notify = seat_notify,
	.lost = seat_lost,
	.ended = seat_ended,
};

static u32 clock_look(struct torus_vtime_client *clock)
{
	struct program *p = (struct program *)clock;
	u32 got = clock->got, i;

	for (i = 0; i < p->seats; i++) {
		p->seat[i].read = p->seat[i].taken;
		if (p->seat[i].ins > p->seat[i].taken)
			got |= TORUS_WANT_ARRIVAL;
	}
	return got & clock->wants;
}

static void clock_resume(struct torus_vtime_client *clock)
{
	((struct program *)clock)->blocked = false;
}

static void clock_leave(struct torus_vtime_client *clock)
{
	struct program *p = (struct program *)clock;
	u32 i;

	for (i = 0; i < p->seats; i++)
		torus_nic_leave(p->seat[i].f, p->seat[i].node, p->seat[i].group);
	p->left = true;
}

static const struct torus_vtime_client_ops clock_ops = {
	.poll = clock_look,
	.resume = clock_resume,
	.leave = clock_leave,
};

/* ---------------------------------------------------------- actions of the programs */

static u32 draw(struct program *p, u32 below)
{
	return torus_random_below(&p->rng, below);
}

static void note(struct program *p, u64 value)
{
	p->digest = torus_mix(p->digest + value);
}

static void put(struct program *p, u32 seat, u32 fifo, u32 dst, u32 pid, u32 chunks)
{
	struct seat *s = &p->seat[seat];
	struct program_ring *r = &s->ring[fifo];

	assert_true(r->put < RING);
	s->packer.outs = 0;
	r->out[r->put] = *rig_send(&s->packer, dst, pid, chunks, fifo & 1,
				   s->node << 12 | s->group << 10 | r->put);
	r->stamp[r->put++] = p->now;
	p->now += 5;
}

/* Report the program's new packets and its clock to the fabric. */
static void report(struct program *p)
{
	struct torus_error err;
	u32 i, fifo;

	for (i = 0; i < p->seats; i++)
		for (fifo = 0; fifo < FIFOS; fifo++) {
			struct program_ring *r = &p->seat[i].ring[fifo];

			if (r->known < r->put)
				torus_nic_wake(p->seat[i].f, p->seat[i].node,
					       r->stamp[r->known]);
			r->known = r->put;
		}
	assert_int_equal(torus_vtime_client_advance(p->seat[0].f, &p->clock, p->now, &err), 0);
}

static void block(struct program *p, u32 wants, u64 until)
{
	report(p);
	p->blocked = true;
	torus_vtime_client_wait(p->seat[0].f, &p->clock, wants, until);
}

static void leave(struct program *p)
{
	report(p);
	p->finished = true;
	torus_vtime_client_leave(p->seat[0].f, &p->clock);
}

/* Record all that the program can see when it continues, and read its packets. */
static void take(struct program *p)
{
	u32 i;

	p->now = p->clock.now;
	note(p, p->now);
	note(p, p->clock.got);
	for (i = 0; i < p->seats; i++) {
		struct seat *s = &p->seat[i];

		note(p, s->completed);
		note(p, s->losses);
		while (s->taken < s->ins) {
			const struct rig_message *m = &s->in[s->taken++];

			assert_true(m->at < p->now);
			note(p, m->at << 32 | rig_mark(m->bytes, m->chunks));
			p->now += 3;
		}
	}
}

/* Do the actions of a program from one wait to the next. */
static void act(struct world *w, struct program *p)
{
	u32 packets, i;

	take(p);
	if (p->round++ == ROUNDS + p->seat[0].node % 3) {
		leave(p);
		return;
	}
	p->now += draw(p, 3) ? draw(p, 600) : 0;
	if (draw(p, 2))
		report(p);
	for (packets = draw(p, 9), i = 0; i < packets; i++) {
		struct program *to = &w->program[draw(p, w->programs)];
		struct seat *at = &to->seat[draw(p, to->seats)];

		if (to != p)
			put(p, draw(p, p->seats), draw(p, FIFOS), at->node, at->group,
			    1 + draw(p, 8));
	}
	switch (draw(p, 6)) {
	case 0:
		block(p, 0, 0);
		break;
	case 1:
		block(p, TORUS_WANT_ROOM | TORUS_WANT_ARRIVAL, p->now + draw(p, 2000));
		break;
	case 2:
		block(p, TORUS_WANT_NOTICE, p->now + draw(p, 2000));
		break;
	default:
		block(p, TORUS_WANT_ARRIVAL, p->now + draw(p, 5000));
	}
}

/* ----------------------------------------------------------------------- scheduler */

static void come(struct world *w, u32 i)
{
	struct program *p = &w->program[i];
	struct torus_error err;
	u32 generation, j, fifo;

	p->rng = torus_random_seed(3, 3, i);
	p->seats = 1 + i % 2;
	assert_int_equal(torus_vtime_client_add(w->f, &p->clock, &clock_ops, &err), 0);
	for (j = 0; j < p->seats; j++) {
		struct seat *s = &p->seat[j];

		s->f = w->f;
		s->node = i;
		s->group = j;
		s->packer.f = w->f;
		s->packer.node = i;
		s->packer.group = j;
		s->packer.out = calloc(1, sizeof(*s->packer.out));
		s->in = calloc(RIG_RING, sizeof(*s->in));
		for (fifo = 0; fifo < FIFOS; fifo++)
			s->ring[fifo].out = calloc(RING, sizeof(struct rig_message));
		assert_int_equal(torus_nic_attach(w->f, i, j, false, &seat_ops, s,
						  &generation, &err), 0);
		torus_vtime_client_bind(w->f, &p->clock, i, j);
	}
}

static struct world *begin(const char *shape, const char *settings, u32 programs, u64 *dice)
{
	struct world *w = calloc(1, sizeof(*w));
	char all[128];
	u32 order[PROGRAMS], i;

	snprintf(all, sizeof(all), "time=virtual programs=%u %s", programs, settings);
	w->f = rig_make(shape, all);
	w->programs = programs;
	for (i = 0; i < programs; i++)
		order[i] = i;
	for (i = programs; i > 1; i--) {
		u32 j = torus_random_below(dice, i), k = order[i - 1];

		order[i - 1] = order[j];
		order[j] = k;
	}
	for (i = 0; i < programs; i++)
		come(w, order[i]);
	return w;
}

static void end(struct world *w)
{
	u32 i, j, fifo;

	for (i = 0; i < w->programs; i++) {
		struct program *p = &w->program[i];

		torus_vtime_client_remove(w->f, &p->clock);
		for (j = 0; j < p->seats; j++) {
			torus_nic_detach(w->f, p->seat[j].node, p->seat[j].group);
			free(p->seat[j].packer.out);
			free(p->seat[j].in);
			for (fifo = 0; fifo < FIFOS; fifo++)
				free(p->seat[j].ring[fifo].out);
		}
	}
	torus_fabric_destroy(w->f);
	free(w);
}

static enum torus_vtime_result simulate(struct world *w, u64 ticks)
{
	return torus_vtime_step(w->f, ticks);
}

/* Simulate until the fabric waits for a program. */
static enum torus_vtime_result rest(struct world *w)
{
	enum torus_vtime_result how;

	do
		how = simulate(w, 5000);
	while (how == TORUS_VTIME_MOVED);
	return how;
}

/* Orphan each group of a program that has left, at a random time after its rings are empty. */
static void forsake(struct program *p)
{
	u32 j, fifo;

	for (j = 0; p->left && j < p->seats; j++) {
		struct seat *s = &p->seat[j];
		bool empty = torus_nic_get(s->f, s->node, s->group)->client;

		for (fifo = 0; fifo < FIFOS; fifo++)
			empty &= s->ring[fifo].pulled == s->ring[fifo].put;
		if (empty)
			torus_vtime_client_orphan(s->f, s->node, s->group);
	}
}

struct vtime_outcome {
	u64 hash, delivered, dropped, unread, clock, digest, clocks;
	u64 stalls;
};

static struct vtime_outcome play(const char *settings, u64 seed)
{
	u64 dice = torus_random_seed(9, 9, seed);
	struct world *w = begin("4x2x2", settings, PROGRAMS, &dice);
	struct torus_fabric_counters *all = calloc(1, sizeof(*all));
	struct vtime_outcome out = { 0 };
	u32 finished = 0, i, node, dir;

	while (finished < PROGRAMS) {
		struct program *p = &w->program[torus_random_below(&dice, PROGRAMS)];

		if (!torus_random_below(&dice, 8))
			simulate(w, 1 + torus_random_below(&dice, 3000));
		forsake(p);
		if (p->finished || p->blocked)
			continue;
		act(w, p);
		finished += p->finished;
	}
	assert_int_equal(rest(w), TORUS_VTIME_COMPUTE);
	for (i = 0; i < PROGRAMS; i++) {
		out.digest += torus_mix(w->program[i].digest + i);
		out.clocks += torus_mix(w->program[i].now * 64 + i);
	}
	torus_fabric_counters(w->f, all);
	out.hash = all->hash;
	out.delivered = all->delivered;
	out.unread = all->unread;
	out.dropped = all->dropped[TORUS_DROP_NO_LISTENER];
	for (node = 0; node < w->f->nodes; node++)
		for (dir = 0; dir < 6; dir++)
			for (i = 0; i < TORUS_STALL_MAX; i++)
				out.stalls += rig_link(w->f, node, dir).stalls[i];
	rig_empty(w->f);
	end(w);
	free(all);
	return out;
}

static void test_schedules(void **state)
{
	static const char *const settings[] = { "domains=1", "domains=2", "domains=5" };
	u32 seeds = rig_soak() ? 300 : 17, i, j;
	struct vtime_outcome one = play(settings[0], 0), other;

	assert_true(one.delivered > 500);
	assert_true(one.unread > 0);
	for (i = 0; i < COUNT(settings); i++)
		for (j = 0; j < seeds; j++) {
			other = play(settings[i], 1 + j);
			assert_memory_equal(&one, &other, sizeof(one));
		}
}

static void test_schedules_with_errors(void **state)
{
	struct vtime_outcome one = play("domains=1 ber=1e-4 no_listener=hold", 0), other;
	u32 i;

	for (i = 0; i < 4; i++) {
		other = play("domains=4 ber=1e-4 no_listener=hold", 1 + i);
		assert_memory_equal(&one, &other, sizeof(one));
	}
}

/* A wait ends at its tick or after an arrival. Time starts when all programs have attached. */
static void test_waits(void **state)
{
	u64 dice = 1;
	struct world *w = begin("4x1x1", "domains=2", 2, &dice);
	struct program *a = &w->program[0], *b = &w->program[1];
	struct torus_error err;
	struct torus_vtime_client late;

	assert_int_equal(torus_vtime_client_add(w->f, &late, &clock_ops, &err), -ETIME);
	assert_says(err.text, "2 program reset");
	assert_int_equal(simulate(w, 1000), TORUS_VTIME_COMPUTE);
	assert_int_equal(torus_fabric_clock(w->f), 0);
	block(a, TORUS_WANT_ARRIVAL, 777);
	rest(w);
	assert_true(a->blocked);
	b->now = 10000;
	report(b);
	rest(w);
	assert_false(a->blocked);
	assert_int_equal(a->clock.now, 777);
	assert_int_equal(a->clock.got, 0);
	assert_int_equal(torus_fabric_clock(w->f), 777);

	a->now = 800;
	block(a, TORUS_WANT_ARRIVAL, ~0ull);
	put(b, 0, 0, 0, 0, 8);
	block(b, 0, 0);
	rest(w);
	assert_false(b->blocked);
	assert_true(a->blocked);
	assert_int_equal(b->clock.now, 10005);
	b->now = 20000;
	report(b);
	rest(w);
	assert_false(a->blocked);
	assert_int_equal(a->seat[0].ins, 1);
	assert_true(a->seat[0].in[0].at > 10000);
	assert_int_equal(a->clock.now, a->seat[0].in[0].at + 1);
	assert_int_equal(torus_fabric_clock(w->f), a->clock.now);
	end(w);
}

/* If all programs wait and no event is pending, the fabric reports a deadlock. */
static void test_deadlock(void **state)
{
	u64 dice = 1;
	struct world *w = begin("2x1x1", "", 2, &dice);
	struct program *a = &w->program[0], *b = &w->program[1];

	put(a, 0, 0, 1, 0, 2);
	block(a, TORUS_WANT_ARRIVAL, ~0ull);
	block(b, TORUS_WANT_ARRIVAL, ~0ull);
	assert_int_equal(rest(w), TORUS_VTIME_COMPUTE);
	assert_false(b->blocked);
	take(b);
	block(b, TORUS_WANT_ARRIVAL, ~0ull);
	assert_int_equal(rest(w), TORUS_VTIME_DEADLOCK);
	/* a step of the clock that is too large is rejected */
	assert_int_equal(torus_vtime_client_advance(w->f, &b->clock, ~0ull, NULL), -ERANGE);
	end(w);
}

/* Space that a reader frees is available from the tick of the reader's clock on. */
static void test_freed_space(void **state)
{
	u64 dice = 1;
	struct world *w = begin("2x1x1", "", 2, &dice);
	struct program *a = &w->program[0], *b = &w->program[1];
	u32 i;

	for (i = 0; i < UNREAD + 1; i++)
		put(a, 0, 0, 1, 0, 2);
	a->now = 100000;
	report(a);
	b->now = 50000;
	block(b, 0, 0);
	rest(w);
	assert_false(b->blocked);
	assert_int_equal(b->seat[0].ins, UNREAD);
	b->seat[0].taken = UNREAD;
	b->now = 60000;
	block(b, TORUS_WANT_ARRIVAL, ~0ull);
	rest(w);
	assert_false(b->blocked);
	assert_int_equal(b->seat[0].ins, UNREAD + 1);
	assert_int_equal(b->seat[0].in[UNREAD].at, 60000);
	assert_int_equal(b->clock.now, 60001);
	end(w);
}

/* A packet enters soon even after more rejected packets than one poll handles. */
static void test_refused(void **state)
{
	u64 dice = 1;
	struct world *w = begin("2x1x1", "", 2, &dice);
	struct program *a = &w->program[0], *b = &w->program[1];
	struct seat *s = &a->seat[0];

	for (s->bad = 0; s->bad < 200; s->bad++) {
		put(a, 0, 0, 1, 0, 2);
		s->ring[0].out[s->bad].chunks = 1;	/* wrong size */
		a->now = 0;
	}
	put(a, 0, 0, 1, 0, 2);
	a->now = 100000;
	report(a);
	block(b, TORUS_WANT_ARRIVAL, ~0ull);
	rest(w);
	assert_true(b->seat[0].ins == 1 && b->clock.now < 1000);
	end(w);
}

/* After a reset of the fabric its former programs may attach again. */
static void test_reset(void **state)
{
	u64 dice = 1;
	struct world *w = begin("2x1x1", "", 2, &dice);
	struct torus_error err;
	u32 i;

	for (i = 0; i < 2; i++)
		leave(&w->program[i]);
	rest(w);
	for (i = 0; i < 2; i++) {
		forsake(&w->program[i]);
		torus_vtime_client_remove(w->f, &w->program[i].clock);
	}
	assert_int_equal(w->f->nattached, 3);
	assert_true(torus_vtime_started(w->f));
	assert_int_equal(torus_fabric_reset(w->f, 1, &err), 0);
	assert_int_equal(w->f->nattached, 0);
	assert_false(torus_vtime_started(w->f));
	assert_int_equal(torus_vtime_client_add(w->f, &w->program[0].clock, &clock_ops, &err), 0);
	end(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_schedules),
		cmocka_unit_test(test_schedules_with_errors),
		cmocka_unit_test(test_waits),
		cmocka_unit_test(test_deadlock),
		cmocka_unit_test(test_freed_space),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
