// SPDX-License-Identifier: GPL-2.0
/*
 * A capture that is read equals what was written; packets between two marks are sorted; invalid
 * files are rejected. If TORUS_CAPTURE_FILE is set, the test keeps a capture under this name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../sort.h"
#include "../read.h"
#include "../write.h"
#include "core/tests/says.h"
#include "../capture.h"

#define PACKETS	40

static const struct capture_fabric fabric = {
	.name = "bad", .arch = "bgl", .shape = "3x2x2", .tick_fs = 5714286, .ndims = 3,
};

/*
 * Return: the description of packet @i. Packets 0 to 2 are one packet from 1,0,0 to 0,1,0 with a
 * retransmission; all others differ.
 */
static struct torus_wire wire_of(unsigned int i)
{
	struct torus_wire wire = {
		.tick = 1000 + 300ull * i, .node = i ? 2 * i : 1, .peer = i ? 2 * i + 1 : 0,
		.src = i < 3 ? 1 : 7, .dst = 3, .seq = i < 3 ? 0 : i,
		.link_seq = (uint16_t)(70 + i),
		.bytes = 36, .dir = (uint8_t)(i % 6), .vc = 2, .attempt = 1, .header_bytes = 8,
		.crc_bytes = 3, .arch = "bgl",
	};

	if (i == 0)
		wire.flags = TORUS_WIRE_CRC;
	if (i == 1) {
		wire = wire_of(0);
		wire.tick = 1700;
		wire.attempt = 2;
		wire.flags = TORUS_WIRE_AGAIN;
	}
	if (i == 2) {
		wire.node = 0;
		wire.peer = 3;
		wire.tick = 1900;
	}
	return wire;
}

static void write_file(FILE *out)
{
	struct capture_writer writer;
	uint8_t bytes[36];
	unsigned int i, j;

	capture_begin(&writer, out, &fabric);
	for (i = 0; i < PACKETS; i++) {
		struct capture_packet packet = {
			.wire = wire_of(i), .bytes = bytes, .captured = i == 5 ? 10 : sizeof(bytes),
			.coords = { { 0 }, { i < 3, i >= 3, 0 }, { 0, 1, 0 } },
		};

		for (j = 0; j < sizeof(bytes); j++)
			bytes[j] = (uint8_t)(i + j);
		packet.coords[0][0] = packet.wire.node == 1;
		if (i == 7)
			capture_lose(&writer, 12);
		capture_write(&writer, &packet);
	}
	capture_lose(&writer, 3);
	capture_end(&writer);
	assert_int_equal(writer.packets, PACKETS);
	assert_int_equal(writer.lost, 15);
}

/* Write bytes to a temporary file. Return: its name. */
static char *file_of(const void *bytes, size_t size)
{
	static char name[] = "/tmp/torus-capture-XXXXXX";
	int fd;

	memcpy(name + sizeof(name) - 7, "XXXXXX", 6);
	fd = mkstemp(name);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	close(fd);
	return name;
}

static void image(char **bytes, size_t *size)
{
	FILE *out = open_memstream(bytes, size);

	write_file(out);
	assert_int_equal(fclose(out), 0);
}

static void test_as_written(void **state)
{
	const char *keep = getenv("TORUS_CAPTURE_FILE");
	struct capture_reader reader;
	struct capture_packet packet;
	char *bytes, *name;
	unsigned int i, j;
	size_t size;

	image(&bytes, &size);
	name = file_of(bytes, size);
	assert_true(capture_open(&reader, name));
	for (i = 0; i < PACKETS; i++) {
		struct torus_wire wire = wire_of(i);

		assert_int_equal(capture_next(&reader, &packet), 1);
		assert_memory_equal(&packet.wire, &wire, sizeof(wire));
		assert_int_equal(packet.captured, i == 5 ? 10 : 36);
		for (j = 0; j < packet.captured; j++)
			assert_int_equal(packet.bytes[j], (uint8_t)(i + j));
		assert_int_equal(packet.coords[0][0], wire.node == 1);
		assert_int_equal(packet.coords[1][0], i < 3);
		assert_int_equal(packet.coords[1][1], i >= 3);
		assert_int_equal(packet.coords[2][1], 1);
	}
	assert_int_equal(reader.ndims, 3);
	assert_int_equal(reader.tick_fs, fabric.tick_fs);
	assert_string_equal(reader.fabric, "bad");
	assert_int_equal(capture_next(&reader, &packet), 0);
	capture_close(&reader);
	if (keep)
		assert_int_equal(rename(name, keep), 0);
	else
		unlink(name);
	free(bytes);
}

