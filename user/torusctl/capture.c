// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl capture: write the packets on links into a pcapng file until a signal, a number of
 * packets or the end of the fabric.
 */
#include "../capture/capture.h"
#include "../capture/sort.h"
#include "../capture/write.h"
#include "../config/diag.h"
#include "../config/extension.h"
#include "../config/node_addr.h"
#include "../parse/shape.h"
#include "capture_args.h"
#include "capture_stream.h"
#include "objects.h"
#include "print/output.h"

/**
 * struct capture - a running capture
 * @stream: records of the module
 * @asked: arguments of the call
 * @writer: writer of the pcapng file
 * @batch: packets received since the module's last mark
 */
struct capture {
	struct capture_stream stream;
	struct capture_args asked;
	struct capture_writer writer;
	struct capture_batch batch;
};

static bool full(const struct capture *c)
{
	return c->asked.count && c->writer.packets >= c->asked.count;
}

static void node_coords(const struct capture *c, uint32_t node, uint16_t *coords)
{
	const struct torus_nl_fabric *fabric = &c->asked.target.fabric;
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

static int take_record(struct capture_stream *stream, const struct torus_capture_record *record)
{
	struct capture *c = (struct capture *)stream;
	const struct torus_capture_mark *mark = (const void *)(record + 1);

	if (record->kind == TORUS_CAPTURE_PACKET && !capture_batch_add(&c->batch, record)) {
		ctl_error(stream->ctl, "out of memory for %zu packets", c->batch.count + 1);
		return CTL_FAILED;
	}
	if (record->kind == TORUS_CAPTURE_MARK) {
		write_batch(c);
		capture_lose(&c->writer, mark->lost);
		stream->full = full(c);
	}
	return CTL_OK;
}

static int capture_run(struct capture *c)
{
	const struct torus_nl_fabric *fabric = &c->asked.target.fabric;
	char shape[PARSE_SHAPE_MAX];
	const struct capture_fabric whose = {
		.name = fabric->name, .arch = fabric->arch, .tick_fs = fabric->tick_fs,
		.ndims = fabric->ndims,
		.shape = parse_shape_text(fabric->nshape, fabric->shape, shape, sizeof(shape)),
	};
	int status;

	capture_begin(&c->writer, c->stream.out, &whose);
	status = capture_stream_read(&c->stream);
	write_batch(c);
	capture_end(&c->writer);
	return status;
}

static int capture(struct ctl *ctl, struct ctl_args *args)
{
	struct capture c = { .stream.ctl = ctl, .stream.one = take_record };
	int status = capture_args_parse(ctl, args, false, &c.asked);
	struct torus_ioc_capture request;

	if (!status)
		status = output_extension(ctl, "-w", c.asked.file, ".pcapng");
	if (!status)
		status = target_find(ctl, &c.asked.target);
	if (!status)
		status = capture_args_request(ctl, &c.asked, &request);
	if (status)
		return status;
	c.stream.fabric = c.asked.target.name;
	c.stream.file = c.asked.file;
	status = capture_stream_open(&c.stream, &request);
	if (!status)
		status = capture_run(&c);
	if (capture_stream_close(&c.stream))
		status = CTL_FAILED;
	else if (!status)
		capture_stream_report(&c.stream, "packets", c.writer.packets, c.writer.lost);
	capture_batch_free(&c.batch);
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
