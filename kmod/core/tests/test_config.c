// SPDX-License-Identifier: GPL-2.0
/* Configuration of a fabric: accepted values, and error messages of rejected ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arch/arch.h"
#include "core/run/fabric.h"
#include "core/base/parse_number.h"
#include "core/run/params.h"
#include "core/tests/draw.h"
#include "core/tests/says.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static const char *const routing_values[] = { "dynamic", "deterministic", NULL };

static const struct torus_param params[] = {
	{ .name = "routing", .values = routing_values, .def = 1 },
	{ .name = "share", .unit = TORUS_UNIT_FRACTION, .max = ~0ull, .def = 0 },
	{ .name = "delay", .min = 10, .max = 1000, .def = 20 },
	{ .name = "wide", .max = ~0ull, .def = 7 },
};

enum { ROUTING = TORUS_P_MACHINE, SHARE, DELAY, WIDE, END };

#define PARAMS	(END - TORUS_P_MACHINE)

static const struct torus_lack lacks[] = {
	{ TORUS_P_NO_LISTENER, "is deaf" },
};

/* A machine for this test only, without the limits of real machines */
static const struct torus_arch box = {
	.name = "box",
	.dims_min = 3,
	.dims_max = 3,
	.length_max = 256,
	.nodes_max = 1u << 20,
	.params = params,
	.nparams = PARAMS,
	.lacks = lacks,
	.nlacks = COUNT(lacks),
};

static const struct torus_arch cube = {
	.name = "cube",
	.dims_min = 1,
	.dims_max = TORUS_DIMS_MAX,
	.length_max = ~0u,
	.nodes_max = 1u << 20,
};

static struct torus_error err;

static struct torus_config config(const struct torus_arch *arch)
{
	struct torus_config cfg = { .arch = arch, .domains = 1 };
	u32 i;

	for (i = 0; i < arch->nparams; i++)
		cfg.params[TORUS_P_MACHINE + i] = arch->params[i].def;
	memset(&err, 0, sizeof(err));
	return cfg;
}

/* Check a rejection with code @code and a message that contains the words of @text */
static void check_refused(int ret, int code, const char *text)
{
	assert_int_equal(ret, code);
	assert_int_equal(err.code, code);
	assert_says(err.text, text);
}

/* ------------------------------------------------------------------- init */

static void test_init_defaults(void **state)
{
	const struct torus_arch *const *arch;
	struct torus_config cfg;
	u32 i;

	for (arch = torus_archs; *arch; arch++) {
		memset(&cfg, 0xff, sizeof(cfg));
		assert_int_equal(torus_arch_config(&cfg, (*arch)->name, &err), 0);
		assert_ptr_equal(cfg.arch, *arch);
		assert_int_equal(cfg.domains, 1);
		assert_int_equal(cfg.geo.nodes, 0);
		assert_true(torus_param_count(*arch) <= TORUS_PARAMS_MAX);
		for (i = 0; i < torus_param_count(*arch); i++)
			if (torus_param_at(*arch, i))
				assert_true(cfg.params[i] == torus_param_at(*arch, i)->def);
	}
}

/* torus_config_set() accepts each default of each machine, as printed by torus_config_text(). */
static void test_defaults_are_legal(void **state)
{
	const struct torus_arch *const *arch;
	struct torus_config cfg;
	char text[64];
	u32 i;

	for (arch = torus_archs; *arch; arch++) {
		assert_int_equal(torus_arch_config(&cfg, (*arch)->name, &err), 0);
		for (i = 0; i < torus_param_count(*arch); i++) {
			const struct torus_param *param = torus_param_at(*arch, i);

			if (!param)
				continue;
			torus_config_text(&cfg, i, text, sizeof(text));
			if (torus_config_set(&cfg, param->name, text, &err))
				fail_msg("%s: %s", (*arch)->name, err.text);
			assert_true(cfg.params[i] == param->def);
		}
	}
}

static void test_init_unknown_arch(void **state)
{
	struct torus_config cfg;

	assert_int_equal(torus_arch_config(&cfg, "abacus", &err), -EINVAL);
	assert_says(err.text, "abacus");
	assert_says(err.text, torus_archs[0]->name);
	assert_int_equal(torus_arch_config(&cfg, "", NULL), -EINVAL);
}

/* ------------------------------------------------------------------ shape */