static void test_time(void **state)
{
	assert_int_equal(capture_ns(5714286, 1000), 5714);
	/* a product that exceeds 64 bits of femtoseconds */
	assert_int_equal(capture_ns(5714286, 10000000000000ull), 57142860000000ull);
}

/* Add one record in the module's format. */
static void add(struct capture_batch *batch, uint64_t tick, uint32_t node, uint8_t dir)
{
	struct {
		struct torus_capture_record record;
		struct torus_wire wire;
		uint8_t bytes[8];
	} one = {
		.record = { .bytes = sizeof(one), .captured = 1 },
		.wire = { .tick = tick, .node = node, .dir = dir }, .bytes = { dir },
	};

	assert_true(capture_batch_add(batch, &one.record));
}

static void test_order(void **state)
{
	struct capture_batch batch = { .count = 0 };
	const struct torus_wire *wire;
	const uint8_t *bytes;
	uint32_t captured;
	size_t i;

	for (i = 0; i < 3000; i++)
		add(&batch, 5000 - i / 12, 5 - i / 6 % 2, (uint8_t)(5 - i % 6));
	capture_batch_sort(&batch);
	for (i = 0; i < 3000; i++) {
		wire = capture_batch_packet(&batch, i, &bytes, &captured);
		assert_int_equal(wire->tick, 4751 + i / 12);
		assert_int_equal(wire->node, 4 + i / 6 % 2);
		assert_int_equal(wire->dir, i % 6);
		assert_int_equal(captured, 1);
		assert_int_equal(*bytes, i % 6);
	}
	capture_batch_clear(&batch);
	assert_int_equal(batch.count, 0);
	capture_batch_free(&batch);
}

/*
 * Read a file that is cut after @size bytes, or whose word at @at is replaced by @word. The error
 * message must contain the words of @why.
 */
static void refused(const char *bytes, size_t size, size_t at, uint32_t word, const char *why)
{
	struct capture_reader reader;
	struct capture_packet packet;
	char *copy = malloc(size), *name;
	int got = 1;

	memcpy(copy, bytes, size);
	if (at)
		memcpy(copy + at, &word, sizeof(word));
	name = file_of(copy, size);
	if (capture_open(&reader, name)) {
		while (got > 0)
			got = capture_next(&reader, &packet);
		assert_true(got < 0);
	}
	assert_says(reader.why.text, why);
	capture_close(&reader);
	unlink(name);
	free(copy);
}

/* The first packet's block follows the blocks of the section and the interface. */
static void test_refused(void **state)
{
	struct capture_reader reader;
	uint32_t section, interface;
	size_t size, at;
	char *bytes;

	image(&bytes, &size);
	memcpy(&section, bytes + 4, sizeof(section));
	memcpy(&interface, bytes + section + 4, sizeof(interface));
	at = section + interface;
	refused(bytes, 3, 0, 0, "pcapng");
	refused(bytes, size, 8, 0x4d3c2b1a, "little-endian");
	refused(bytes, size, at + 4, 13, "pcapng block");
	refused(bytes, size, at + 4, 1u << 30, "pcapng block");
	refused(bytes, at + 20, 0, 0, "file block");
	refused(bytes, at + 5, 0, 0, "file block");
	refused(bytes, size, at + 20, 1u << 20, "packet block");
	refused(bytes, size, at + 28, 1 | 5u << 16, "packet");
	assert_false(capture_open(&reader, "/nowhere/at/all"));
	assert_says(reader.why.text, "/nowhere/at/all No such file");
	free(bytes);
}

/* Packets of interfaces beyond INTERFACES_MAX are skipped. */
static void test_interfaces(void **state)
{
	const uint32_t number = 70;
	struct capture_reader reader;
	struct capture_packet packet;
	uint32_t section, interface;
	char *bytes, *many, *name;
	size_t size, whole, i;

	image(&bytes, &size);
	memcpy(&section, bytes + 4, sizeof(section));
	memcpy(&interface, bytes + section + 4, sizeof(interface));
	memcpy(bytes + section + interface + 8, &number, sizeof(number));
	whole = size + number * interface;
	many = malloc(whole);
	memcpy(many, bytes, section);
	for (i = 0; i <= number; i++)
		memcpy(many + section + i * interface, bytes + section, interface);
	memcpy(many + section + i * interface, bytes + section + interface,
	       size - section - interface);
	name = file_of(many, whole);
	assert_true(capture_open(&reader, name));
	for (i = 0; capture_next(&reader, &packet) > 0; i++)
		assert_int_not_equal(packet.wire.tick, wire_of(0).tick);
	assert_int_equal(i, PACKETS - 1);
	capture_close(&reader);
	unlink(name);
	free(many);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_written),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_interfaces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
