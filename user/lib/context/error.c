// SPDX-License-Identifier: GPL-2.0
/* Error texts: the last failure of each thread, and the codes of the ABI. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <torus/torus.h>

#include "../../common/escape.h"
#include "context.h"
#include "error.h"

static __thread char error_text[TORUS_ERROR_MAX];
/* Text that torus_error_text() returns: points to error_text or to a constant string. */
static __thread const char *error_said;

/**
 * torus_error_set() - set the calling thread's error text
 * @error: negative errno
 * @format: printf format of the reason, which includes the wrong value
 *
 * Return: @error.
 */
int torus_error_set(int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	torus_escape_vformat(error_text, sizeof(error_text), format, args);
	va_end(args);
	error_said = error_text;
	return error;
}

/**
 * torus_error_plain() - set the calling thread's error text to a constant string, without
 * formatting
 * @error: negative errno
 * @text: constant string, not copied
 *
 * Use this for errors that a waiting caller gets many times a second, such as -EAGAIN.
 *
 * Return: @error.
 */
int torus_error_plain(int error, const char *text)
{
	error_said = text;
	return error;
}

/**
 * torus_error_dead() - report that a context is unusable
 * @context: a context for which torus_context_dead() is true
 *
 * Return: -ENODEV or -ECHILD.
 */
int torus_error_dead(const struct torus_context *context)
{
	if (torus_context_forked(context))
		return torus_error_set(-ECHILD,
				       "node %u, FIFO group %u of fabric %s: attached by the "
				       "parent process; a forked child must attach its own context",
				       context->info.node, context->info.group,
				       context->info.fabric);
	return torus_error_set(-ENODEV, "fabric %s was deleted", context->info.fabric);
}

/**
 * torus_error_text() - get the reason of the calling thread's last failure
 *
 * Each failing call sets the text, including calls that return -EAGAIN or -ETIMEDOUT.
 *
 * Return: one line without a newline, never empty; valid until the next failure in this thread.
 */
const char *torus_error_text(void)
{
	return error_said && *error_said ? error_said : "no call has failed in this thread";
}

/**
 * torus_error_refuse() - describe why the kernel rejected a packet at injection
 * @code: TORUS_REFUSE_*, from struct torus_refusal or the status page
 *
 * Return: constant string.
 */
const char *torus_error_refuse(unsigned int code)
{
	static const char * const texts[TORUS_REFUSE_MAX] = {
		[TORUS_REFUSE_NONE] = "not refused",
		[TORUS_REFUSE_SIZE] = "longer than the data before the tail, or of an invalid size",
		[TORUS_REFUSE_TAIL] = "the distance from head to tail exceeds the length of the "
				      "ring",
		[TORUS_REFUSE_HINTS] = "both hint bits of a dimension, or a hint bit without a "
				       "link",
		[TORUS_REFUSE_DESTINATION] = "the destination is outside the machine",
		[TORUS_REFUSE_VC] = "the VC does not exist, or does not match the Dynamic bit",
		[TORUS_REFUSE_PRIORITY] = "priority without permission, or through the wrong FIFO",
		[TORUS_REFUSE_SELF] = "a packet to its own node must have a hint bit",
		[TORUS_REFUSE_DEPOSIT] = "a deposit packet must travel along a straight line",
		[TORUS_REFUSE_PARTITION] = "the destination is in another partition",
		[TORUS_REFUSE_UNREACHABLE] = "no hint or path leads to the destination",
		[TORUS_REFUSE_NO_TABLE] = "no routing table is loaded",
		[TORUS_REFUSE_PATH] = "unknown path or reception FIFO, or a reserved bit is set",
		[TORUS_REFUSE_COMMAND] = "unknown operation, length, queue or flag of an engine",
		[TORUS_REFUSE_STAMP] = "the tick of the packet is before or after the allowed "
				       "ticks of the program's clock",
		[TORUS_REFUSE_ISOLATE] = "a path to the destination may leave the node's partition",
	};

	if (code >= TORUS_REFUSE_MAX || !texts[code])
		return "refused for a reason that is unknown to this library";
	return texts[code];
}

/**
 * torus_error_notice() - describe why a packet did not arrive
 * @reason: value of struct torus_notice.reason
 *
 * Return: constant string.
 */
const char *torus_error_notice(unsigned int reason)
{
	switch (reason) {
	case TORUS_DROP_NO_LISTENER:
		return "no program is attached to the destination";
	case TORUS_NOTICE_READER_GONE:
		return "the receiving process has ended";
	case TORUS_NOTICE_READER_GONE_UNREAD:
		return "the receiving process ended before it read the packet";
	case TORUS_NOTICE_LINK:
		return "only dead links lead to the destination";
	case TORUS_NOTICE_UNKNOWN:
		return "lost for a reason that the kernel could not record";
	}
	if (reason >= TORUS_NOTICE_REFUSED)
		return torus_error_refuse(reason - TORUS_NOTICE_REFUSED);
	return torus_error_drop(reason);
}

/**
 * torus_error_drop() - describe why a packet was dropped
 * @reason: TORUS_DROP_*, the index in struct torus_fabric_counters.dropped
 *
 * Return: constant string.
 */
const char *torus_error_drop(unsigned int reason)
{
	static const char * const texts[TORUS_DROP_MAX] = {
		[TORUS_DROP_NO_LISTENER] = "no program is attached to the destination's FIFO group",
		[TORUS_DROP_HOP_LIMIT] = "more hops than hop_limit allows: registers are wrong",
		[TORUS_DROP_RX_STALL] = "the reader did not read for rx_stall ticks",
		[TORUS_DROP_NO_ROUTE] = "the header leads to no destination",
		[TORUS_DROP_RESET] = "the fabric was reset",
		[TORUS_DROP_ECC] = "read from a buffer with an uncorrectable error",
		[TORUS_DROP_LINK_DEAD] = "held by a dead link, or waiting for one",
		[TORUS_DROP_NODE_FAILED] = "in a failed node, or on its links",
	};

	if (reason >= TORUS_DROP_MACHINE && reason < TORUS_DROP_MAX)
		return "for a reason specific to the machine";
	if (reason >= TORUS_DROP_MAX || !texts[reason])
		return "dropped for a reason that is unknown to this library";
	return texts[reason];
}