static void test_shape(void **state)
{
	const u32 dims[] = { 4, 5, 6 };
	struct torus_config cfg = config(&box);

	assert_int_equal(torus_config_shape(&cfg, 3, dims, 5, &err), 0);
	assert_int_equal(cfg.geo.nodes, 120);
	assert_int_equal(cfg.geo.mesh, 5);
	assert_int_equal(cfg.geo.stride[2], 20);
}

static void check_shape(const struct torus_arch *arch, u32 ndims, const u32 *dims, u32 mesh,
			const char *text)
{
	struct torus_config cfg = config(arch), before = cfg;

	check_refused(torus_config_shape(&cfg, ndims, dims, mesh, &err), -EINVAL, text);
	assert_memory_equal(&cfg, &before, sizeof(cfg));
	assert_int_equal(torus_config_shape(&cfg, ndims, dims, mesh, NULL), -EINVAL);
}

#define DIMS(...)	((const u32[]){ __VA_ARGS__ })

static void test_shape_refused(void **state)
{
	check_shape(&box, 2, DIMS(4, 4), 0, "shape 4x4 box 3 2");
	check_shape(&box, 0, DIMS(0), 0, "shape box 3 0");
	check_shape(&box, 4, DIMS(4, 4, 4, 4), 0, "shape 4x4x4x4 box 3 4");
	check_shape(&box, 3, DIMS(0, 4, 4), 0, "shape 0x4x4 x 1");
	check_shape(&box, 3, DIMS(5000, 5000, 5000), 0, "shape 5000x5000x5000 x box 256");
	check_shape(&box, 3, DIMS(4, 4, 257), 0, "shape 4x4x257 z 257 box 256");
	check_shape(&box, 3, DIMS(256, 256, 256), 0, "shape 256x256x256 16777216 box 1048576");
	check_shape(&box, 3, DIMS(4, 4, 4), 8, "shape 4x4x4 a mesh");
	check_shape(&cube, 11, DIMS(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), 0,
		    "shape 1x2x3x4x5x6x7x8x9x10x.. cube 1 10 11");
	check_shape(&cube, 7, DIMS(1, 1, 1, 1, 1, 1, 0), 0, "shape 1x1x1x1x1x1x0 d6 1");
}

#define CUBE_LIMIT	" cube 1048576"

static void test_shape_too_many_nodes(void **state)
{
	check_shape(&cube, 2, DIMS(65536, 65536), 0, "shape 65536x65536 4294967296 cube 1048576");
	check_shape(&cube, 4, DIMS(65536, 65536, 65536, 65535), 0,
		    "shape 65536x65536x65536x65535 18446462598732840960" CUBE_LIMIT);
	check_shape(&cube, 4, DIMS(65536, 65536, 65536, 65536), 0,
		    "shape 65536x65536x65536x65536 18446744073709551615" CUBE_LIMIT);
	check_shape(&cube, 3, DIMS(~0u, ~0u, 2), 0,
		    "shape 4294967295x4294967295x2 18446744073709551615" CUBE_LIMIT);
	check_shape(&cube, 3, DIMS(~0u, ~0u, 1), 0,
		    "shape 4294967295x4294967295x1 18446744065119617025" CUBE_LIMIT);
}

/* The message about the longest possible shape still contains the reason. */
static void test_shape_reason_is_kept(void **state)
{
	u32 dims[TORUS_DIMS_MAX], i;
	struct torus_config cfg = config(&cube);

	for (i = 0; i < TORUS_DIMS_MAX; i++)
		dims[i] = ~0u;
	assert_int_equal(torus_config_shape(&cfg, TORUS_DIMS_MAX, dims, 0, &err), -EINVAL);
	assert_says(err.text, "cube 1048576");
}

/* ----------------------------------------------------------------- values */

static void check_set(const char *key, const char *value, u32 i, u64 want)
{
	struct torus_config cfg = config(&box);

	assert_int_equal(torus_config_set(&cfg, key, value, &err), 0);
	assert_true(cfg.params[i] == want);
	assert_int_equal(torus_config_set(&cfg, key, value, NULL), 0);
}

static void check_set_refused(const char *key, const char *value, int code, const char *text)
{
	struct torus_config cfg = config(&box), before = cfg;

	check_refused(torus_config_set(&cfg, key, value, &err), code, text);
	assert_memory_equal(&cfg, &before, sizeof(cfg));
	assert_int_equal(torus_config_set(&cfg, key, value, NULL), code);
}

