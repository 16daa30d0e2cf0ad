// SPDX-License-Identifier: GPL-2.0
/*
 * The CRC of a payload is computed once. The CRCs of all links equal those that are computed from
 * each byte at each hop, with damaged and retransmitted packets, too.
 */
#include "arch/arch.h"
#include "arch/bgl/bgl.h"
#include "core/base/crc.h"
#include "core/link/corruption.h"
#include "core/link/link.h"
#include "core/link/payload_crc.h"
#include "core/state/domain.h"
#include "arch/tests/bgl_rig.h"

#define NODES	64
#define LINKS	(NODES * BGL_DIRS * 2)

/*
 * Send packets of all lengths among four nodes. Return: the number of link ends whose CRC is not
 * 0.
 */
static u32 transmit(const char *settings, u32 *crcs)
{
	struct torus_fabric *f = rig_make("4x4x4", settings);
	struct rig_client clients[4];
	u32 i, c, used = 0;

	for (c = 0; c < 4; c++)
		rig_attach(&clients[c], f, c * 21, 0, false);
	for (i = 0; i < 400; i++)
		for (c = 0; c < 4; c++)
			rig_send(&clients[c], (c + 1 + i % 3) % 4 * 21, 0, 1 + i % 8, i & 8, i);
	rig_settle(f);
	for (c = 0; c < 4; c++)
		assert_int_equal(clients[c].ins, 400);
	for (i = 0; i < LINKS; i++) {
		crcs[i] = torus_link_crc_at(f, i / 2 / BGL_DIRS, i / 2 % BGL_DIRS, i & 1);
		used += crcs[i] != 0;
		assert_int_equal(crcs[i], crcs[i & ~1u]);
	}
	for (c = 0; c < 4; c++)
		rig_client_free(&clients[c]);
	torus_fabric_destroy(f);
	return used;
}

static void compare(const char *once, const char *always)
{
	static u32 a[LINKS], b[LINKS];
	u32 i;

	assert_in_range(transmit(once, a), 40, LINKS);
	transmit(always, b);
	for (i = 0; i < LINKS; i++)
		assert_int_equal(a[i], b[i]);
}

static void test_links_without_errors(void **state)
{
	compare("", "crc=full");
	compare("domains=3", "crc=full domains=2");
}

static void test_links_with_errors(void **state)
{
	compare("ber=0.00002", "ber=0.00002 crc=full");
}

/*
 * The effect of zero bytes is computed from that of the next shorter packet. It equals the effect
 * that is computed directly.
 */
static void test_zeros_of_each_length(void **state)
{
	const struct torus_arch *const *arch;
	struct torus_crc32_zeros zeros;
	u32 chunks, at, len;

	for (arch = torus_archs; *arch; arch++) {
		static struct torus_fabric f;

		f.arch = *arch;
		f.payload_zeros = NULL;
		assert_int_equal(torus_payloads_init(&f), 0);
		at = torus_payload_at(&f);
		for (chunks = 1; chunks <= f.arch->packet_chunks_max; chunks++) {
			len = chunks * f.arch->chunk_bytes;
			torus_crc32_zeros_init(&zeros, len > at ? len - at : 0);
			assert_memory_equal(&f.payload_zeros[chunks], &zeros, sizeof(zeros));
		}
		torus_free(f.payload_zeros, torus_payloads_bytes(&f));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_zeros_of_each_length),
		cmocka_unit_test(test_links_without_errors),
		cmocka_unit_test(test_links_with_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
