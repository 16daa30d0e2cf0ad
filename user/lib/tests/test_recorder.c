// SPDX-License-Identifier: GPL-2.0
/*
 * Test that the file of TORUS_RECORD contains the packets that the machine accepts, and no others.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <torus/torus.h>
#include "../context/context.h"
#include "../context/recorder.h"

#define CHUNKS		64
#define CHUNK		8

/*
 * Write an XT header of @flits flits.  The field permits up to 15, although a packet has at most 9.
 */
static void put(unsigned char *ring, unsigned int at, unsigned int flits)
{
	torus_store_be32(ring + at * CHUNK + 4, flits << 28);
}

static void test_packets(void **state)
{
	static unsigned char ring[CHUNKS * CHUNK];
	static __u64 stamps[CHUNKS];
	struct torus_clock clock = { .contexts = 1 };
	struct torus_context context = {
		.clock = &clock, .machine = torus_machine_find("xt"),
		.info = {
			.chunk_bytes = CHUNK, .packet_chunks_max = 9, .inject_fifos = 1,
			.inject_chunks = CHUNKS, .receive_chunks = CHUNKS, .arch = "xt",
		},
		.inject[0] = { .ring = ring, .chunks = CHUNKS, .stamps = stamps },
	};
	char name[] = "/tmp/torus-record-XXXXXX", line[2 * 15 * CHUNK + 200];
	int file = mkstemp(name), lines = 0;
	FILE *read;

	assert_true(file >= 0);
	setenv("TORUS_RECORD", name, 1);
	assert_int_equal(torus_record_attach(&context, false), 0);
	put(ring, 0, 2);
	context.inject[0].tail = 3;
	torus_record_inject(&context, 0);
	/* the kernel rejects this packet, and it is not recorded */
	context.inject[0].published = 3;
	put(ring, 3, 15);
	context.inject[0].tail = 3 + 16;
	torus_record_inject(&context, 0);
	torus_record_detach(&context, true);
	read = fdopen(file, "r");
	while (fgets(line, sizeof(line), read))
		lines += !!strstr(line, "inject 0 ");
	assert_int_equal(lines, 1);
	fclose(read);
	unlink(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_packets),
	};

	return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
