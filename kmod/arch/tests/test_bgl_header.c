// SPDX-License-Identifier: GPL-2.0
/*
 * Packet headers compared with the table of their bits, and the bit flips that the header's CRC-8
 * and the packet's CRC-24 detect.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "arch/bgl/header.h"
#include "core/base/crc.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/**
 * struct field - a row of the table of header bits (doc/references.md, IBM's packet layer)
 * @word: 0 or 1
 * @first: number of the field's most significant bit; bit 0 is the most significant of the word
 * @last: number of the least significant bit
 * @offset: offset of the field in struct bgl_header
 * @bias: the member of the struct is the value of the bits plus @bias
 */
struct field {
	u32 word;
	u32 first;
	u32 last;
	size_t offset;
	u32 bias;
};

static const struct field fields[] = {
	{ 0, 0, 6, offsetof(struct bgl_header, csum_skip), 0 },
	{ 0, 7, 7, offsetof(struct bgl_header, sk), 0 },
	{ 0, 8, 13, offsetof(struct bgl_header, hints), 0 },
	{ 0, 14, 14, offsetof(struct bgl_header, dp), 0 },
	{ 0, 15, 15, offsetof(struct bgl_header, pid), 0 },
	{ 0, 16, 18, offsetof(struct bgl_header, chunks), 1 },
	{ 0, 19, 20, offsetof(struct bgl_header, sw), 0 },
	{ 0, 21, 21, offsetof(struct bgl_header, dynamic), 0 },
	{ 0, 22, 23, offsetof(struct bgl_header, vc), 0 },
	{ 0, 24, 31, offsetof(struct bgl_header, dest[0]), 0 },
	{ 1, 0, 7, offsetof(struct bgl_header, dest[1]), 0 },
	{ 1, 8, 15, offsetof(struct bgl_header, dest[2]), 0 },
	{ 1, 16, 23, offsetof(struct bgl_header, seq), 0 },
	{ 1, 24, 31, offsetof(struct bgl_header, crc), 0 },
};

#define FIELDS	COUNT(fields)

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

static u8 *member(struct bgl_header *h, const struct field *field)
{
	return (u8 *)h + field->offset;
}

static void flip(u8 *bytes, u32 bit)
{
	bytes[bit / 8] ^= 0x80 >> bit % 8;
}

/* Return the header in which all bits are 0. */
static struct bgl_header zero_header(void)
{
	return (struct bgl_header){ .chunks = 1 };
}

static void test_table_has_every_bit_once(void **state)
{
	u64 bits = 0;
	size_t i;

	for (i = 0; i < FIELDS; i++) {
		u32 bit;

		for (bit = fields[i].first; bit <= fields[i].last; bit++) {
			u64 mask = 1ull << (fields[i].word * 32 + bit);

			assert_false(bits & mask);
			bits |= mask;
		}
	}
	assert_true(bits == ~0ull);
}

/* Each single bit of a field is packed to its bit of the header, and unpacked from it. */
static void test_walking_ones(void **state)
{
	static const u8 nothing[8];
	size_t i;

	for (i = 0; i < FIELDS; i++) {
		const struct field *f = &fields[i];
		u32 bit;

		for (bit = f->first; bit <= f->last; bit++) {
			struct bgl_header h = zero_header(), back;
			u8 want[8] = { 0 }, got[8];

			*member(&h, f) = (u8)((1u << (f->last - bit)) + f->bias);
			flip(want, f->word * 32 + bit);
			bgl_header_pack(&h, got);
			assert_memory_equal(got, want, sizeof(want));

			memset(&back, 0, sizeof(back));
			bgl_header_unpack(&back, want);
			assert_memory_equal(&back, &h, sizeof(h));

			*member(&h, f) = (u8)f->bias;
			bgl_header_pack(&h, got);
			assert_memory_equal(got, nothing, sizeof(nothing));
		}
	}
}

static void test_every_value(void **state)
{
	size_t i;

	for (i = 0; i < FIELDS; i++) {
		const struct field *f = &fields[i];
		u32 width = f->last - f->first + 1;
		u32 value;

		for (value = 0; value < 1u << width; value++) {
			struct bgl_header h = zero_header();
			u8 bytes[8];
			u32 word;

			*member(&h, f) = (u8)(value + f->bias);
			bgl_header_pack(&h, bytes);
			word = bgl_word_load(bytes + 4 * f->word);
			assert_int_equal(word, value << (31 - f->last));
			assert_int_equal(bgl_word_load(bytes + 4 * !f->word), 0);
		}
	}
}

/* Packing a value that is too large for its field changes no other field. */
static void test_fields_keep_to_their_bits(void **state)
{
	/* rows of csum_skip, hints, chunks, sw, vc */
	static const size_t narrow[] = { 0, 2, 5, 6, 8 };
	size_t i;

	for (i = 0; i < COUNT(narrow); i++) {
		const struct field *f = &fields[narrow[i]];
		struct bgl_header h = zero_header();
		u8 bytes[8];
		u32 mask, word;

		*member(&h, f) = 0xff;
		bgl_header_pack(&h, bytes);
		mask = ((1u << (f->last - f->first + 1)) - 1) << (31 - f->last);
		word = bgl_word_load(bytes + 4 * f->word);
		assert_int_equal(word & ~mask, 0);
		assert_int_equal(bgl_word_load(bytes + 4 * !f->word), 0);
	}
}

