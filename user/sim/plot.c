// SPDX-License-Identifier: GPL-2.0
/*
 * A picture, drawn by gnuplot.  It is started before the work begins, so that
 * nobody waits for an hour to hear that it is not installed; and the file takes
 * its name only when it is whole.
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

#include "plot.h"
#include "sim.h"

#define MODE_FILE	0644

/**
 * struct sim_plot - a picture to be
 * @path: where it will be
 * @made: where it is until then
 * @script: to gnuplot
 * @gnuplot: the process
 */
struct sim_plot {
	const char *path;
	char *made;
	FILE *script;
	pid_t gnuplot;
};

/* gnuplot's terminal for a file, NULL if there is none. */
static const char *terminal(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (dot && !strcmp(dot, ".svg"))
		return "svg noenhanced size 800,720 background rgb 'white'";
	if (dot && !strcmp(dot, ".png"))
		return "png noenhanced size 800,720";
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
	/* A group of its own: Ctrl-C is for us, who then draw what there is. */
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
	ret = posix_spawnp(&plot->gnuplot, words[0], &actions, &attributes, words, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return ret;
}

static void plot_free(struct sim_plot *plot)
{
	free(plot->made);
	free(plot);
}

/**
 * sim_plot_open - begin a picture
 * @path: where it will be; its end says of what kind
 *
 * Return: it, or NULL after telling why not.
 */
struct sim_plot *sim_plot_open(const char *path)
{
	struct sim_plot *plot;
	int ends[2];
	int out;
	int ret;

	if (!terminal(path)) {
		sim_bad("plot %s: the name ends neither with .svg nor with .png", path);
		return NULL;
	}
	plot = calloc(1, sizeof(*plot));
	if (!plot || asprintf(&plot->made, "%s.XXXXXX", path) < 0) {
		free(plot);
		sim_failed("plot %s: no memory", path);
		return NULL;
	}
	plot->path = path;
	out = mkostemp(plot->made, O_CLOEXEC);
	if (out < 0) {
		sim_bad("plot %s: %s", path, strerror(errno));
		plot_free(plot);
		return NULL;
	}
	if (pipe2(ends, O_CLOEXEC)) {
		ret = errno;
	} else {
		ret = start(plot, ends[0], out);
		close(ends[0]);
		plot->script = ret ? NULL : fdopen(ends[1], "w");
		if (ret)
			close(ends[1]);
	}
	close(out);
	if (plot->script) {
		fprintf(plot->script, "set terminal %s\n", terminal(path));
		return plot;
	}
	sim_failed("plot %s: cannot start gnuplot%s: %s", path,
		   ret == ENOENT ? " (the package gnuplot-nox)" : "", strerror(ret));
	unlink(plot->made);
	plot_free(plot);
	return NULL;
}

/**
 * sim_plot_script - where to write what gnuplot shall do
 * @plot: the picture
 *
 * Return: the stream; the terminal is set.
 */
FILE *sim_plot_script(struct sim_plot *plot)
{
	return plot->script;
}

/**
 * sim_plot_close - have the picture drawn
 * @plot: the picture, freed
 * @keep: or give it up
 *
 * Return: SIM_OK, or SIM_FAILED after telling why not.
 */
int sim_plot_close(struct sim_plot *plot, bool keep)
{
	int status = SIM_OK;
	int ended = 0;

	/* It may be gone already: then writing fails, and its status tells. */
	signal(SIGPIPE, SIG_IGN);
	fclose(plot->script);
	signal(SIGPIPE, SIG_DFL);
	while (waitpid(plot->gnuplot, &ended, 0) < 0 && errno == EINTR)
		;
	if (keep && ended)
		status = sim_failed("plot %s: gnuplot could not draw it", plot->path);
	else if (keep && (chmod(plot->made, MODE_FILE) || rename(plot->made, plot->path)))
		status = sim_failed("plot %s: %s", plot->path, strerror(errno));
	if (!keep || status)
		unlink(plot->made);
	plot_free(plot);
	return status;
}
