// SPDX-License-Identifier: GPL-2.0
/*
 * Each allocation of a new fabric fails in turn: the creation is rejected, and no memory leaks.
 * Without memory the packets of a client wait in its ring.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <malloc.h>
#include <cmocka.h>

#include "arch/arch.h"
#include "arch/tests/bgl_rig.h"
#include "core/nic/group.h"
#include "core/workload/traffic.h"
#include "core/run/fabric.h"
#include "core/run/measure.h"

#define LIVING	4096

static unsigned int nth;	/* number of the allocation that fails; 0: none */
static void *living[LIVING];	/* allocations that were not freed yet */

/* Replaces the allocator that torus_alloc() calls for small sizes. */
void *aligned_alloc(size_t alignment, size_t bytes)
{
	void *p = nth && !--nth ? NULL : memalign(alignment, bytes);
	unsigned int i;

	for (i = 0; p && i < LIVING && living[i]; i++)
		;
	if (p && i < LIVING)
		living[i] = p;
	return p;
}

/* The address sanitizer defines free() itself, and reports leaks at exit. */
#ifndef __SANITIZE_ADDRESS__
void __libc_free(void *p);

void free(void *p)
{
	unsigned int i;

	for (i = 0; p && i < LIVING && living[i] != p; i++)
		;
	if (p && i < LIVING)
		living[i] = NULL;
	__libc_free(p);
}
#endif

static unsigned int left(void)
{
	unsigned int count = 0;
#ifndef __SANITIZE_ADDRESS__
	unsigned int i;

	for (i = 0; i < LIVING; i++)
		count += !!living[i];
#endif
	return count;
}

static void machine(const char *arch, const char *key, const char *value)
{
	struct torus_config config;
	struct torus_fabric *f;
	struct torus_error err;
	const u32 dims[] = { 2, 2, 2 };
	unsigned int failing = 0;
	bool hit = true;
	int ret;

	assert_int_equal(torus_arch_config(&config, arch, &err), 0);
	assert_int_equal(torus_config_shape(&config, 3, dims, 0, &err), 0);
	assert_int_equal(key ? torus_config_set(&config, key, value, &err) : 0, 0);
	config.domains = 2;
	while (hit) {
		nth = ++failing;
		ret = torus_fabric_create(&config, &f, &err);
		hit = !nth;
		nth = 0;
		assert_int_equal(ret, hit ? -ENOMEM : 0);
		if (!ret)
			torus_fabric_destroy(f);
		assert_int_equal(left(), 0);
	}
	assert_true(failing > 10);
}

static void test_create(void **state)
{
	machine("bgl", NULL, NULL);
	machine("bgl", "crc", "full");
	machine("xt", NULL, NULL);
	machine("tofu", NULL, NULL);
	machine("kncube", NULL, NULL);
}

/*
 * Run a closed loop with unlimited queues. All packets enter in one tick, and the run ends when an
 * allocation fails.
 */
static void endless(const char *arch, const char *injection)
{
	const struct torus_traffic traffic = {
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = 256, .size_max = 256,
		.packets = 1 << 20,
	};
	const u32 dims[] = { 2, 2, 2 };
	struct torus_config config;
	struct torus_result result;
	struct torus_fabric *f;
	struct torus_error err;

	assert_int_equal(torus_arch_config(&config, arch, &err), 0);
	assert_int_equal(torus_config_shape(&config, 3, dims, 0, &err), 0);
	if (injection)
		assert_int_equal(torus_config_set(&config, "injection", injection, &err), 0);
	assert_int_equal(torus_fabric_create(&config, &f, &err), 0);
	assert_int_equal(torus_traffic_start(f, &traffic, &err), 0);
	nth = 2;
	assert_false(torus_traffic_step(f, 0, 1));
	assert_int_equal(nth, 0);
	torus_traffic_result(f, &result);
	assert_int_equal(result.done, 3);
	assert_in_range(torus_fabric_in_flight(f), 1, 1 << 18);
	torus_fabric_destroy(f);
	assert_int_equal(left(), 0);
}

static void test_endless(void **state)
{
	endless("kncube", NULL);
	endless("bgl", "infinite");
}

/* If there is no memory for a packet, it stays in its client's ring and is sent later. */
static void test_waits(void **state)
{
	unsigned int failing = 0;
	bool hit = true;

	while (hit) {
		struct torus_fabric *f = rig_make("2x2x2", "");
		struct rig_client a, b;

		rig_attach(&a, f, 0, 0, false);
		rig_attach(&b, f, 1, 0, false);
		rig_send(&a, 1, 0, 8, true, 7);
		nth = ++failing;
		torus_nic_poll(f);
		hit = !nth;
		nth = 0;
		assert_int_equal(a.pulled, !hit);
		assert_int_equal(torus_nic_wants(f), hit);
		rig_settle(f);
		assert_int_equal(b.ins, 1);
		assert_int_equal(rig_mark(b.in[0].bytes, 8), 7);
		assert_false(torus_nic_wants(f));
		rig_client_free(&a);
		rig_client_free(&b);
		torus_fabric_destroy(f);
	}
	assert_true(failing > 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_create),
		cmocka_unit_test(test_endless),
		cmocka_unit_test(test_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
