/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Let each allocation of a call fail in turn, and each copy from or to user space. The call must
 * succeed without the memory, or fail with a valid error (trial_excused()) and change nothing, so
 * that repeating it succeeds. A call whose reply was lost is not repeated. Leaks are found by
 * kmemleak at the end of all selftests, and by the module's count of the memory of fabrics and
 * rings.
 *
 * The tests are skipped on kernels without fault injection; make check-debug uses a kernel with it.
 */
#ifndef TORUS_SELFTESTS_ALLOC_FAIL_H
#define TORUS_SELFTESTS_ALLOC_FAIL_H

#include "faults.h"
#include "kselftest_harness.h"

#define FABRIC		"failslab"
#define MOST		5000	/* maximum allocations of a call */

/**
 * struct alloc_trial - a call whose allocations fail
 * @what: name of the call
 * @fabric: fabric that exists during the call, or NULL
 * @before: preparation, may be NULL
 * @call: the call; returns 0 or a negative errno
 * @after: undoes the effects of @call, if any; may be NULL
 * @ask: netlink request, used instead of @call
 * @undo: undoes the effects of @ask, may be NULL
 * @arg: argument of @call and @ask
 */
struct alloc_trial {
	const char *what;
	const struct torus_nl_fabric_spec *fabric;
	int (*before)(void);
	int (*call)(const void *arg);
	void (*after)(void);
	int (*ask)(struct torus_nl *nl, const void *arg);
	int (*undo)(struct torus_nl *nl);
	const void *arg;
};

/* State shared by all trials. */
static struct {
	int fail;		/* /proc/thread-self/fail-nth */
	struct torus_nl *nl;
} w;

static const struct torus_nl_param virtual_time[] = {
	{ .key = "time", .text = "virtual", .is_text = true }, { .key = "programs", .value = 1 },
};

static const struct torus_nl_fabric_spec bgl = {
	.name = FABRIC, .arch = "bgl", .ndims = 3, .dims = { 2, 2, 2 }, .domains = 2,
	.has_domains = true,
}, xt = {
	.name = FABRIC, .arch = "xt", .ndims = 3, .dims = { 2, 2, 1 },
}, tofu = {
	.name = FABRIC, .arch = "tofu", .ndims = 3, .dims = { 1, 1, 1 },
}, kncube = {
	.name = FABRIC, .arch = "kncube", .ndims = 2, .dims = { 2, 2 }, .tied = true,
}, in_virtual_time = {
	.name = FABRIC, .arch = "bgl", .ndims = 3, .dims = { 2, 1, 1 },
	.params = virtual_time, .nparams = ARRAY_SIZE(virtual_time),
};

/*
 * Return: bytes that fabrics and rings use, from the error message of a request beyond the limit;
 * ~0 on error.
 */
static unsigned long long taken(void)
{
	char was[32], words[256] = "";
	int ret;

	if (!module_parameter("max_bytes", "1", was, sizeof(was)))
		return ~0ull;
	ret = nl_with(ask_add, &bgl, words, sizeof(words));
	module_parameter("max_bytes", was, NULL, 0);
	return ret == -ENOSPC ? number_before(words, "max_bytes") : ~0ull;
}

/* Open a new netlink session: a late reply may still arrive in the old one. */
static int session(void)
{
	torus_nl_free(w.nl);
	w.nl = torus_nl_new();
	return w.nl ? torus_nl_connect(w.nl) : -ENOMEM;
}

static int trial_call(const struct alloc_trial *t)
{
	return t->ask ? t->ask(w.nl, t->arg) : t->call(t->arg);
}

static void trial_after(const struct alloc_trial *t)
{
	if (t->undo)
		t->undo(w.nl);
	if (t->after)
		t->after();
}

/*
 * Return: true if @ret is a valid error for a call with a failed allocation. @lost: [out] the reply
 * was lost, so the call may or may not have had its effect
 */
static bool trial_excused(const struct alloc_trial *t, int ret, bool *lost)
{
	const char *words = torus_nl_error(w.nl);

	if (!t->ask) {
		*lost = ret == -EFAULT;
		return ret == -ENOMEM || ret == -EFAULT;
	}
	*lost = !strncmp(words, "no answer", 9) || !strncmp(words, "cannot send", 11);
	return *lost || ret == -ENOMEM || ret == -ENOBUFS || ret == -EFAULT;
}

/*
 * Let the @nth allocation of the call fail. Return: 0, 1 if the call has fewer allocations, or -1
 * on error.
 */
static int trial_once(const struct alloc_trial *t, unsigned int nth, unsigned int *needed)
{
	bool hit, lost = false;
	int ret, again = 0;

	if (t->before && t->before()) {
		fprintf(stderr, "# %s: cannot begin before allocation %u\n", t->what, nth);
		return -1;
	}
	fail_at(w.fail, nth);
	ret = trial_call(t);
	hit = fail_over(w.fail);
	if (ret && (!hit || !trial_excused(t, ret, &lost))) {
		fprintf(stderr, "# %s: allocation %u: %s (%s)\n", t->what, nth, strerror(-ret),
			t->ask ? torus_nl_error(w.nl) : "");
		return -1;
	}
	if (lost && t->ask && session())
		return -1;
	if (ret && !lost)
		again = trial_call(t);
	if (again)
		fprintf(stderr, "# %s: allocation %u: %s, then %s (%s)\n", t->what, nth,
			strerror(-ret), strerror(-again), t->ask ? torus_nl_error(w.nl) : "");
	*needed += ret != 0;
	trial_after(t);
	return again ? -1 : !hit;
}

static int trial_run(const struct alloc_trial *t)
{
	unsigned int nth = 0, needed = 0;
	int ret = 0;

	if (t->fabric && torus_nl_fabric_add(w.nl, t->fabric)) {
		fprintf(stderr, "# %s: no fabric: %s\n", t->what, torus_nl_error(w.nl));
		return -1;
	}
	while (!ret && nth < MOST)
		ret = trial_once(t, ++nth, &needed);
	if (t->fabric && torus_nl_fabric_del(w.nl, FABRIC))
		ret = -1;
	printf("# %s: %u allocations, %u of them needed\n", t->what, nth - 1, needed);
	fflush(stdout);
	return ret == 1 ? 0 : -1;
}

FIXTURE(failslab)
{
	bool able;
	__u64 pins;
};

FIXTURE_SETUP(failslab)
{
	w.fail = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	self->able = w.fail >= 0 && faults_ready();
	if (!self->able)
		return;
	fabric_del(FABRIC);
	ASSERT_EQ(0, session());
	/* allocate the memory that this process needs before */
	ASSERT_EQ(0, mlockall(MCL_CURRENT));
	self->pins = pinned_pages();
	ASSERT_EQ(0, taken());
}

FIXTURE_TEARDOWN(failslab)
{
	if (!self->able)
		return;
	torus_nl_free(w.nl);
	close(w.fail);
	EXPECT_EQ(self->pins, pinned_pages());
	EXPECT_EQ(0, taken());
}

#define TRIALS(...)								\
do {										\
	const struct alloc_trial trials[] = { __VA_ARGS__ };				\
	size_t trial;								\
										\
	for (trial = 0; trial < ARRAY_SIZE(trials); trial++)			\
		EXPECT_EQ(0, trial_run(&trials[trial]));			\
} while (0)

#endif /* TORUS_SELFTESTS_ALLOC_FAIL_H */
