// SPDX-License-Identifier: GPL-2.0
/*
 * Test the file with the counters of all links. Several processes write the file together. It must
 * be identical to the file that a single process writes.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../run/link_csv.h"
#include "core/state/domain.h"
#include "core/tests/rig.h"
#include "../base/output_file.h"
#include "../run/series.h"
#include "../transport/procs.h"
#include "lead.h"

#define FILE_MAX	(1 << 20)

int sim_reject(const char *format, ...)
{
	return SIM_USAGE;
}

/* templates of file names; mkstemp() fills in the last letters */
static char alone[32] = "/tmp/test_sim_links.XXXXXX";
static char together[sizeof(alone) + 8];

static int simulate(const char *path)
{
	const struct torus_traffic t = {
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = 32, .size_max = 256,
		.load = 1ull << 31, .cycles = 800,
	};
	struct torus_config cfg;
	struct torus_fabric *f;
	struct torus_error err;
	int status;

	rig_config(&cfg, "bgl", "8x6x6m", "crc=full ber=1e-5");
	cfg.procs = sim_procs();
	cfg.threads = 1;
	cfg.domains = sim_procs_count();
	if (torus_fabric_create(&cfg, &f, &err) || torus_traffic_start(f, &t, &err))
		return SIM_FAILED;
	while (rig_step(f, 100, 1))
		;
	status = sim_link_csv_write(f, path);
	torus_fabric_destroy(f);
	return status;
}

static int rank(const void *path)
{
	return simulate(path);
}

static size_t read_all(const char *path, char *text)
{
	FILE *file = fopen(path, "re");
	size_t n;

	assert_non_null(file);
	n = fread(text, 1, FILE_MAX, file);
	fclose(file);
	return n;
}

static void test_file_equals_that_of_one_process(void **state)
{
	static char wanted[FILE_MAX], got[FILE_MAX];
	static const u32 ranks[] = { 2, 3, 8 };
	char said[LEAD_SAID_MAX];
	size_t n;
	u32 i;

	assert_int_equal(simulate(alone), SIM_OK);
	n = read_all(alone, wanted);
	assert_true(n > 1000);
	lead_asked.delay_us = 200;
	for (i = 0; i < COUNT(ranks); i++) {
		lead_asked.ranks = ranks[i];
		lead_asked.seed = i;
		unlink(together);
		assert_int_equal(lead_ranks(rank, together, said), SIM_OK);
		assert_string_equal(said, "");
		assert_int_equal(read_all(together, got), n);
		assert_memory_equal(got, wanted, n);
	}
}

/* Check that each process can open the file of process 0, although the file has no name. */
static int share(const void *path)
{
	FILE *out = sim_output_open("--links", path);
	int fd = sim_output_share(out, sim_procs()), status;
	struct stat is;

	status = fd >= 0 && !fstat(fd, &is) && S_ISREG(is.st_mode) && !is.st_nlink ?
		 SIM_OK : sim_error("not the file");
	if (fd >= 0)
		close(fd);
	fclose(out);
	return status;
}

/* Check that a file which is not a regular file is not shared: process 0 writes alone. */
static int keep(const void *path)
{
	FILE *out = fopen("/dev/null", "we");
	int fd = sim_output_share(out, sim_procs());

	fclose(out);
	return fd < 0 ? SIM_OK : sim_error("it has been shared");
}

static void test_file_is_shared_by_all_or_none(void **state)
{
	char said[LEAD_SAID_MAX];

	lead_asked.ranks = 3;
	assert_int_equal(lead_ranks(share, together, said), SIM_OK);
	assert_string_equal(said, "");
	assert_int_equal(lead_ranks(keep, together, said), SIM_OK);
	assert_string_equal(said, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_file_equals_that_of_one_process),
		cmocka_unit_test(test_file_is_shared_by_all_or_none),
	};
	int failed, fd = mkstemp(alone);

	if (fd < 0)
		return 1;
	close(fd);
	snprintf(together, sizeof(together), "%s.all", alone);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(alone);
	unlink(together);
	return failed;
}
