// SPDX-License-Identifier: GPL-2.0
/* Contents and lengths of messages, as functions of phase, sender, receiver and number. */
#include <string.h>
#include <time.h>
#include "content.h"
#include "demo.h"
#include "options.h"

/**
 * demo_now_ns() - read the clock
 *
 * Return: nanoseconds, CLOCK_MONOTONIC.
 */
__u64 demo_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/**
 * demo_mix() - mix the bits of a 64-bit number
 * @z: any number
 *
 * Return: a pseudorandom number.
 */
__u64 demo_mix(__u64 z)
{
	z += 0x9e3779b97f4a7c15ull;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

/**
 * content_seed() - compute the seed of a message's contents
 * @phase: phase of the message
 * @source: rank of the sender
 * @dest: rank of the receiver
 * @id: number of the message
 *
 * Return: the seed.
 */
__u64 content_seed(enum phase phase, uint32_t source, uint32_t dest, uint32_t id)
{
	return demo_mix(demo_mix(demo_mix((__u64)phase << 32 | source) ^ dest) ^ id);
}

/*
 * Return: the eight bytes of a message at offset @at. At the end of a message only a part of them
 * is used.
 */
static __u64 content_word(__u64 seed, uint32_t at)
{
	return (seed + at) * 0x9e3779b97f4a7c15ull ^ seed >> 17;
}

/**
 * content_fill() - generate the bytes of a message
 * @bytes: [out] bytes
 * @seed: result of content_seed()
 * @length: number of bytes
 */
void content_fill(unsigned char *bytes, __u64 seed, uint32_t length)
{
	uint32_t at;

	for (at = 0; at < length; at += 8) {
		__u64 word = content_word(seed, at);

		memcpy(bytes + at, &word, length - at < 8 ? length - at : 8);
	}
}

/**
 * content_compare() - check the bytes of a message
 * @bytes: received message
 * @seed: result of content_seed()
 * @length: bytes of the message
 *
 * Return: the index of the first wrong byte, or @length if all bytes are right.
 */
uint32_t content_compare(const unsigned char *bytes, __u64 seed, uint32_t length)
{
	uint32_t at, i;

	for (at = 0; at < length; at += 8) {
		__u64 word = content_word(seed, at);
		uint32_t part = length - at < 8 ? length - at : 8;

		if (!memcmp(bytes + at, &word, part))
			continue;
		for (i = 0; i < part; i++)
			if (bytes[at + i] != ((unsigned char *)&word)[i])
				return at + i;
	}
	return length;
}

/**
 * content_mixed_length() - select the length of a message of the all-to-all
 * @source: rank of the sender
 * @dest: rank of the receiver
 * @id: number of the message
 * @count: number of ranks
 *
 * Lengths range from 1 byte to options.length_max. Each source sends at least one message of 1 byte
 * and exactly one of the maximum length per round, and each destination receives as many. For the
 * other messages, draw two powers of two, take the smaller one, and add a random number less than
 * it.
 *
 * Return: bytes.
 */
uint32_t content_mixed_length(uint32_t source, uint32_t dest, uint32_t id, uint32_t count)
{
	__u64 random = demo_mix(content_seed(PHASE_ALL, source, dest, id));
	uint32_t place = (source + dest + id) % count;
	uint32_t bits = 0, one, other, length;

	if (place < 2)
		return place ? 1 : options.length_max;
	while (options.length_max >> (bits + 1))
		bits++;
	one = (random & 0xffff) % bits;
	other = (random >> 16 & 0xffff) % bits;
	length = 1u << (one < other ? one : other);
	return length + (random >> 32) % length;
}

/**
 * content_lap_length() - select the length of the ring's token
 * @lap: number of the lap
 *
 * Return: bytes.
 */
uint32_t content_lap_length(unsigned int lap)
{
	static const uint32_t lengths[] = { 1, 220, 221, 4096 };

	return lengths[lap % ARRAY_SIZE(lengths)];
}
