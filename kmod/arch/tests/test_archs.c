// SPDX-License-Identifier: GPL-2.0
/* Rules that each machine of the list must follow. */
#include "arch/arch.h"
#include "core/run/params.h"
#include "core/tests/rig.h"

static void test_found_by_name(void **state)
{
	const struct torus_arch *const *arch, *const *other;

	for (arch = torus_archs; *arch; arch++) {
		assert_ptr_equal(torus_arch_find((*arch)->name), *arch);
		for (other = torus_archs; other != arch; other++)
			assert_string_not_equal((*arch)->name, (*other)->name);
	}
	assert_null(torus_arch_find("toy"));
}

/* torus_config_set() accepts each default that torus_config_text() prints. */
static void test_defaults_are_legal(void **state)
{
	const struct torus_arch *const *arch;
	struct torus_config cfg;
	struct torus_error err;
	char text[64];
	u32 i;

	for (arch = torus_archs; *arch; arch++) {
		assert_int_equal(torus_arch_config(&cfg, (*arch)->name, &err), 0);
		assert_true(torus_param_count(*arch) <= TORUS_PARAMS_MAX);
		for (i = 0; i < torus_param_count(*arch); i++) {
			const struct torus_param *param = torus_param_at(*arch, i);

			if (!param)
				continue;
			torus_config_text(&cfg, i, text, sizeof(text));
			if (torus_config_set(&cfg, param->name, text, &err))
				fail_msg("%s: %s", (*arch)->name, err.text);
			assert_true(cfg.params[i] == param->def);
			assert_int_equal(torus_param_find(*arch, param->name, NULL), i);
		}
	}
}

/*
 * A common parameter that a machine lacks is not found. Setting ber on kncube is rejected with the
 * name and a reason.
 */
static void test_missing_params_rejected(void **state)
{
	const struct torus_arch *const *arch;
	struct torus_config cfg;
	struct torus_error err;
	u32 i;

	for (arch = torus_archs; *arch; arch++)
		for (i = 0; i < (*arch)->nlacks; i++) {
			assert_null(torus_param_at(*arch, (*arch)->lacks[i].param));
			assert_int_equal(torus_arch_config(&cfg, (*arch)->name, &err), 0);
		}
	assert_int_equal(torus_arch_config(&cfg, "kncube", &err), 0);
	assert_int_equal(torus_config_set(&cfg, "ber", "1e-6", &err), -EOPNOTSUPP);
	assert_says(err.text, "ber kncube link");
	assert_int_equal(torus_config_set(&cfg, "ebr", "1e-6", &err), -ENOENT);
}

/* The constants of each machine respect the limits of the core. */
static void test_limits(void **state)
{
	const struct torus_arch *const *arch;

	for (arch = torus_archs; *arch; arch++) {
		const struct torus_arch *a = *arch;

		assert_true(a->dims_min >= 1 && a->dims_max <= TORUS_DIMS_MAX);
		assert_true(a->inject_fifos <= TORUS_INJECT_MAX);
		assert_true(a->receive_fifos <= TORUS_RECEIVE_MAX);
		assert_true(a->header_bytes <= TORUS_WIRE_HEADER_MAX);
		assert_true(a->packet_chunks_max * a->chunk_bytes <= TORUS_SCRATCH_BYTES);
		assert_true(a->ndrops <= TORUS_DROP_MAX - TORUS_DROP_MACHINE);
		/* dev/context/ring.c copies chunks in words of 8 bytes */
		assert_int_equal(a->chunk_bytes % 8, 0);
		assert_non_null(a->nregs);
	}
}

/* No header encodes a packet that is longer than the body of a packet can store. */
static void test_sizes(void **state)
{
	const struct torus_arch *const *arch;
	u64 rng = 5, words[8];
	u32 i, j;

	for (arch = torus_archs; *arch; arch++)
		for (i = 0; (*arch)->size && i < 20000; i++) {
			for (j = 0; j < COUNT(words); j++)
				words[j] = torus_random(&rng);
			assert_true((*arch)->size((const u8 *)words) <= (*arch)->packet_chunks_max);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found_by_name),
		cmocka_unit_test(test_defaults_are_legal),
		cmocka_unit_test(test_missing_params_rejected),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