static void test_set(void **state)
{
	check_set("routing", "dynamic", ROUTING, 0);
	check_set("routing", "deterministic", ROUTING, 1);
	check_set("delay", "10", DELAY, 10);
	check_set("delay", "1000", DELAY, 1000);
	check_set("delay", "0x3e8", DELAY, 1000);
	check_set("delay", "0012", DELAY, 12);
	check_set("wide", "18446744073709551615", WIDE, ~0ull);
	check_set("wide", "0XFFFFffffFFFFffff", WIDE, ~0ull);
	check_set("share", "0", SHARE, 0);
	check_set("share", "0.5", SHARE, 1ull << 63);
	check_set("share", "1e-5", SHARE, 184467440737096ull);
	check_set("share", "0x10", SHARE, 16);
}

static void test_set_refused(void **state)
{
	check_set_refused("foo", "1", -ENOENT, "foo box");
	check_set_refused("", "1", -ENOENT, "key box");
	check_set_refused("routing", "foo", -EINVAL, "routing foo dynamic deterministic");
	check_set_refused("routing", "0", -EINVAL, "routing 0 dynamic deterministic");
	check_set_refused("routing", "", -EINVAL, "routing dynamic deterministic");
	check_set_refused("delay", "9", -ERANGE, "delay 9 10 1000");
	check_set_refused("delay", "1001", -ERANGE, "delay 1001 10 1000");
	check_set_refused("delay", "99999999999999999999", -ERANGE,
			  "delay 99999999999999999999 10 1000");
	check_set_refused("delay", "12x", -EINVAL, "delay 12x number");
	check_set_refused("delay", "-1", -EINVAL, "delay -1 number");
	check_set_refused("delay", "0x", -EINVAL, "delay 0x number");
	check_set_refused("delay", "", -EINVAL, "delay number");
	check_set_refused("delay", "1e2", -EINVAL, "delay 1e2 number");
	check_set_refused("share", "1", -ERANGE, "share 0 1");
	check_set_refused("share", "1.5", -ERANGE, "share 1.5 0 1");
	check_set_refused("share", "tiny", -EINVAL, "share tiny number");
	check_set_refused("share", "-0.1", -EINVAL, "share -0.1 number");
}

/* An error message stays one line and ends with the reason, with any text as name or value. */
static void test_messages_stay_one_line(void **state)
{
	check_set_refused("delay", "1\n2 %s", -EINVAL, "delay 1?2?%s number");
	check_set_refused("delay", "12345678901234567890123456789012345", -ERANGE,
			  "delay 123456789012345678901234567890.. 10 1000");
	check_set_refused("abcdefghijklmnopqrstuvwxyzabcdefghijkl", "1", -ENOENT,
			  "abcdefghijklmnopqrstuvwxyzabcd.. box");
}

/* Each machine has the common parameters, except those that it declares as lacking. */
static void test_common(void **state)
{
	const struct torus_param *param;
	struct torus_config cfg;
	u32 i, lacking = 0;
	u64 value;

	assert_int_equal(torus_param_count(&box), TORUS_P_MACHINE + PARAMS);
	for (i = 0; i < torus_param_count(&box); i++) {
		param = torus_param_at(&box, i);
		if (!param) {
			lacking++;
			continue;
		}
		assert_int_equal(torus_param_find(&box, param->name, NULL), i);
		assert_true(param->unit < TORUS_UNIT_MAX);
		assert_true(!param->values || !torus_param_unit(param));
	}
	assert_int_equal(lacking, 1);
	check_set("ber", "0.5", TORUS_P_BER, 1ull << 63);
	check_set("crc", "full", TORUS_P_CRC, 1);
	check_set("hop_limit", "17", TORUS_P_HOP_LIMIT, 17);
	check_set("rx_stall", "281474976710656", TORUS_P_RX_STALL, 1ull << 48);
	check_set_refused("hop_limit", "65536", -ERANGE, "hop_limit 65536 0 65534");
	check_set_refused("no_listener", "hold", -EOPNOTSUPP, "no_listener box deaf");
	cfg = config(&box);
	check_refused(torus_config_set_number(&cfg, "no_listener", 1, &err), -EOPNOTSUPP,
		      "no_listener box deaf");
	assert_false(torus_config_number(&cfg, "no_listener", &value));
	assert_true(torus_config_number(&cfg, "delay", &value));
	assert_int_equal(value, 20);
	assert_string_equal(torus_param_unit(torus_param_at(&box, TORUS_P_RX_STALL)), "ticks");
}