static void test_random_bits_survive(void **state)
{
	u32 round;

	seed = 1;
	for (round = 0; round < 100000; round++) {
		struct bgl_header h;
		u8 in[8], out[8];

		fill(in, sizeof(in));
		bgl_header_unpack(&h, in);
		assert_in_range(h.chunks, 1, 8);
		bgl_header_pack(&h, out);
		assert_memory_equal(in, out, sizeof(in));
	}
}

static void test_words_are_big_endian(void **state)
{
	static const u8 want[4] = { 0x12, 0x34, 0x56, 0x78 };
	u8 got[4];

	bgl_word_store(got, 0x12345678);
	assert_memory_equal(got, want, sizeof(want));
	assert_int_equal(bgl_word_load(want), 0x12345678);
}

static void test_seal(void **state)
{
	u32 round;

	seed = 2;
	for (round = 0; round < 1000; round++) {
		u8 before[8], bytes[8];

		fill(before, sizeof(before));
		memcpy(bytes, before, sizeof(bytes));
		bgl_header_seal(bytes, (u8)round);
		assert_memory_equal(bytes, before, 6);
		assert_int_equal(bytes[6], round & 0xff);
		assert_int_equal(bytes[7], torus_crc8(TORUS_CRC8_INIT, bytes, 7));
		assert_true(bgl_header_intact(bytes));
	}
}

/* The CRC-8 has distance 4: it detects each choice of 1, 2 or 3 flipped bits of a header. */
static void test_header_crc_finds_three_flips(void **state)
{
	u8 bytes[8];
	u32 i, j, k;

	seed = 3;
	fill(bytes, sizeof(bytes));
	bgl_header_seal(bytes, 0xa5);
	for (i = 0; i < 64; i++) {
		flip(bytes, i);
		assert_false(bgl_header_intact(bytes));
		for (j = 0; j < i; j++) {
			flip(bytes, j);
			assert_false(bgl_header_intact(bytes));
			for (k = 0; k < j; k++) {
				flip(bytes, k);
				assert_false(bgl_header_intact(bytes));
				flip(bytes, k);
			}
			flip(bytes, j);
		}
		flip(bytes, i);
	}
	assert_true(bgl_header_intact(bytes));
}

/* ------------------------------------------------ a packet on the wire */

#define PACKET_MAX	256
#define WIRE_MAX	(PACKET_MAX + TORUS_CRC24_BYTES)
#define WIRE_BITS_MAX	(WIRE_MAX * 8)

/**
 * struct wire - a packet as a link sends it, without the valid byte
 * @bytes: header with sequence number and CRC-8, body, CRC-24
 * @size: number of bytes that the CRC-24 covers
 * @bits: number of bits of the whole packet
 * @single: difference() for each single flipped bit
 */
struct wire {
	u8 bytes[WIRE_MAX];
	u32 size;
	u32 bits;
	u32 single[WIRE_BITS_MAX];
};

/*
 * Compute the differences between the two received CRCs and their right values, as a receiver does.
 * The high byte is the difference of the CRC-8, the low 24 bits are that of the CRC-24.
 */
static u32 difference(const struct wire *w)
{
	const u8 *trailer = w->bytes + w->size;
	u32 packet = torus_crc24(TORUS_CRC24_INIT, w->bytes, w->size) ^
		     ((u32)trailer[0] << 16 | (u32)trailer[1] << 8 | trailer[2]);
	u32 header = (u32)bgl_header_crc(w->bytes) ^ w->bytes[7];

	assert_int_equal(!header, bgl_header_intact(w->bytes));
	return header << 24 | packet;
}

static bool accepted(u32 difference)
{
	return !difference;
}

static void wire_flip(struct wire *w, u32 bit)
{
	flip(w->bytes, bit);
}

static void wire_make(struct wire *w, u32 size)
{
	struct bgl_header h = { .chunks = (u8)(size / 32), .dynamic = true };
	u32 crc, bit;

	w->size = size;
	w->bits = (size + TORUS_CRC24_BYTES) * 8;
	fill(w->bytes, size);
	h.hints = (u8)draw(64);
	bgl_header_pack(&h, w->bytes);
	bgl_header_seal(w->bytes, (u8)draw(256));
	crc = torus_crc24(TORUS_CRC24_INIT, w->bytes, size);
	w->bytes[size] = (u8)(crc >> 16);
	w->bytes[size + 1] = (u8)(crc >> 8);
	w->bytes[size + 2] = (u8)crc;
	assert_true(accepted(difference(w)));

	for (bit = 0; bit < w->bits; bit++) {
		wire_flip(w, bit);
		w->single[bit] = difference(w);
		wire_flip(w, bit);
	}
}

