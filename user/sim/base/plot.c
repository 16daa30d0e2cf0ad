// SPDX-License-Identifier: GPL-2.0
/*
 * A picture drawn by gnuplot. gnuplot is started before the run, so that a missing program is
 * reported at once. The file gets its name only when it is complete.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../common/output_file.h"
#include "plot.h"
#include "message.h"

/* number of bytes at the end of a file in which the end mark is searched */
#define TAIL_BYTES	16

/**
 * struct sim_plot - picture that gnuplot draws
 * @path: name of the file
 * @out: descriptor from torus_output_begin(), or -1
 * @script: gnuplot's standard input
 * @gnuplot: process ID
 */
struct sim_plot {
	const char *path;
	int out;
	FILE *script;
	pid_t gnuplot;
};

/* Terminal of gnuplot for a file's extension; NULL if it is not supported. */
static const char *terminal(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (dot && !strcmp(dot, ".svg"))
		return "svg noenhanced size 800,1000 background rgb 'white'";
	if (dot && !strcmp(dot, ".png"))
		return "png noenhanced size 800,1000";
	return NULL;
}

/* Start gnuplot with @in as its input and @out as its output. */
static int start(struct sim_plot *plot, int in, int out)
{
	char *const words[] = { "gnuplot", NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int ret;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	/*
	 * Put gnuplot into its own process group. Ctrl-C must not kill it, because it then draws
	 * the results so far.
	 */
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
	ret = posix_spawnp(&plot->gnuplot, words[0], &actions, &attributes, words, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return ret;
}

static void plot_free(struct sim_plot *plot)
{
	if (plot->out >= 0)
		torus_output_drop(plot->out, plot->path);
	free(plot);
}

static int open_file(struct sim_plot *plot, int *out)
{
	plot->out = torus_output_begin(plot->path);
	*out = plot->out;
	return *out < 0 ? sim_reject("plot %s: %s", plot->path, strerror(errno)) : SIM_OK;
}

static int open_gnuplot(struct sim_plot *plot, int out)
{
	int ends[2];
	int ret;

	if (pipe2(ends, O_CLOEXEC))
		return sim_error("plot %s: %s", plot->path, strerror(errno));
	ret = start(plot, ends[0], out);
	close(ends[0]);
	if (ret) {
		close(ends[1]);
		return sim_error("plot %s: cannot start gnuplot%s: %s", plot->path,
				 ret == ENOENT ? " (Debian's package gnuplot-nox)" : "",
				 strerror(ret));
	}
	plot->script = fdopen(ends[1], "w");
	if (plot->script)
		return SIM_OK;
	/*
	 * Close our copy of gnuplot's input, so that gnuplot sees the end of its input and exits.
	 */
	close(ends[1]);
	waitpid(plot->gnuplot, NULL, 0);
	return sim_error("plot %s: out of memory", plot->path);
}

/**
 * sim_plot_open - start gnuplot for a picture
 * @path: name of the file; the extension .svg or .png selects the format
 * @result: [out] the picture, freed by sim_plot_close()
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after an error message.
 */
int sim_plot_open(const char *path, struct sim_plot **result)
{
	struct sim_plot *plot;
	int status;
	int out = -1;

	if (!terminal(path))
		return sim_reject("plot %s: the name must end in .svg or .png", path);
	plot = calloc(1, sizeof(*plot));
	if (!plot)
		return sim_error("plot %s: out of memory", path);
	plot->path = path;
	status = open_file(plot, &out);
	if (status) {
		plot_free(plot);
		return status;
	}
	status = open_gnuplot(plot, out);
	if (status) {
		plot_free(plot);
		return status;
	}
	fprintf(plot->script, "set terminal %s\n", terminal(path));
	*result = plot;
	return SIM_OK;
}

/**
 * sim_plot_script - the stream of commands to gnuplot
 * @plot: the picture
 *
 * Return: the stream; the command that sets the terminal is already written.
 */
FILE *sim_plot_script(struct sim_plot *plot)
{
	return plot->script;
}

/*
 * Check that the file has the end mark of its format. On a full disk gnuplot truncates the file,
 * but reports success.
 */
static bool plot_whole(const struct sim_plot *plot)
{
	const char *end = strcmp(strrchr(plot->path, '.'), ".svg") ? "IEND" : "</svg>";
	char last[TAIL_BYTES];
	struct stat is;
	ssize_t got;

	/* Only a regular file can be read back: assume that other files are complete. */
	if (fstat(plot->out, &is) || !S_ISREG(is.st_mode))
		return true;
	got = pread(plot->out, last, sizeof(last),
		    is.st_size > TAIL_BYTES ? is.st_size - TAIL_BYTES : 0);
	return got < 0 ? errno == EBADF : got && memmem(last, (size_t)got, end, strlen(end));
}

/**
 * sim_plot_close - let gnuplot finish the picture
 * @plot: the picture, freed
 * @keep: true: keep the file; false: discard it
 *
 * Return: SIM_OK, or SIM_FAILED after an error message.
 */
int sim_plot_close(struct sim_plot *plot, bool keep)
{
	int status = SIM_OK;
	int ended = 0;

	/*
	 * gnuplot may have exited. Then the write must fail without a signal; gnuplot's exit status
	 * shows the error.
	 */
	signal(SIGPIPE, SIG_IGN);
	fclose(plot->script);
	signal(SIGPIPE, SIG_DFL);
	while (waitpid(plot->gnuplot, &ended, 0) < 0 && errno == EINTR)
		;
	if (keep && ended) {
		status = sim_error("plot %s: gnuplot failed to draw it", plot->path);
	} else if (keep && !plot_whole(plot)) {
		status = sim_error("plot %s: the file that gnuplot has written is incomplete; is "
				   "the disk full?", plot->path);
	} else if (keep) {
		if (!torus_output_end(plot->out, plot->path))
			status = sim_error("plot %s: %s", plot->path, strerror(errno));
		plot->out = -1;
	}
	plot_free(plot);
	return status;
}
