// SPDX-License-Identifier: GPL-2.0
/*
 * CRCs, computed from tables, eight bytes at a time.
 *
 * Table s of a polynomial has the effect of a byte on the CRC when s more bytes follow it. CRCs are
 * linear: the effect of a byte is the exclusive or of the effects of its bits. One shift of the
 * register yields the effect of the next bit. The compiler computes all tables in this way from the
 * six polynomials below.
 *
 * The CRC-8, the CRC-16 and both CRC-24 are kept in the top bits of a 32-bit word, most significant
 * bit first. crc_up() serves the CRC-16 and both CRC-24.
 */
#include "core/base/crc.h"

#define CRC_SLICES	8

/* Shift a register by one bit, from its top bit (UP) or from its lowest bit (DOWN). */
#define CRC_SHIFT_UP(a, poly)	((((u32)(a)) << 1) ^ (((u32)(a)) >> 31 ? (u32)(poly) : 0u))
#define CRC_SHIFT_DOWN(a, poly)	((((u32)(a)) >> 1) ^ (((u32)(a)) & 1 ? (u32)(poly) : 0u))

/*
 * For a byte that is followed by s bytes, define the effect of each of its eight bits on the
 * register. @p##s##0 is the effect of the bit that the register processes last; @first is its
 * value.
 */
#define CRC_BITS(p, s, shift, first)			\
	p##s##0 = (u32)(first),				\
	p##s##1 = shift(p##s##0, p),			\
	p##s##2 = shift(p##s##1, p),			\
	p##s##3 = shift(p##s##2, p),			\
	p##s##4 = shift(p##s##3, p),			\
	p##s##5 = shift(p##s##4, p),			\
	p##s##6 = shift(p##s##5, p),			\
	p##s##7 = shift(p##s##6, p)

