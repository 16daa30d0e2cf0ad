// SPDX-License-Identifier: GPL-2.0
/*
 * Test output files: a regular file is replaced when complete and keeps its mode. A symbolic link
 * stays a link. Pipes, devices and sockets are written directly. A discarded file leaves nothing.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "../output_file.h"

static char work[64];

static void put(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
}

static void holds(const char *path, const char *text)
{
	char got[64] = "";
	FILE *in = fopen(path, "r");

	assert_non_null(in);
	got[fread(got, 1, sizeof(got) - 1, in)] = '\0';
	fclose(in);
	assert_string_equal(got, text);
}

static void write_out(const char *path, const char *text)
{
	FILE *out = torus_output_open(path);

	assert_non_null(out);
	fputs(text, out);
	assert_true(torus_output_close(out, path));
}

static unsigned int entries(void)
{
	DIR *dir = opendir(".");
	unsigned int count = 0;

	while (readdir(dir))
		count++;
	closedir(dir);
	return count - 2;
}

static int begin(void **state)
{
	strcpy(work, "/tmp/test_output_file.XXXXXX");
	return !mkdtemp(work) || chdir(work);
}

static int end(void **state)
{
	char command[80];

	snprintf(command, sizeof(command), "rm -rf %s", work);
	return chdir("/") || system(command);
}

static void test_file_is_replaced_when_whole(void **state)
{
	struct stat is;
	FILE *out;

	put("file", "before");
	assert_int_equal(chmod("file", 0640), 0);
	out = torus_output_open("file");
	assert_non_null(out);
	fputs("after", out);
	fflush(out);
	holds("file", "before");
	assert_true(torus_output_close(out, "file"));
	holds("file", "after");
	assert_int_equal(stat("file", &is), 0);
	assert_int_equal(is.st_mode & 07777, 0640);
	assert_int_equal(entries(), 1);
}

static void test_owner_is_kept(void **state)
{
	struct stat is;

	if (geteuid())
		skip();
	put("file", "before");
	assert_int_equal(chown("file", 65534, 65534), 0);
	assert_int_equal(chmod("file", 06755), 0);
	write_out("file", "after");
	assert_int_equal(stat("file", &is), 0);
	assert_int_equal(is.st_uid, 65534);
	assert_int_equal(is.st_gid, 65534);
	assert_int_equal(is.st_mode & 07777, 06755);
}

static void test_new_file_follows_umask(void **state)
{
	mode_t mask = umask(027);
	struct stat is;

	write_out("file", "new");
	umask(mask);
	holds("file", "new");
	assert_int_equal(stat("file", &is), 0);
	assert_int_equal(is.st_mode & 07777, 0640);
}

static void test_symbolic_link_is_followed(void **state)
{
	struct stat is;

	assert_int_equal(mkdir("there", 0755), 0);
	put("there/file", "before");
	assert_int_equal(symlink("file", "there/next"), 0);
	assert_int_equal(symlink("there/next", "link"), 0);
	write_out("link", "after");
	holds("there/file", "after");
	assert_int_equal(lstat("link", &is), 0);
	assert_true(S_ISLNK(is.st_mode));
	assert_int_equal(lstat("there/next", &is), 0);
	assert_true(S_ISLNK(is.st_mode));
	/* the target of the link does not exist yet */
	assert_int_equal(symlink("there/new", "to-new"), 0);
	write_out("to-new", "new");
	holds("there/new", "new");
	assert_int_equal(symlink("round", "round"), 0);
	assert_null(torus_output_open("round"));
	assert_int_equal(errno, ELOOP);
}

static void test_discarded_file(void **state)
{
	FILE *out;

	put("file", "before");
	out = torus_output_open("file");
	fputs("after", out);
	torus_output_discard(out, "file");
	holds("file", "before");
	out = torus_output_open("new");
	torus_output_discard(out, "new");
	assert_int_equal(entries(), 1);
}

static void test_device_and_pipe_are_kept(void **state)
{
	struct stat is;
	char got[8] = "";
	FILE *out;
	int fd;

	assert_int_equal(mkfifo("pipe", 0600), 0);
	fd = open("pipe", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	write_out("pipe", "text");
	assert_int_equal(read(fd, got, sizeof(got)), 4);
	assert_string_equal(got, "text");
	close(fd);
	assert_int_equal(lstat("pipe", &is), 0);
	assert_true(S_ISFIFO(is.st_mode));
	assert_int_equal(symlink("/dev/null", "null"), 0);
	write_out("null", "text");
	assert_int_equal(lstat("null", &is), 0);
	assert_true(S_ISLNK(is.st_mode));
	out = torus_output_open("/dev/full");
	assert_non_null(out);
	fputs("text", out);
	assert_false(torus_output_close(out, "/dev/full"));
	assert_int_equal(errno, ENOSPC);
	assert_int_equal(stat("/dev/full", &is), 0);
	assert_true(S_ISCHR(is.st_mode));
}

static void test_socket(void **state)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX, .sun_path = "socket" };
	int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), fd;
	char got[8] = "";

	assert_int_equal(bind(listening, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(listening, 1), 0);
	write_out("socket", "text");
	fd = accept(listening, NULL, NULL);
	assert_int_equal(read(fd, got, sizeof(got)), 4);
	assert_string_equal(got, "text");
	close(fd);
	close(listening);
}

static void test_unwritable_path(void **state)
{
	put("file", "before");
	assert_true(torus_output_writable("file"));
	assert_true(torus_output_writable("new"));
	assert_int_equal(entries(), 1);
	assert_false(torus_output_writable("no/file"));
	assert_null(torus_output_open("no/file"));
	assert_int_equal(errno, ENOENT);
	assert_false(torus_output_writable("."));
	assert_null(torus_output_open("."));
	assert_int_equal(errno, EISDIR);
	if (geteuid())
		return;
	/*
	 * This user may write to the directory, but the file belongs to another user, so a new file
	 * could not keep its owner.
	 */
	assert_int_equal(chmod("file", 0666), 0);
	assert_int_equal(chmod(".", 0777), 0);
	assert_int_equal(seteuid(65534), 0);
	assert_null(torus_output_open("file"));
	assert_int_equal(errno, EPERM);
	assert_int_equal(seteuid(0), 0);
	holds("file", "before");
	assert_int_equal(entries(), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_file_is_replaced_when_whole, begin, end),
		cmocka_unit_test_setup_teardown(test_owner_is_kept, begin, end),
		cmocka_unit_test_setup_teardown(test_new_file_follows_umask, begin, end),
		cmocka_unit_test_setup_teardown(test_symbolic_link_is_followed, begin, end),
		cmocka_unit_test_setup_teardown(test_discarded_file, begin, end),
		cmocka_unit_test_setup_teardown(test_device_and_pipe_are_kept, begin, end),
		cmocka_unit_test_setup_teardown(test_socket, begin, end),
		cmocka_unit_test_setup_teardown(test_unwritable_path, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