/* Compute the difference after @n flipped bits. */
static u32 computed(struct wire *w, const u32 *bits, u32 n)
{
	u32 i, result;

	for (i = 0; i < n; i++)
		wire_flip(w, bits[i]);
	result = difference(w);
	for (i = 0; i < n; i++)
		wire_flip(w, bits[i]);
	return result;
}

/* Sum the differences of @n single bits: CRCs are linear. */
static u32 summed(const struct wire *w, const u32 *bits, u32 n)
{
	u32 result = 0;

	while (n--)
		result ^= w->single[bits[n]];
	return result;
}

/* Draw @n different bits. */
static void draw_bits(const struct wire *w, u32 *bits, u32 n)
{
	u32 i = 0, j;

	while (i < n) {
		bits[i] = draw(w->bits);
		for (j = 0; j < i && bits[j] != bits[i]; j++)
			;
		i += j == i;
	}
}

static bool soak(void)
{
	const char *value = getenv("TORUS_SOAK");

	return value && *value && *value != '0';
}

/*
 * The sum of the differences for single bits equals the difference that a receiver computes for all
 * flipped bits. The next tests rely on this.
 */
static void test_flips_add_up(void **state)
{
	static struct wire w;
	u32 rounds = soak() ? 1000000 : 4000;
	u32 size, round, n, bits[8];

	seed = 4;
	for (size = 32; size <= PACKET_MAX; size += 32) {
		wire_make(&w, size);
		for (round = 0; round < rounds; round++) {
			n = 1 + draw(8);
			draw_bits(&w, bits, n);
			assert_int_equal(computed(&w, bits, n), summed(&w, bits, n));
		}
	}
}

/*
 * Each choice of one or two bits in packets of each size is detected. With TORUS_SOAK, compute each
 * difference as a receiver does, not as a sum.
 */
static void test_one_or_two_flips_never_accepted(void **state)
{
	static struct wire w;
	bool anew = soak();
	u32 size, i, j;

	seed = 5;
	for (size = 32; size <= PACKET_MAX; size += 32) {
		wire_make(&w, size);
		for (i = 0; i < w.bits; i++) {
			assert_false(accepted(w.single[i]));
			for (j = 0; j < i; j++) {
				const u32 bits[2] = { i, j };

				assert_false(accepted(summed(&w, bits, 2)));
				if (anew)
					assert_false(accepted(computed(&w, bits, 2)));
			}
		}
	}
}

/* The CRC-24 alone detects each choice of two bits. */
static void test_crc24_alone_finds_two_flips(void **state)
{
	static struct wire w;
	u32 i, j;

	seed = 6;
	wire_make(&w, PACKET_MAX);
	for (i = 0; i < w.bits; i++) {
		assert_int_not_equal(w.single[i] & 0xffffff, 0);
		for (j = 0; j < i; j++)
			assert_int_not_equal((w.single[i] ^ w.single[j]) & 0xffffff, 0);
	}
}

/*
 * Each choice of three bits in a packet of 32 bytes is detected. Each difference is computed as a
 * receiver does, not as a sum.
 */
static void test_three_flips_never_accepted_32(void **state)
{
	static struct wire w;
	u32 i, j, k;

	seed = 7;
	wire_make(&w, 32);
	for (i = 0; i < w.bits; i++) {
		wire_flip(&w, i);
		for (j = 0; j < i; j++) {
			wire_flip(&w, j);
			for (k = 0; k < j; k++) {
				wire_flip(&w, k);
				assert_false(accepted(difference(&w)));
				wire_flip(&w, k);
			}
			wire_flip(&w, j);
		}
		wire_flip(&w, i);
	}
	assert_true(accepted(difference(&w)));
}

/*
 * Random choices of three bits are detected. Each difference is computed as a receiver does, not as
 * a sum. test_crc tests all choices of three bits.
 */
static void test_three_flips_never_accepted_256(void **state)
{
	static struct wire w;
	u32 samples = soak() ? 20000000 : 1000000;
	u32 i, bits[3];

	seed = 8;
	wire_make(&w, PACKET_MAX);
	for (i = 0; i < samples; i++) {
		draw_bits(&w, bits, 3);
		assert_false(accepted(computed(&w, bits, 3)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_has_every_bit_once),
		cmocka_unit_test(test_walking_ones),
		cmocka_unit_test(test_every_value),
		cmocka_unit_test(test_fields_keep_to_their_bits),
		cmocka_unit_test(test_random_bits_survive),
		cmocka_unit_test(test_words_are_big_endian),
		cmocka_unit_test(test_seal),
		cmocka_unit_test(test_header_crc_finds_three_flips),
		cmocka_unit_test(test_flips_add_up),
		cmocka_unit_test(test_one_or_two_flips_never_accepted),
		cmocka_unit_test(test_crc24_alone_finds_two_flips),
		cmocka_unit_test(test_three_flips_never_accepted_32),
		cmocka_unit_test(test_three_flips_never_accepted_256),
	};

	return cmocka_run_group_tests_name("bgl_header", tests, NULL, NULL);
}
