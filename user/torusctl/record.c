// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl record: write the events of packets of a running fabric into a file, in the format of
 * torus-sim run --trace, until a signal or the end of the fabric.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/node_number.h"
#include "../config/diag.h"
#include "capture_args.h"
#include "capture_stream.h"
#include "event_list.h"
#include "objects.h"

/**
 * struct record - a running record
 * @stream: records of the module
 * @asked: arguments of the call
 * @json: write lines of JSON
 * @chosen: by index of a node: record its events; NULL: those of all nodes
 * @list: events since the module's last mark
 * @clock: tick of the last mark
 * @events: number of events that were written
 * @lost: number of events that were lost
 */
struct record {
	struct capture_stream stream;
	struct capture_args asked;
	bool json;
	bool *chosen;
	struct event_list list;
	uint64_t clock;
	uint64_t events;
	uint64_t lost;
};

/* Mark the nodes whose events are recorded. */
static int choose_nodes(struct record *record)
{
	const struct target *target = &record->asked.target;
	const struct torus_geometry *geo = &record->list.config.geo;
	size_t i;

	if (!target->has_node)
		return CTL_OK;
	record->chosen = calloc(geo->nodes, sizeof(*record->chosen));
	if (!record->chosen) {
		ctl_error(record->stream.ctl, "out of memory for %u nodes", geo->nodes);
		return CTL_FAILED;
	}
	for (i = 0; i < target->nodes.count; i++)
		record->chosen[torus_node_index(geo, target->nodes.numbers[i])] = true;
	return CTL_OK;
}

static int take_event(struct record *record, const struct torus_packet_event *event)
{
	const struct torus_geometry *geo = &record->list.config.geo;

	if (record->chosen && !record->chosen[torus_node_index(geo, event->node)])
		return CTL_OK;
	return event_list_add(record->stream.ctl, &record->list, event);
}

/* Write the events up to a mark. Later records have no events before its tick. */
static void take_mark(struct record *record, const struct torus_capture_mark *mark)
{
	record->events += record->list.count;
	record->lost += mark->lost;
	event_list_print(record->stream.out, record->json, &record->list);
	if (mark->lost)
		packet_event_lost(record->stream.out, record->json, record->clock, mark->lost);
	record->clock = mark->clock;
}

static int take_record(struct capture_stream *stream, const struct torus_capture_record *from)
{
	struct record *record = (struct record *)stream;

	if (from->kind == TORUS_CAPTURE_EVENT)
		return take_event(record, (const void *)(from + 1));
	if (from->kind == TORUS_CAPTURE_MARK)
		take_mark(record, (const void *)(from + 1));
	return CTL_OK;
}

static int record_run(struct record *record, struct torus_ioc_capture *request)
{
	struct capture_stream *stream = &record->stream;
	int status;

	request->flags = TORUS_CAPTURE_EVENTS;
	stream->fabric = record->asked.target.name;
	record->clock = record->asked.target.fabric.clock;
	stream->file = record->asked.file;
	record->json = !strcmp(stream->file, "-") ? stream->ctl->json :
						    packet_event_is_json(stream->file);
	status = capture_stream_open(stream, request);
	if (!status && !record->json)
		packet_event_head(stream->out, &record->list.config);
	if (!status)
		status = capture_stream_read(stream);
	if (capture_stream_close(stream))
		return CTL_FAILED;
	if (!status)
		capture_stream_report(stream, "events", record->events, record->lost);
	return status;
}

static int record(struct ctl *ctl, struct ctl_args *args)
{
	struct record record = { .stream.ctl = ctl, .stream.one = take_record };
	struct target *target = &record.asked.target;
	struct torus_ioc_capture request;
	int status;

	status = capture_args_parse(ctl, args, true, &record.asked);
	if (!status)
		status = target_find(ctl, target);
	if (!status)
		status = event_list_begin(ctl, &target->fabric, &record.list);
	if (!status)
		status = choose_nodes(&record);
	if (!status)
		status = capture_args_request(ctl, &record.asked, &request);
	if (!status)
		status = record_run(&record, &request);
	event_list_free(&record.list);
	free(record.chosen);
	target_free(target);
	return status;
}

static const struct ctl_command commands[] = {
	{ "", "FABRIC [NODES] [from NODE] [to NODE] [buffer BYTES] -w FILE", record },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_record = {
	.name = "record",
	.help = "write the events of packets to a file, as traces of torus-sim",
	.details = "The record ends on an interrupt, or with the fabric. The file is text, or\n"
		   "lines of JSON if its name ends in .json or .jsonl. FILE - is standard\n"
		   "output.\n",
	.commands = commands,
};
