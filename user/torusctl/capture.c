// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl capture: write the packets on links into a pcapng file until a signal, a number of
 * packets or the end of the fabric.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../capture/sort.h"
#include "../capture/write.h"
#include "../common/escape.h"
#include "../capture/capture.h"
#include "../devquery/query.h"
#include "../config/args.h"
#include "../config/ctl.h"
#include "../config/extension.h"
#include "objects.h"
#include "print/output.h"
#include "../config/node_addr.h"
#include "../config/diag.h"
#include "../config/target.h"
#include "../report/json.h"
#include "../parse/integer.h"
#include "../parse/node.h"
#include "../parse/shape.h"

#define READ_BYTES	(1u << 20)	/* buffer size of a read, in bytes */

/**
 * struct capture_args - the selected packets and the output
 * @target: the fabric, and the links to capture
 * @ends: source and destination of the packets to capture
 * @has: by end: true if the source or the destination was given
 * @count: number of packets after which the capture ends; 0: no limit
 * @bytes: maximum number of bytes to capture of each packet; 0: all bytes
 * @buffer: size of the module's buffer in bytes; 0: the default size
 * @file: name of the file, "-" is standard output
 */
struct capture_args {
	struct target target;
	struct parse_place ends[2];
	bool has[2];
	__u64 count;
	uint32_t bytes;
	uint32_t buffer;
	const char *file;
};

/**
 * struct capture - a running capture
 * @ctl: the call
 * @asked: its arguments
 * @fd: descriptor from which the module's records are read
 * @writer: writer of the pcapng file
 * @batch: packets received since the module's last mark
 * @records: buffer for a read from @fd
 */
struct capture {
	struct ctl *ctl;
	const struct capture_args *asked;
	int fd;
	struct capture_writer writer;
	struct capture_batch batch;
	uint8_t *records;
};

static volatile sig_atomic_t interrupted;

static void on_signal(int signal)
{
	interrupted = 1;
}

/* --------------------------------------------------------------- arguments */

static int args_number(struct ctl *ctl, struct capture_args *asked, const char *key,
		       const char *word)
{
	struct parse_error why;
	bool good;

	if (!strcmp(key, "count"))
		good = parse_number(key, word, 1, UINT64_MAX, &asked->count, &why);
	else if (!strcmp(key, "bytes"))
		good = parse_u32(key, word, 1, CAPTURE_BYTES_MAX, &asked->bytes, &why);
	else
		good = parse_u32(key, word, TORUS_CAPTURE_BUFFER_MIN, TORUS_CAPTURE_BUFFER_MAX,
				 &asked->buffer, &why);
	if (!good)
		return ctl_reject(ctl, "%s", why.text);
	if (asked->buffer & (asked->buffer - 1))
		return ctl_reject(ctl, "buffer %s: must be a power of two", word);
	return CTL_OK;
}

/* Parse FABRIC [NODE [DIR]] [from NODE] [to NODE] [count N] [bytes N] [buffer BYTES] -w FILE. */
static int args_words(struct ctl *ctl, struct ctl_args *args, struct capture_args *asked)
{
	int status = target_parse(ctl, args, TARGET_MAY_NODE | TARGET_MAY_DIR, &asked->target);
	const char *key, *word;
	struct parse_error why;

	while (!status && (key = ctl_next(args))) {
		bool to = !strcmp(key, "to");

		if (strcmp(key, "from") && !to && strcmp(key, "count") && strcmp(key, "bytes") &&
		    strcmp(key, "buffer") && strcmp(key, "-w"))
			return ctl_usage(ctl, "unexpected argument: %s", key);
		word = ctl_next(args);
		if (!word)
			return ctl_usage(ctl, "%s: its value is missing", key);
		if (!strcmp(key, "-w")) {
			asked->file = word;
		} else if (!strcmp(key, "from") || to) {
			if (!parse_place(word, false, &asked->ends[to], &why))
				return ctl_reject(ctl, "%s", why.text);
			asked->has[to] = true;
		} else {
			status = args_number(ctl, asked, key, word);
		}
	}
	if (!status && !asked->file)
		return ctl_usage(ctl, "-w FILE is missing");
	return status ? status : output_extension(ctl, "-w", asked->file, ".pcapng");
}