#define CRC_POLYNOMIAL(p, shift, poly)			\
	enum {						\
		p = (u32)(poly),			\
		CRC_BITS(p, 0, shift, poly),		\
		CRC_BITS(p, 1, shift, shift(p##07, p)),	\
		CRC_BITS(p, 2, shift, shift(p##17, p)),	\
		CRC_BITS(p, 3, shift, shift(p##27, p)),	\
		CRC_BITS(p, 4, shift, shift(p##37, p)),	\
		CRC_BITS(p, 5, shift, shift(p##47, p)),	\
		CRC_BITS(p, 6, shift, shift(p##57, p)),	\
		CRC_BITS(p, 7, shift, shift(p##67, p)),	\
	}

CRC_POLYNOMIAL(CRC8_, CRC_SHIFT_UP, 0x07000000u);
CRC_POLYNOMIAL(CRC16_, CRC_SHIFT_UP, 0x10210000u);
CRC_POLYNOMIAL(CRC24_, CRC_SHIFT_UP, 0x864cfb00u);
CRC_POLYNOMIAL(STRONG_, CRC_SHIFT_UP, 0x31ff1900u);
CRC_POLYNOMIAL(CRC32_, CRC_SHIFT_DOWN, 0xedb88320u);
CRC_POLYNOMIAL(CRC32C_, CRC_SHIFT_DOWN, 0x82f63b78u);

/*
 * Effect of byte @i on the register: the exclusive or of the effects of its bits. UP processes the
 * lowest bit last, DOWN the highest bit.
 */
#define CRC_BIT(i, bit, effect)	((i) & (bit) ? (u32)(effect) : 0u)
#define CRC_UP(p, s, i)							\
	(CRC_BIT(i, 0x01, p##s##0) ^ CRC_BIT(i, 0x02, p##s##1) ^	\
	 CRC_BIT(i, 0x04, p##s##2) ^ CRC_BIT(i, 0x08, p##s##3) ^	\
	 CRC_BIT(i, 0x10, p##s##4) ^ CRC_BIT(i, 0x20, p##s##5) ^	\
	 CRC_BIT(i, 0x40, p##s##6) ^ CRC_BIT(i, 0x80, p##s##7))
#define CRC_DOWN(p, s, i)						\
	(CRC_BIT(i, 0x80, p##s##0) ^ CRC_BIT(i, 0x40, p##s##1) ^	\
	 CRC_BIT(i, 0x20, p##s##2) ^ CRC_BIT(i, 0x10, p##s##3) ^	\
	 CRC_BIT(i, 0x08, p##s##4) ^ CRC_BIT(i, 0x04, p##s##5) ^	\
	 CRC_BIT(i, 0x02, p##s##6) ^ CRC_BIT(i, 0x01, p##s##7))
/* The CRC-8 is the register's top byte. */
#define CRC_TOP(p, s, i)	(CRC_UP(p, s, i) >> 24)

#define CRC_4(entry, p, s, i)						\
	[(i)] = entry(p, s, (i)), [(i) + 1] = entry(p, s, (i) + 1),	\
	[(i) + 2] = entry(p, s, (i) + 2), [(i) + 3] = entry(p, s, (i) + 3)
#define CRC_16(entry, p, s, i)						\
	CRC_4(entry, p, s, i), CRC_4(entry, p, s, (i) + 4),		\
	CRC_4(entry, p, s, (i) + 8), CRC_4(entry, p, s, (i) + 12)
#define CRC_64(entry, p, s, i)						\
	CRC_16(entry, p, s, i), CRC_16(entry, p, s, (i) + 16),		\
	CRC_16(entry, p, s, (i) + 32), CRC_16(entry, p, s, (i) + 48)
#define CRC_256(entry, p, s)						\
	[s] = { CRC_64(entry, p, s, 0), CRC_64(entry, p, s, 64),	\
		CRC_64(entry, p, s, 128), CRC_64(entry, p, s, 192) }
#define CRC_TABLE(entry, p) {						\
	CRC_256(entry, p, 0), CRC_256(entry, p, 1),			\
	CRC_256(entry, p, 2), CRC_256(entry, p, 3),			\
	CRC_256(entry, p, 4), CRC_256(entry, p, 5),			\
	CRC_256(entry, p, 6), CRC_256(entry, p, 7) }

static const u8 crc8_table[CRC_SLICES][256] = CRC_TABLE(CRC_TOP, CRC8_);
static const u32 crc16_table[CRC_SLICES][256] = CRC_TABLE(CRC_UP, CRC16_);
static const u32 crc24_table[CRC_SLICES][256] = CRC_TABLE(CRC_UP, CRC24_);
static const u32 crc24_strong_table[CRC_SLICES][256] = CRC_TABLE(CRC_UP, STRONG_);
static const u32 crc32_table[CRC_SLICES][256] = CRC_TABLE(CRC_DOWN, CRC32_);
static const u32 crc32c_table[CRC_SLICES][256] = CRC_TABLE(CRC_DOWN, CRC32C_);

torus_inline u32 crc_load_be(const u8 *p)
{
	return (u32)p[0] << 24 | (u32)p[1] << 16 | (u32)p[2] << 8 | p[3];
}

torus_inline u32 crc_load_le(const u8 *p)
{
	return (u32)p[3] << 24 | (u32)p[2] << 16 | (u32)p[1] << 8 | p[0];
}

/* Effect of the four bytes of @w, its low byte last, when @after more bytes follow. */
torus_inline u32 crc_word(const u32 (*table)[256], u32 after, u32 w)
{
	return table[after + 3][w >> 24] ^ table[after + 2][w >> 16 & 0xff] ^
	       table[after + 1][w >> 8 & 0xff] ^ table[after][w & 0xff];
}

/* Effect of the four bytes of @w, its high byte last, when @after more bytes follow. */
torus_inline u32 crc_word_reflected(const u32 (*table)[256], u32 after, u32 w)
{
	return table[after + 3][w & 0xff] ^ table[after + 2][w >> 8 & 0xff] ^
	       table[after + 1][w >> 16 & 0xff] ^ table[after][w >> 24];
}

/* Update a CRC that is computed most significant bit first; @reg has the CRC in its upper bits. */
torus_inline u32 crc_up(const u32 (*table)[256], u32 reg, const u8 *p, size_t len)
{
	for (; len >= CRC_SLICES; len -= CRC_SLICES, p += CRC_SLICES)
		reg = crc_word(table, 4, reg ^ crc_load_be(p)) ^
		      crc_word(table, 0, crc_load_be(p + 4));
	for (; len; len--)
		reg = reg << 8 ^ table[0][reg >> 24 ^ *p++];
	return reg;
}

/*
 * Update a CRC that is computed least significant bit first. The last four of the eight bytes do
 * not depend on the state: loading them one by one takes fewer instructions than splitting a word.
 */
torus_inline u32 crc_down(const u32 (*table)[256], u32 reg, const u8 *p, size_t len)
{
	for (; len >= CRC_SLICES; len -= CRC_SLICES, p += CRC_SLICES)
		reg = crc_word_reflected(table, 4, reg ^ crc_load_le(p)) ^
		      table[3][p[4]] ^ table[2][p[5]] ^ table[1][p[6]] ^ table[0][p[7]];
	for (; len; len--)
		reg = reg >> 8 ^ table[0][(reg ^ *p++) & 0xff];
	return reg;
}

/*
 * Update the CRC-8 with @len bytes, 1 to 8. The table lookups are independent, so the processor
 * executes them in parallel.
 */
torus_inline u8 crc8_last(u8 crc, const u8 *p, size_t len)
{
	crc = crc8_table[len - 1][crc ^ p[0]];
	switch (len) {
	case 8:
		crc ^= crc8_table[6][p[len - 7]];
		torus_fallthrough;
	case 7:
		crc ^= crc8_table[5][p[len - 6]];
		torus_fallthrough;
	case 6:
		crc ^= crc8_table[4][p[len - 5]];
		torus_fallthrough;
	case 5:
		crc ^= crc8_table[3][p[len - 4]];
		torus_fallthrough;
	case 4:
		crc ^= crc8_table[2][p[len - 3]];
		torus_fallthrough;
	case 3:
		crc ^= crc8_table[1][p[len - 2]];
		torus_fallthrough;
	case 2:
		crc ^= crc8_table[0][p[len - 1]];
	}
	return crc;
}

u8 torus_crc8(u8 crc, const void *data, size_t len)
{
	const u8 *p = data;

	for (; len > CRC_SLICES; len -= CRC_SLICES, p += CRC_SLICES)
		crc = crc8_last(crc, p, CRC_SLICES);
	return len ? crc8_last(crc, p, len) : crc;
}

u16 torus_crc16(u16 crc, const void *data, size_t len)
{
	return (u16)(crc_up(crc16_table, (u32)crc << 16, data, len) >> 16);
}

u32 torus_crc24(u32 crc, const void *data, size_t len)
{
	return crc_up(crc24_table, crc << 8, data, len) >> 8;
}

u32 torus_crc24_strong(u32 crc, const void *data, size_t len)
{
	return crc_up(crc24_strong_table, crc << 8, data, len) >> 8;
}

u32 torus_crc32_extend(u32 state, const void *data, size_t len)
{
	return crc_down(crc32_table, state, data, len);
}

/*
 * Fill @by with the values of a linear function for each nibble. @bits: value of the function for
 * each single bit of its argument.
 */
static void crc_zeros_fill(struct torus_crc32_zeros *zeros, const u32 *bits)
{
	u32 nibble, i, bit;

	for (nibble = 0; nibble < 8; nibble++) {
		u32 *by = zeros->by[nibble];

		by[0] = 0;
		for (bit = 0; bit < 4; bit++)
			for (i = 0; i < 1u << bit; i++)
				by[1u << bit | i] = by[i] ^ bits[nibble * 4 + bit];
	}
}

void torus_crc32_zeros_init(struct torus_crc32_zeros *zeros, size_t len)
{
	static const u8 none[64];
	u32 bits[32], bit;
	size_t left, n;

	for (bit = 0; bit < 32; bit++) {
		bits[bit] = 1u << bit;
		for (left = len; left; left -= n) {
			n = left < sizeof(none) ? left : sizeof(none);
			bits[bit] = torus_crc32_extend(bits[bit], none, n);
		}
	}
	crc_zeros_fill(zeros, bits);
}

void torus_crc32_zeros_join(struct torus_crc32_zeros *zeros, const struct torus_crc32_zeros *first,
			    const struct torus_crc32_zeros *then)
{
	u32 bits[32], bit;

	for (bit = 0; bit < 32; bit++)
		bits[bit] = torus_crc32_zeros(then, torus_crc32_zeros(first, 1u << bit));
	crc_zeros_fill(zeros, bits);
}

u32 torus_crc32c_update(u32 state, const void *data, size_t len)
{
	return crc_down(crc32c_table, state, data, len);
}
