// SPDX-License-Identifier: GPL-2.0
/*
 * Read the records of a capture from the module until a signal, the end of the fabric, or until the
 * caller wants no more.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../config/diag.h"
#include "../devquery/query.h"
#include "../report/json.h"
#include "capture_stream.h"
#include "print/output.h"

#define READ_BYTES	(1u << 20)	/* buffer size of a read, in bytes */

static volatile sig_atomic_t interrupted;

static void on_signal(int signal)
{
	interrupted = 1;
}

static int refused(const struct capture_stream *stream)
{
	struct ctl *ctl = stream->ctl;
	const char *name = stream->fabric;

	switch (errno) {
	case EPERM:
		ctl_error(ctl, "%s: a capture requires CAP_NET_ADMIN in the initial user namespace",
			  name);
		break;
	case ENOTTY:
		ctl_error(ctl, "%s: the loaded torus module has another version and cannot capture",
			  name);
		break;
	case ENOSPC:
		ctl_error(ctl, "%s: a buffer of %u bytes would exceed the module's limit max_bytes",
			  name, stream->buffer);
		break;
	default:
		ctl_error(ctl, "%s: %s", name, strerror(errno));
	}
	return CTL_FAILED;
}

/* Block SIGINT and SIGTERM. They are unblocked while the capture waits for records. */
static void block_signals(sigset_t *before)
{
	const struct sigaction action = { .sa_handler = on_signal };
	sigset_t both;

	sigemptyset(&both);
	sigaddset(&both, SIGINT);
	sigaddset(&both, SIGTERM);
	sigprocmask(SIG_BLOCK, &both, before);
	sigdelset(before, SIGINT);
	sigdelset(before, SIGTERM);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static int stream_start(struct capture_stream *stream, struct torus_ioc_capture *request)
{
	struct parse_error why;
	int device = query_open(&why), status = CTL_OK;

	if (device < 0) {
		ctl_error(stream->ctl, "%s", why.text);
		return CTL_FAILED;
	}
	if (ioctl(device, TORUS_IOC_CAPTURE, request))
		status = refused(stream);
	close(device);
	if (status)
		return status;
	stream->fd = request->fd;
	return fcntl(stream->fd, F_SETFL, O_NONBLOCK) ? refused(stream) : CTL_OK;
}

/**
 * capture_stream_open - start a capture, and open the file for its records
 * @stream: [in, out] @ctl, @fabric, @file and @one are set, the rest is zero
 * @request: [in, out] the request to the module
 *
 * From now on SIGINT and SIGTERM only end capture_stream_read(). capture_stream_close() must be
 * called, also after a failure.
 *
 * Return: CTL_OK; CTL_FAILED or CTL_USAGE after an error message.
 */
int capture_stream_open(struct capture_stream *stream, struct torus_ioc_capture *request)
{
	int status;

	stream->fd = -1;
	stream->buffer = request->buffer ? request->buffer : TORUS_CAPTURE_BUFFER;
	stream->records = malloc(READ_BYTES);
	if (!stream->records) {
		ctl_error(stream->ctl, "out of memory");
		return CTL_FAILED;
	}
	status = stream_start(stream, request);
	if (status)
		return status;
	stream->out = strcmp(stream->file, "-") ? fopen(stream->file, "we") : stdout;
	if (!stream->out)
		return ctl_reject(stream->ctl, "%s: %s", stream->file, strerror(errno));
	block_signals(&stream->outside);
	return CTL_OK;
}

/*
 * Check for pending signals. Signals are unblocked only while the capture waits for records. If
 * records keep coming, the capture never waits.
 */
static bool signalled(void)
{
	sigset_t pending;

	sigemptyset(&pending);
	sigpending(&pending);
	return interrupted || sigismember(&pending, SIGINT) > 0 ||
	       sigismember(&pending, SIGTERM) > 0;
}

static int stream_records(struct capture_stream *stream, size_t bytes)
{
	const uint8_t *at = stream->records, *end = at + bytes;
	int status = CTL_OK;

	while (at < end && !stream->full && !status) {
		const struct torus_capture_record *record = (const void *)at;

		status = stream->one(stream, record);
		at += record->bytes;
	}
	return status;
}

/**
 * capture_stream_read - pass records to @one until there are no more
 * @stream: the stream
 *
 * It ends when the fabric is deleted, after a signal, when @full is set, if @one fails, or if the
 * file cannot be written. capture_stream_close() reports an error of the file. Before it waits, it
 * flushes the file, for programs that read the file meanwhile.
 *
 * Return: CTL_OK; CTL_FAILED after an error message.
 */
int capture_stream_read(struct capture_stream *stream)
{
	/*
	 * after a signal, end when more bytes have been read than the module's buffer has: the
	 * module had no more at the time of the signal
	 */
	ssize_t left = stream->buffer;
	struct pollfd wait = { .fd = stream->fd, .events = POLLIN };
	int status = CTL_OK;
	ssize_t bytes;

	while (!status && !stream->full && !ferror(stream->out)) {
		bytes = read(stream->fd, stream->records, READ_BYTES);
		if (!bytes || (bytes < 0 && errno == EAGAIN && interrupted))
			return CTL_OK;
		if (bytes > 0) {
			status = stream_records(stream, (size_t)bytes);
			left -= signalled() ? bytes : 0;
			if (left < 0)
				return status;
		} else if (errno == EAGAIN) {
			fflush(stream->out);
			ppoll(&wait, 1, NULL, &stream->outside);
		} else if (errno != EINTR) {
			ctl_error(stream->ctl, "%s: %s", stream->fabric, strerror(errno));
			return CTL_FAILED;
		}
	}
	return status;
}

/**
 * capture_stream_close - end a capture, and close its file
 * @stream: the stream
 *
 * Return: CTL_OK; CTL_FAILED after an error message: the file is incomplete.
 */
int capture_stream_close(struct capture_stream *stream)
{
	FILE *out = stream->out;
	int status = CTL_OK;

	if (out && ferror(out) | (out != stdout ? fclose(out) : fflush(out))) {
		ctl_error(stream->ctl, "%s: %s", stream->file, strerror(errno));
		status = CTL_FAILED;
	}
	if (stream->fd >= 0)
		close(stream->fd);
	free(stream->records);
	return status;
}

/**
 * capture_stream_report - print the number of records in the file, unless it is standard output
 * @stream: the stream, closed
 * @what: what was recorded, in the plural
 * @count: number of records in the file
 * @lost: number of records that the module had no space for
 */
void capture_stream_report(const struct capture_stream *stream, const char *what, uint64_t count,
			   uint64_t lost)
{
	struct json_object *doc;
	char form[64];

	if (!strcmp(stream->file, "-"))
		return;
	snprintf(form, sizeof(form), "{file}: {%s} %s, {lost} lost\n", what, what);
	doc = json_object_new_object();
	report_add_text(doc, "fabric", stream->fabric);
	report_add_text(doc, "file", stream->file);
	report_add_u64(doc, what, count);
	report_add_u64(doc, "lost", lost);
	output_answer(stream->ctl, doc, form);
}