/* Fill in the request to the module. */
static int args_ask(struct ctl *ctl, const struct capture_args *asked,
		    struct torus_ioc_capture *ask)
{
	const struct target *target = &asked->target;
	uint32_t *ends[2] = { &ask->src, &ask->dst };
	unsigned int i;
	int status = CTL_OK;

	*ask = (struct torus_ioc_capture){
		.node = target->has_node ? target->node : TORUS_CAPTURE_ANY,
		.dir = target->has_dir ? target->dir : TORUS_CAPTURE_ANY,
		.src = TORUS_CAPTURE_ANY, .dst = TORUS_CAPTURE_ANY,
		.bytes = asked->bytes, .buffer = asked->buffer,
	};
	snprintf(ask->fabric, sizeof(ask->fabric), "%s", target->name);
	for (i = 0; i < ARRAY_SIZE(ends) && !status; i++)
		if (asked->has[i])
			status = place_number(ctl, &target->fabric, &asked->ends[i], ends[i]);
	return status;
}

/* ------------------------------------------------------------------ packets */

static bool full(const struct capture *c)
{
	return c->asked->count && c->writer.packets >= c->asked->count;
}

static void node_coords(const struct capture *c, uint32_t node, uint16_t *coords)
{
	const struct torus_nl_fabric *fabric = &c->asked->target.fabric;
	uint32_t at[TORUS_DIMS_MAX] = { 0 };
	unsigned int i;

	place_coords(fabric, node, at);
	for (i = 0; i < fabric->ndims; i++)
		coords[i] = (uint16_t)at[i];
}

/* Write the packets of the batch, sorted by time, until the capture has @count packets. */
static void write_batch(struct capture *c)
{
	struct capture_packet packet;
	size_t i;

	capture_batch_sort(&c->batch);
	for (i = 0; i < c->batch.count && !full(c); i++) {
		packet.wire = *capture_batch_packet(&c->batch, i, &packet.bytes, &packet.captured);
		node_coords(c, packet.wire.node, packet.coords[0]);
		node_coords(c, packet.wire.src, packet.coords[1]);
		node_coords(c, packet.wire.dst, packet.coords[2]);
		capture_write(&c->writer, &packet);
	}
	capture_batch_clear(&c->batch);
}

static int take_records(struct capture *c, size_t bytes)
{
	const uint8_t *at = c->records, *end = at + bytes;

	while (at < end && !full(c)) {
		const struct torus_capture_record *record = (const void *)at;
		const struct torus_capture_mark *mark = (const void *)(record + 1);

		if (record->kind == TORUS_CAPTURE_PACKET && !capture_batch_add(&c->batch, record)) {
			ctl_error(c->ctl, "out of memory for %zu packets", c->batch.count + 1);
			return CTL_FAILED;
		}
		if (record->kind == TORUS_CAPTURE_MARK) {
			write_batch(c);
			capture_lose(&c->writer, mark->lost);
		}
		at += record->bytes;
	}
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

/*
 * Capture until the module has no more records, a signal arrives, @count is reached, or the file
 * cannot be written.
 */
static int take_all(struct capture *c, const sigset_t *outside)
{
	/*
	 * after a signal, end when more bytes have been read than the module's buffer has: the
	 * module had no more at the time of the signal
	 */
	ssize_t left = c->asked->buffer ? c->asked->buffer : TORUS_CAPTURE_BUFFER;
	struct pollfd wait = { .fd = c->fd, .events = POLLIN };
	int status = CTL_OK;
	ssize_t bytes;

	while (!status && !full(c) && !ferror(c->writer.out)) {
		bytes = read(c->fd, c->records, READ_BYTES);
		if (!bytes || (bytes < 0 && errno == EAGAIN && interrupted))
			return CTL_OK;
		if (bytes > 0) {
			status = take_records(c, (size_t)bytes);
			left -= signalled() ? bytes : 0;
			if (left < 0)
				return status;
		} else if (errno == EAGAIN) {
			/*
			 * before waiting, flush the packets that were written, for programs that
			 * read the file meanwhile
			 */
			fflush(c->writer.out);
			ppoll(&wait, 1, NULL, outside);
		} else if (errno != EINTR) {
			ctl_error(c->ctl, "%s: %s", c->asked->target.name, strerror(errno));
			return CTL_FAILED;
		}
	}
	return status;
}

static void capture_report(const struct capture *c)
{
	const struct capture_writer *writer = &c->writer;
	struct json_object *doc;

	if (!strcmp(c->asked->file, "-"))
		return;
	if (!c->ctl->json) {
		torus_escape_put(stdout, c->asked->file);
		printf(": %llu packets, %llu lost\n", (unsigned long long)writer->packets,
		       (unsigned long long)writer->lost);
		return;
	}
	doc = json_object_new_object();
	report_add_text(doc, "fabric", c->asked->target.name);
	report_add_text(doc, "file", c->asked->file);
	report_add_u64(doc, "packets", writer->packets);
	report_add_u64(doc, "lost", writer->lost);
	output_json(c->ctl, doc);
}

/* ---------------------------------------------------------------- the module */

static int refused(struct ctl *ctl, const struct capture_args *asked)
{
	const char *name = asked->target.name;

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
			  name,
			  asked->buffer ? asked->buffer : TORUS_CAPTURE_BUFFER);
		break;
	default:
		ctl_error(ctl, "%s: %s", name, strerror(errno));
	}
	return CTL_FAILED;
}

