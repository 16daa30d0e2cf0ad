/* SPDX-License-Identifier: GPL-2.0 */
/* Describe a fabric as a record, for JSON and for text. */
#ifndef TORUS_INFO_JSON_H
#define TORUS_INFO_JSON_H

#include "group_count.h"

struct json_object *info_document(const struct info_census *census, bool nodes, bool json);

/* Form that prints a record as text, see report_print(). */
#define INFO_FORM \
	"{name}: {arch} {shape}{?mesh} mesh {#mesh}{.}{/}{/}{+title} ({title}){/}, " \
	"{nodes} nodes, {?traffic}a synthetic workload runs{:}{state}{/}\n" \
	"    clock     {clock} ticks ({clock_us%.6g} us), a tick is {tick_fs/1e6%.6g} ns\n" \
	"{?inject_fifos}" \
	"    groups    {groups_of_node} per node; {groups_total} in total: {groups.free} free, " \
	"{groups.yours} held by you, {groups.held} held by others, {groups.forbidden} forbidden, " \
	"{groups.dead} dead\n" \
	"    nodes     {nodes_free} with a free group, {nodes_whole} with only free groups\n" \
	"    packets   up to {packet_bytes_max} bytes, in chunks of {chunk_bytes}\n" \
	"    FIFOs     per group: {inject_fifos} injection ({inject_priorities} priority), " \
	"{receive_fifos} reception ({receive_priorities} priority), {fifo_chunks} chunks deep\n" \
	"    rings     injection {inject_chunks} chunks, reception {receive_chunks} chunks by " \
	"default; at most {ring_chunks_max} chunks\n" \
	"    no reader packets for a group that no program has opened " \
	"{?no_listener=hold}wait there (no_listener hold){:}are lost (no_listener drop){/}\n" \
	"{#node}    {node}: {?coords}{coords}{:}{node}{/}{?partition} partition {partition}{/}" \
	"{#groups} {.}{/}\n{/}" \
	"{:}    programs  cannot attach: the machine has no FIFOs for them here\n{/}"

#endif
