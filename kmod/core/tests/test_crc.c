// SPDX-License-Identifier: GPL-2.0
/*
 * The CRCs: check values, comparison with a bit-by-bit reference, computation in pieces, and the
 * number of flipped bits that the CRC-24s always detect.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/crc.h"

#define LENGTH_MAX	300

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/**
 * struct crc - definition of a CRC
 * @name: name for messages
 * @update: function that adds bytes to a CRC
 * @bits: width
 * @poly: polynomial without its highest term
 * @init: register before the first byte
 * @xor: exclusive-or applied to the register at the end
 * @reflected: least significant bit first
 * @check: CRC of "123456789"
 */
struct crc {
	const char *name;
	u32 (*update)(u32 crc, const void *data, size_t len);
	u32 bits;
	u32 poly;
	u32 init;
	u32 xor;
	bool reflected;
	u32 check;
};

static u32 crc8_update(u32 crc, const void *data, size_t len)
{
	return torus_crc8((u8)crc, data, len);
}

static const struct crc crcs[] = {
	{ "crc8", crc8_update, 8, 0x07, 0, 0, false, 0xf4 },
	{ "crc24", torus_crc24, 24, 0x864cfb, 0xb704ce, 0, false, 0x21cf02 },
	{ "crc24_strong", torus_crc24_strong, 24, 0x31ff19, 0, 0, false, 0x324db5 },
	{ "crc32", torus_crc32_extend, 32, 0x04c11db7, ~0u, ~0u, true, 0xcbf43926 },
	{ "crc32c", torus_crc32c_update, 32, 0x1edc6f41, ~0u, ~0u, true, 0xe3069283 },
};

#define CRCS	COUNT(crcs)

static u64 seed;

static u32 draw(u32 below)
{
	seed++;
	return (u32)(torus_mix(seed) % below);
}

static void fill(u8 *p, size_t len)
{
	while (len--)
		*p++ = (u8)draw(256);
}

static u32 reverse(u32 x, u32 bits)
{
	u32 y = 0;

	while (bits--) {
		y = y << 1 | (x & 1);
		x >>= 1;
	}
	return y;
}

/* Compute a CRC by its definition, one bit at a time. */
static u32 reference(const struct crc *c, const u8 *p, size_t len)
{
	u32 top = 1u << (c->bits - 1);
	u32 mask = top | (top - 1);
	u32 reg = c->init;
	size_t i;

	for (i = 0; i < len * 8; i++) {
		u32 in = c->reflected ? p[i / 8] >> i % 8 & 1 : p[i / 8] >> (7 - i % 8) & 1;
		bool out = !(reg & top) != !in;

		reg = (reg << 1 & mask) ^ (out ? c->poly : 0);
	}
	return (c->reflected ? reverse(reg, c->bits) : reg) ^ c->xor;
}

static void test_check_values(void **state)
{
	size_t i;

	assert_int_equal(TORUS_CRC8_INIT, crcs[0].init);
	assert_int_equal(TORUS_CRC24_INIT, crcs[1].init);
	assert_int_equal(TORUS_CRC24_STRONG_INIT, crcs[2].init);
	assert_int_equal(TORUS_CRC32_INIT, crcs[3].init);
	for (i = 0; i < CRCS; i++) {
		const struct crc *c = &crcs[i];

		assert_int_equal(c->update(c->init, "123456789", 9) ^ c->xor, c->check);
		assert_int_equal(reference(c, (const u8 *)"123456789", 9), c->check);
	}
	assert_int_equal(torus_crc32_value(torus_crc32_extend(TORUS_CRC32_INIT, "123456789", 9)),
			 0xcbf43926);
}

/*
 * Compare the CRCs with the reference for each length and alignment. This tests the steps of eight
 * bytes and of single bytes.
 */
static void test_reference(void **state)
{
	u8 data[LENGTH_MAX + 8];
	size_t i, len, at;

	seed = 1;
	for (i = 0; i < CRCS; i++) {
		const struct crc *c = &crcs[i];

		for (len = 0; len <= LENGTH_MAX; len++) {
			at = len % 8;
			fill(data, sizeof(data));
			assert_int_equal(c->update(c->init, data + at, len) ^ c->xor,
					 reference(c, data + at, len));
		}
	}
}

static void test_pieces_equal_whole(void **state)
{
	u8 data[LENGTH_MAX];
	u32 i, round;

	seed = 2;
	for (i = 0; i < CRCS; i++) {
		const struct crc *c = &crcs[i];

		for (round = 0; round < 2000; round++) {
			u32 len = draw(LENGTH_MAX + 1);
			u32 at = 0, crc = c->init;

			fill(data, len);
			while (at < len) {
				u32 piece = draw(len - at + 1);

				crc = c->update(crc, data + at, piece);
				at += piece;
			}
			assert_int_equal(crc, c->update(c->init, data, len));
		}
	}
}