static int open_capture(struct ctl *ctl, const struct capture_args *asked, int *fd)
{
	struct torus_ioc_capture ask;
	int status = args_ask(ctl, asked, &ask), device;
	struct parse_error why;

	if (status)
		return status;
	device = query_open(&why);
	if (device < 0) {
		ctl_error(ctl, "%s", why.text);
		return CTL_FAILED;
	}
	if (ioctl(device, TORUS_IOC_CAPTURE, &ask))
		status = refused(ctl, asked);
	close(device);
	*fd = ask.fd;
	return status ? status : fcntl(*fd, F_SETFL, O_NONBLOCK) ? refused(ctl, asked) : CTL_OK;
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

static int capture_run(struct capture *c, FILE *out)
{
	const struct torus_nl_fabric *fabric = &c->asked->target.fabric;
	char shape[PARSE_SHAPE_MAX];
	const struct capture_fabric whose = {
		.name = fabric->name, .arch = fabric->arch, .tick_fs = fabric->tick_fs,
		.ndims = fabric->ndims,
		.shape = parse_shape_text(fabric->nshape, fabric->shape, shape, sizeof(shape)),
	};
	sigset_t outside;
	int status;

	block_signals(&outside);
	capture_begin(&c->writer, out, &whose);
	status = take_all(c, &outside);
	write_batch(c);
	capture_end(&c->writer);
	return status;
}

static int capture(struct ctl *ctl, struct ctl_args *args)
{
	struct capture_args asked = { .count = 0 };
	struct capture c = { .ctl = ctl, .asked = &asked };
	int status = args_words(ctl, args, &asked);
	FILE *out;

	if (!status)
		status = target_find(ctl, &asked.target);
	if (!status)
		status = open_capture(ctl, &asked, &c.fd);
	if (status)
		return status;
	out = strcmp(asked.file, "-") ? fopen(asked.file, "we") : stdout;
	if (!out) {
		status = ctl_reject(ctl, "%s: %s", asked.file, strerror(errno));
		close(c.fd);
		return status;
	}
	c.records = malloc(READ_BYTES);
	if (c.records)
		status = capture_run(&c, out);
	if (!c.records || ferror(out) | (out != stdout ? fclose(out) : fflush(out))) {
		ctl_error(ctl, "%s: %s", asked.file, strerror(errno));
		status = CTL_FAILED;
	} else if (!status) {
		capture_report(&c);
	}
	close(c.fd);
	capture_batch_free(&c.batch);
	free(c.records);
	return status;
}

static const struct ctl_command commands[] = {
	{ "", "FABRIC [NODE [DIR]] [from NODE] [to NODE] [count N] [bytes N] [buffer BYTES] "
	  "-w FILE", capture },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_capture = {
	.name = "capture",
	.help = "write the packets of links to a pcapng file",
	.details = "The capture ends on an interrupt, after N packets, or with the fabric.\n"
		   "FILE - is standard output: torusctl capture t -w - | tshark -r -\n",
	.commands = commands,
};
