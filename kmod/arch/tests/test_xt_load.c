// SPDX-License-Identifier: GPL-2.0
/*
 * Routing tables of the Cray XT: an image is loaded as a whole, or rejected with the wrong value
 * in the error message.
 */
#include "xt_rig.h"

/* A word or byte of an image, a wrong value for it, and the expected error. */
struct load_case {
	size_t at;
	u32 word;
	u32 bytes;	/* bytes of the value: 4, 2, 1 */
	int ret;
	const char *text;
};

static void load_refused(struct torus_fabric *f, void *image, size_t bytes,
			 const struct load_case *c)
{
	struct torus_error err;
	u32 before;

	memcpy(&before, (u8 *)image + c->at, c->bytes);
	memcpy((u8 *)image + c->at, &c->word, c->bytes);
	assert_int_equal(xt_rig_load(f, image, bytes, &err), c->ret);
	assert_says(err.text, c->text);
	memcpy((u8 *)image + c->at, &before, c->bytes);
}

#define HEAD(member)	offsetof(struct torus_xt_routes, member)
#define INPUTS		sizeof(struct torus_xt_routes)
#define TABLES		(INPUTS + 16 * XT_INPUTS * sizeof(u32))
#define TABLE(member)	(TABLES + offsetof(struct torus_xt_table, member))

static void test_load_refuses(void **state)
{
	static const struct load_case cases[] = {
		{ HEAD(version), 2, 4, -EINVAL, "version 2 1" },
		{ HEAD(nodes), 17, 4, -EINVAL, "table 17 16" },
		{ HEAD(tables), 0, 4, -ERANGE, "0 table 1 1048576" },
		{ HEAD(pages), 65537, 4, -ERANGE, "65537 page 1 65536" },
		{ HEAD(dateline[1]), 4, 4, -ERANGE, "dateline y 4" },
		{ HEAD(reserved), 1, 4, -EINVAL, "table reserved 1 0" },
		{ INPUTS + 9 * sizeof(u32), 1 << 20, 4, -ERANGE,
		  "node index 1 input 2 table 1048576 16" },
		{ TABLE(partition), 8, 1, -ERANGE, "table 0 partition 8" },
		{ TABLE(page[1]), 60000, 2, -ERANGE, "table 0 page 60000 16" },
		{ TABLE(global[3]), 0x17, 1, -EINVAL, "table 0 global 3 0x17" },
		{ TABLE(reserved[1]), 1, 1, -EINVAL, "table 0 reserved 1" },
		{ .text = NULL },
	};
	struct torus_fabric *f = rig_make_arch("xt", "4x4x1", "");
	struct xt_plan plan = { .dateline = { 3, 3, 0 } };
	struct torus_traffic t = { .pattern = TORUS_PATTERN_UNIFORM, .size_min = 72,
				   .size_max = 72, .packets = 1 };
	struct torus_error err;
	const struct load_case *c;
	size_t bytes;
	void *image = xt_rig_image(f, &plan, &bytes);
	char text[64];

	assert_int_equal(torus_traffic_start(f, &t, &err), -ENODATA);
	assert_says(err.text, "16 node table");
	for (c = cases; c->text; c++)
		load_refused(f, image, bytes, c);
	assert_int_equal(xt_rig_load(f, image, bytes - 1, &err), -EINVAL);
	snprintf(text, sizeof(text), "table %zu %zu", bytes - 1, bytes);
	assert_says(err.text, text);
	assert_int_equal(xt_rig_load(f, image, 31, &err), -EINVAL);
	assert_says(err.text, "table 31 32");
	*xt_rig_entry(image, 2, 0, 3) = 7;
	assert_int_equal(xt_rig_load(f, image, bytes, &err), -EINVAL);
	assert_says(err.text, "page 2 3 0x07");
	*xt_rig_entry(image, 2, 0, 3) = 0;
	assert_int_equal(torus_traffic_start(f, &t, &err), -ENODATA);
	assert_int_equal(xt_rig_load(f, image, bytes, &err), 0);
	test_free(image);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_load_refuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