/* Number of bits of a packet of @bytes bytes and its CRC-24. */
#define CODE_BITS(bytes)	(((bytes) + TORUS_CRC24_BYTES) * 8)
#define CODE_BITS_MAX		CODE_BITS(260)

/*
 * Compute the syndrome of each single flipped bit: the bits that differ between the trailer and the
 * computed CRC. CRCs are linear, so the syndrome of several flipped bits is the exclusive or of
 * their syndromes. If it is 0, the error is not detected.
 */
static void syndromes(const struct crc *c, size_t bytes, u32 *out)
{
	u8 data[260] = { 0 };
	u32 good = c->update(c->init, data, bytes);
	size_t bit;

	for (bit = 0; bit < bytes * 8; bit++) {
		data[bit / 8] ^= 0x80 >> bit % 8;
		out[bit] = c->update(c->init, data, bytes) ^ good;
		data[bit / 8] ^= 0x80 >> bit % 8;
	}
	for (; bit < CODE_BITS(bytes); bit++)
		out[bit] = 1u << (CODE_BITS(bytes) - 1 - bit);
}

static bool seen(const u8 *set, u32 x)
{
	return set[x / 8] >> x % 8 & 1;
}

static void see(u8 *set, u32 x)
{
	set[x / 8] |= 1u << x % 8;
}

#define SYNDROME_SET_BYTES	((1u << 24) / 8)

/*
 * Zero bytes change a CRC by a function of their number only. Other bytes change it by the same
 * function, and by an exclusive-or with their CRC from register 0.
 */
static void test_zeros(void **state)
{
	static const u8 none[300];
	struct torus_crc32_zeros zeros, half, rest, joined;
	u8 bytes[300];
	size_t len;
	u32 i;

	fill(bytes, sizeof(bytes));
	for (len = 0; len <= sizeof(none); len++) {
		torus_crc32_zeros_init(&zeros, len);
		torus_crc32_zeros_init(&half, len / 2);
		torus_crc32_zeros_init(&rest, len - len / 2);
		torus_crc32_zeros_join(&joined, &half, &rest);
		assert_memory_equal(&joined, &zeros, sizeof(zeros));
		for (i = 0; i < 40; i++) {
			u32 at = i < 32 ? 1u << i : draw(~0u);

			assert_int_equal(torus_crc32_zeros(&zeros, at),
					 torus_crc32_extend(at, none, len));
			assert_int_equal(torus_crc32_extend(at, bytes, len),
					 torus_crc32_zeros(&zeros, at) ^
					 torus_crc32_extend(0, bytes, len));
		}
	}
}

/*
 * Three flipped bits are always detected: no syndrome is 0, no two are equal, and no two add up to
 * a third.
 */
static void test_crc24_finds_three_flips(void **state)
{
	static u32 s[CODE_BITS_MAX];
	u8 *single = calloc(1, SYNDROME_SET_BYTES);
	u32 n = CODE_BITS(256);
	u32 i, j;

	assert_non_null(single);
	syndromes(&crcs[1], 256, s);
	for (i = 0; i < n; i++) {
		assert_int_not_equal(s[i], 0);
		assert_false(seen(single, s[i]));
		see(single, s[i]);
	}
	for (i = 0; i < n; i++)
		for (j = 0; j < i; j++)
			assert_false(seen(single, s[i] ^ s[j]));
	free(single);
}

/*
 * The stronger CRC-24 also detects four flipped bits: no two pairs of syndromes have the same sum.
 */
static void test_crc24_strong_finds_four_flips(void **state)
{
	static u32 s[CODE_BITS_MAX];
	u8 *sums = calloc(1, SYNDROME_SET_BYTES);
	u32 n = CODE_BITS(260);
	u32 i, j;

	assert_non_null(sums);
	syndromes(&crcs[2], 260, s);
	see(sums, 0);
	for (i = 0; i < n; i++) {
		assert_false(seen(sums, s[i]));
		see(sums, s[i]);
	}
	for (i = 0; i < n; i++) {
		for (j = 0; j < i; j++) {
			assert_false(seen(sums, s[i] ^ s[j]));
			see(sums, s[i] ^ s[j]);
		}
	}
	free(sums);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_check_values),
		cmocka_unit_test(test_reference),
		cmocka_unit_test(test_pieces_equal_whole),
		cmocka_unit_test(test_zeros),
		cmocka_unit_test(test_crc24_finds_three_flips),
		cmocka_unit_test(test_crc24_strong_finds_four_flips),
	};

	return cmocka_run_group_tests_name("crc", tests, NULL, NULL);
}
