// SPDX-License-Identifier: GPL-2.0
/* Test the command line of mpirun, with a directory in place of Open MPI and of the provider. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "core/tests/says.h"
#include "../mpirun.h"
#include "../provider.h"

static char directory[] = "/tmp/torus-mpirun-XXXXXX";
static char *program[] = { "prog", "-x", NULL };

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static void file_make(const char *name)
{
	int fd = open(path_of(name), O_CREAT | O_WRONLY, 0755);

	assert_true(fd >= 0);
	close(fd);
}

static int set_up(void **state)
{
	static const char *const names[] = { "pml", "mtl", "btl", "osc", "plm" };
	char variable[32];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(variable, sizeof(variable), "OMPI_MCA_%s", names[i]);
		unsetenv(variable);
	}
	unlink(path_of("mpirun"));
	file_make("orterun");
	file_make("mpirun.mpich");
	file_make("torus-fi.so");
	assert_int_equal(symlink("orterun", path_of("mpirun")), 0);
	setenv("PATH", directory, 1);
	setenv("FI_PROVIDER_PATH", directory, 1);
	return 0;
}

/* Run @make with standard error in a file, and return the text of the file. */
static const char *said(bool *made, struct run_mpirun *mpirun, bool tag)
{
	static char text[1024];
	int fd = open(path_of("said"), O_CREAT | O_RDWR | O_TRUNC, 0600);
	int saved = dup(STDERR_FILENO);
	ssize_t got;

	dup2(fd, STDERR_FILENO);
	*made = run_mpirun_make(mpirun, 3, tag, program);
	dup2(saved, STDERR_FILENO);
	got = pread(fd, text, sizeof(text) - 1, 0);
	text[got > 0 ? got : 0] = '\0';
	close(saved);
	close(fd);
	return text;
}

static void refused(const char *words)
{
	struct run_mpirun mpirun;
	bool made;
	const char *text = said(&made, &mpirun, false);

	assert_false(made);
	assert_says(text, words);
	run_mpirun_free(&mpirun);
}

static const char *line_of(const struct run_mpirun *mpirun)
{
	static char line[2048];
	size_t used = 0;
	char **word;

	for (word = mpirun->words; *word; word++)
		used += snprintf(line + used, sizeof(line) - used, "%s%s", used ? " " : "", *word);
	return line;
}

static void test_line(void **state)
{
	struct run_mpirun mpirun;
	char expected[1024];
	bool made;

	said(&made, &mpirun, true);
	assert_true(made);
	snprintf(expected, sizeof(expected),
		 "%s/mpirun -np 3 --allow-run-as-root --oversubscribe --bind-to none --tag-output "
		 "--mca pml cm --mca mtl ofi --mca mtl_ofi_provider_include torus --mca btl self "
		 "--mca osc pt2pt --mca mpi_yield_when_idle 1 --mca plm isolated "
		 "--mca orte_base_help_aggregate 0 prog -x", directory);
	assert_string_equal(line_of(&mpirun), expected);
	assert_string_equal(mpirun.provider, path_of("torus-fi.so"));
	assert_string_equal(mpirun.provider_path, "");
	run_mpirun_free(&mpirun);
}

/* A user's own parameter stays, unless messages would not use the fabric with it. */
static void test_parameters(void **state)
{
	struct run_mpirun mpirun;
	bool made;

	setenv("OMPI_MCA_osc", "rdma", 1);
	setenv("OMPI_MCA_pml", "cm", 1);
	said(&made, &mpirun, false);
	assert_true(made);
	assert_null(strstr(line_of(&mpirun), "--mca osc"));
	assert_non_null(strstr(line_of(&mpirun), "--mca pml cm"));
	run_mpirun_free(&mpirun);
	setenv("OMPI_MCA_pml", "ob1", 1);
	refused("OMPI_MCA_pml ob1 cm");
	unsetenv("OMPI_MCA_pml");
	setenv("OMPI_MCA_btl", "self,tcp", 1);
	refused("OMPI_MCA_btl self,tcp");
}

static void test_missing(void **state)
{
	struct run_mpirun mpirun;
	char text[256];
	bool made;

	said(&made, &mpirun, false);
	assert_true(made);
	assert_null(run_provider_fault(&mpirun, text, sizeof(text)));
	unlink(path_of("torus-fi.so"));
	assert_says(run_provider_fault(&mpirun, text, sizeof(text)), "torus-fi.so No such file");
	run_mpirun_free(&mpirun);
	refused("FI_PROVIDER_PATH torus-fi.so");
	file_make("torus-fi.so");
	unlink(path_of("mpirun"));
	refused("mpirun PATH Open MPI");
	assert_int_equal(symlink("mpirun.mpich", path_of("mpirun")), 0);
	refused("mpirun another MPI");
}

static int tear_down(void **state)
{
	static const char *const names[] = {
		"mpirun", "orterun", "mpirun.mpich", "torus-fi.so", "said",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlink(path_of(names[i]));
	return rmdir(directory);
}

static int make_directory(void **state)
{
	return mkdtemp(directory) ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_line, set_up),
		cmocka_unit_test_setup(test_parameters, set_up),
		cmocka_unit_test_setup(test_missing, set_up),
	};

	return cmocka_run_group_tests(tests, make_directory, tear_down);
}