static void test_set_number(void **state)
{
	struct torus_config cfg = config(&box);

	assert_int_equal(torus_config_set_number(&cfg, "routing", 0, &err), 0);
	assert_int_equal(cfg.params[ROUTING], 0);
	assert_int_equal(torus_config_set_number(&cfg, "delay", 1000, &err), 0);
	assert_int_equal(cfg.params[DELAY], 1000);
	assert_int_equal(torus_config_set_number(&cfg, "share", ~0ull, &err), 0);
	assert_true(cfg.params[SHARE] == ~0ull);
	check_refused(torus_config_set_number(&cfg, "routing", 2, &err), -ERANGE, "routing 2 0 1");
	check_refused(torus_config_set_number(&cfg, "delay", 9, &err), -ERANGE, "delay 9 10 1000");
	check_refused(torus_config_set_number(&cfg, "foo", 9, &err), -ENOENT, "foo box");
	assert_int_equal(cfg.params[ROUTING], 0);
	assert_int_equal(cfg.params[DELAY], 1000);
}

static void check_text(u32 i, u64 value, const char *want)
{
	struct torus_config cfg = config(&box), back = cfg;
	char text[TORUS_FRACTION_TEXT];

	cfg.params[i] = value;
	assert_string_equal(torus_config_text(&cfg, i, text, sizeof(text)), want);
	assert_int_equal(torus_config_set(&back, torus_param_at(&box, i)->name, text, &err), 0);
	assert_true(back.params[i] == value);
}

static void test_text(void **state)
{
	struct torus_config cfg = config(&box);
	char text[8];

	check_text(ROUTING, 0, "dynamic");
	check_text(ROUTING, 1, "deterministic");
	check_text(DELAY, 999, "999");
	check_text(WIDE, ~0ull, "18446744073709551615");
	check_text(SHARE, 0, "0");
	check_text(SHARE, 184467440737096ull, "1e-05");
	check_text(SHARE, 1ull << 63, "0.5");
	check_text(SHARE, 1, "5e-20");
	check_text(SHARE, ~0ull, "0.99999999999999999995");
	assert_string_equal(torus_config_text(&cfg, ROUTING, text, sizeof(text)), "determi");
}

static void check_one_line(const char *text)
{
	assert_true(strlen(text) > 0 && strlen(text) < sizeof(err.text));
	for (; *text; text++)
		assert_in_range(*text, ' ', '~');
}

static void test_random_settings(void **state)
{
	struct torus_config cfg = config(&box);
	u32 round, i;

	draw_seed = 4;
	for (round = 0; round < 20000; round++) {
		char *key = random_text(), *value = random_text();
		char text[TORUS_FRACTION_TEXT];
		int ret;

		i = draw_below(PARAMS + 1);
		ret = torus_config_set(&cfg, i < PARAMS ? params[i].name : key, value, &err);
		if (ret)
			check_one_line(err.text);
		assert_true(!ret || ret == err.code);
		assert_true(cfg.params[ROUTING] <= 1);
		assert_in_range(cfg.params[DELAY], 10, 1000);
		for (i = ROUTING; i < END; i++)
			check_text(i, cfg.params[i],
				   torus_config_text(&cfg, i, text, sizeof(text)));
		free(key);
		free(value);
	}
}

static void test_random_shapes(void **state)
{
	u32 round, i;

	draw_seed = 5;
	for (round = 0; round < 100000; round++) {
		struct torus_config cfg = config(round & 1 ? &box : &cube);
		u32 ndims = draw_below(13), dims[13], mesh = (u32)draw() >> draw_below(32);
		u64 nodes = 1;

		for (i = 0; i < 13; i++)
			dims[i] = (u32)(draw() >> (32 + draw_below(32)));
		if (torus_config_shape(&cfg, ndims, dims, mesh, &err)) {
			check_one_line(err.text);
			assert_int_equal(cfg.geo.nodes, 0);
			continue;
		}
		for (i = 0; i < ndims; i++)
			nodes *= dims[i];
		assert_int_equal(cfg.geo.nodes, nodes);
		assert_in_range(nodes, 1, cfg.arch->nodes_max);
		assert_int_equal(cfg.geo.mesh, mesh);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_init_defaults),
		cmocka_unit_test(test_defaults_are_legal),
		cmocka_unit_test(test_init_unknown_arch),
		cmocka_unit_test(test_shape),
		cmocka_unit_test(test_shape_refused),
		cmocka_unit_test(test_shape_too_many_nodes),
		cmocka_unit_test(test_shape_reason_is_kept),
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_set_refused),
		cmocka_unit_test(test_messages_stay_one_line),
		cmocka_unit_test(test_common),
		cmocka_unit_test(test_set_number),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_random_settings),
		cmocka_unit_test(test_random_shapes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
