// SPDX-License-Identifier: GPL-2.0
/* The arguments of torusctl capture and torusctl record: parse them, and request a capture. */
#include <stdio.h>
#include <string.h>

#include "../capture/capture.h"
#include "../config/diag.h"
#include "../config/node_addr.h"
#include "../parse/integer.h"
#include "capture_args.h"

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

static bool is_key(const char *word, bool events)
{
	static const char *const words[] = { "from", "to", "buffer", "-w", "count", "bytes" };
	size_t i, n = ARRAY_SIZE(words) - (events ? 2 : 0);

	for (i = 0; i < n; i++)
		if (!strcmp(word, words[i]))
			return true;
	return false;
}

static int args_end(struct ctl *ctl, struct capture_args *asked, bool to, const char *word)
{
	struct parse_error why;

	if (!parse_place(word, false, &asked->ends[to], &why))
		return ctl_reject(ctl, "%s", why.text);
	asked->has[to] = true;
	return CTL_OK;
}

/**
 * capture_args_parse - parse the arguments of capture or record
 * @ctl: the call
 * @args: its arguments
 * @events: those of record: events of packets
 * @asked: [out] the parsed arguments; zeroed by the caller
 *
 *   capture  FABRIC [NODE [DIR]] [from NODE] [to NODE] [count N] [bytes N] [buffer BYTES] -w FILE
 *   record   FABRIC [NODES] [from NODE] [to NODE] [buffer BYTES] -w FILE
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int capture_args_parse(struct ctl *ctl, struct ctl_args *args, bool events,
		       struct capture_args *asked)
{
	const char *key, *word;
	int status;

	status = target_parse(ctl, args, TARGET_MAY_NODE | (events ? TARGET_RANGE : TARGET_MAY_DIR),
			      &asked->target);
	while (!status && (key = ctl_next(args))) {
		if (!is_key(key, events))
			return ctl_usage(ctl, "unexpected argument: %s", key);
		word = ctl_next(args);
		if (!word)
			return ctl_usage(ctl, "%s: its value is missing", key);
		if (!strcmp(key, "-w"))
			asked->file = word;
		else if (!strcmp(key, "from") || !strcmp(key, "to"))
			status = args_end(ctl, asked, !strcmp(key, "to"), word);
		else
			status = args_number(ctl, asked, key, word);
	}
	if (!status && !asked->file)
		return ctl_usage(ctl, "-w FILE is missing");
	return status;
}

/**
 * capture_args_request - fill in the request to the module
 * @ctl: the call
 * @asked: the parsed arguments, after target_find()
 * @request: [out] the request, without flags
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int capture_args_request(struct ctl *ctl, const struct capture_args *asked,
			 struct torus_ioc_capture *request)
{
	const struct target *target = &asked->target;
	uint32_t *ends[2] = { &request->src, &request->dst };
	unsigned int i;
	int status = CTL_OK;

	*request = (struct torus_ioc_capture){
		.node = target->has_node && !target->ranged ? target->node : TORUS_CAPTURE_ANY,
		.dir = target->has_dir ? target->dir : TORUS_CAPTURE_ANY,
		.src = TORUS_CAPTURE_ANY, .dst = TORUS_CAPTURE_ANY,
		.bytes = asked->bytes, .buffer = asked->buffer,
	};
	snprintf(request->fabric, sizeof(request->fabric), "%s", target->name);
	for (i = 0; i < ARRAY_SIZE(ends) && !status; i++)
		if (asked->has[i])
			status = place_number(ctl, &target->fabric, &asked->ends[i], ends[i]);
	return status;
}
