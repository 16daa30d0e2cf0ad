// SPDX-License-Identifier: GPL-2.0
/*
 * Output files that options name; "-" is standard output. If several processes simulate together,
 * process 0 opens each file, and writes it alone unless sim_output_share() is used.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../common/extension.h"
#include "../../common/output_file.h"
#include "core/base/random.h"
#include "output_file.h"
#include "message.h"
#include "../transport/procs.h"

/**
 * sim_extension - check that an option can write the format named by a file's extension
 * @option: the option, for the error message
 * @path: the file
 * @writes: accepted extensions, separated by blanks
 *
 * Return: SIM_OK, or SIM_USAGE after an error message.
 */
int sim_extension(const char *option, const char *path, const char *writes)
{
	const char *wrong = torus_extension_wrong(path, writes);

	if (!wrong)
		return SIM_OK;
	return sim_reject("%s %s: cannot write a file of type %s, the name must end in one of: %s",
			  option, path, wrong,
			  writes);
}

/**
 * sim_writable - check that a file can be written
 * @option: option that names the file, for the error message
 * @path: the file
 *
 * Called before the run, so that an error is reported before hours of work are lost.
 *
 * Return: SIM_OK, or SIM_USAGE after an error message.
 */
int sim_writable(const char *option, const char *path)
{
	if (sim_procs_silent() || torus_output_writable(path))
		return SIM_OK;
	return sim_reject("%s %s: %s", option, path, strerror(errno));
}

/**
 * sim_output_open - open an output file
 * @option: option that names the file, for the error message
 * @path: name of the file; "-" is standard output
 *
 * Return: the file, which sim_output_close() closes; NULL after an error message.
 */
FILE *sim_output_open(const char *option, const char *path)
{
	/* only one process writes the file; the others write to /dev/null */
	FILE *out = torus_output_open(sim_procs_silent() && strcmp(path, "-") ? "/dev/null" : path);

	if (!out)
		sim_error("%s %s: %s", option, path, strerror(errno));
	return out;
}

/* Hash of the boot ID, which identifies the running machine. */
static u64 out_machine(void)
{
	char text[64];
	u64 mark = 0;
	ssize_t n = -1, i;
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		n = read(fd, text, sizeof(text));
		close(fd);
	}
	for (i = 0; i < n; i++)
		mark = torus_mix(mark ^ (u8)text[i]);
	return mark;
}

/* Machine, file and descriptor of the output file that process 0 opened. */
struct opened {
	u64 machine;
	u64 device;
	u64 inode;
	u64 process;
	u64 descriptor;
};

/*
 * Open the file of process 0 by its descriptor in /proc. Return -1 if process 0 runs on another
 * machine, or the file cannot be opened.
 */
static int out_same(const struct opened *first)
{
	char path[64];
	struct stat is;
	int fd;

	if (first->machine != out_machine())
		return -1;
	snprintf(path, sizeof(path), "/proc/%llu/fd/%llu", first->process, first->descriptor);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, &is) || is.st_dev != first->device ||
			is.st_ino != first->inode)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/**
 * sim_output_share - let all processes write into the file that process 0 has opened
 * @out: output file from sim_output_open()
 * @ranks: processes that simulate the fabric
 *
 * A collective call of all processes. Process 0 must have flushed @out. The file may not have a
 * name yet, so the other processes open it through /proc. This works only if all processes run on
 * one machine and @out is a regular file, but not standard output.
 *
 * Return: a descriptor for writes at offsets, closed by the caller; -1 in all processes if one of
 * them cannot open the file: then process 0 writes alone.
 */
int sim_output_share(FILE *out, struct torus_procs *ranks)
{
	struct opened own = { .process = 0 };
	const struct opened *first;
	struct stat is;
	const u64 *all;
	u64 good;
	size_t got;
	u32 i;
	int fd = -1;

	if (!ranks->self && out != stdout && !fstat(fileno(out), &is) && S_ISREG(is.st_mode))
		own = (struct opened){
			.machine = out_machine(), .device = is.st_dev, .inode = is.st_ino,
			.process = (u64)getpid(), .descriptor = (u64)fileno(out),
		};
	first = ranks->pass(ranks, &own, sizeof(own), &got);
	if (first->process)
		fd = out_same(first);
	good = fd >= 0;
	all = ranks->pass(ranks, &good, sizeof(good), &got);
	for (i = 0; i < ranks->count; i++)
		good &= all[i];
	if (fd >= 0 && !good) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/**
 * sim_output_close - close an output file
 * @out: from sim_output_open()
 * @option: option that names the file, for the error message
 * @path: name of the file
 *
 * Return: SIM_OK, or SIM_FAILED after an error message if not all data was written.
 */
int sim_output_close(FILE *out, const char *option, const char *path)
{
	if (torus_output_close(out, path))
		return SIM_OK;
	return sim_error("%s %s: %s", option, path, strerror(errno));
}
