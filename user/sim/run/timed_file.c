// SPDX-License-Identifier: GPL-2.0
/*
 * Read the file of --pattern timed:FILE as a stream, so that its length does not matter.
 *
 * Each line has the form TICK SOURCE DESTINATION BYTES, in decimal numbers. Ticks do not decrease.
 * A comment starts with '#'. The file may be compressed by gzip.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/node_number.h"
#include "../base/message.h"
#include "../base/signals.h"
#include "timed_file.h"

#define BUFFER_BYTES	65536
#define LINE_BYTES	1024	/* a line must have fewer bytes */
#define SHOWN_MAX	40	/* maximum bytes of a word that an error message shows */
#define REASON_MAX	192
#define SPACE		" \t"
#define LINE_END	"\r\n#"

enum field { TICK, SOURCE, DESTINATION, BYTES, FIELDS };

static const char *const field_names[FIELDS] = { "tick", "source", "destination", "bytes" };

/* Reject the current line. Return SIM_USAGE. */
__attribute__((format(printf, 2, 3)))
static int timed_reject(const struct sim_timed_file *file, const char *format, ...)
{
	char reason[REASON_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	return sim_reject("%s:%llu: %s", file->name, file->line, reason);
}

/* ------------------------------------------------------------------------ bytes */

/**
 * sim_timed_file_open - open a file of packets
 * @file: [out] the file; sim_timed_file_close() must follow, also after an error
 * @name: name of the file, which must outlive @file; "-" is standard input
 * @fabric: the fabric
 *
 * Return: SIM_OK; SIM_USAGE or SIM_FAILED after an error message.
 */
int sim_timed_file_open(struct sim_timed_file *file, const char *name,
			const struct torus_fabric *fabric)
{
	bool standard = !strcmp(name, "-");
	int fd = standard ? dup(STDIN_FILENO) : -1;

	*file = (struct sim_timed_file){ .name = name, .fabric = fabric };
	if (standard && fd < 0)
		return sim_reject("%s: %s", name, strerror(errno));
	errno = 0;
	file->in = standard ? gzdopen(fd, "r") : gzopen(name, "r");
	if (!file->in) {
		int error = errno ? errno : ENOMEM;

		if (standard)
			close(fd);
		return sim_reject("%s: %s", name, strerror(error));
	}
	file->buffer = malloc(BUFFER_BYTES + 1);
	return file->buffer ? SIM_OK : sim_error("%s: out of memory for its lines", name);
}

/**
 * sim_timed_file_close - close a file of packets
 * @file: the file, also if it could not be opened
 */
void sim_timed_file_close(struct sim_timed_file *file)
{
	if (file->in)
		gzclose_r(file->in);
	free(file->buffer);
	file->in = NULL;
	file->buffer = NULL;
}

/**
 * sim_timed_file_share - the share of a file that was read, for progress reports
 * @file: the file
 *
 * Return: 0 to 1; 0 for standard input, and if the file has no length, like a pipe.
 */
double sim_timed_file_share(const struct sim_timed_file *file)
{
	struct stat status;
	z_off_t at = gzoffset(file->in);

	if (at < 0 || stat(file->name, &status) || status.st_size <= 0)
		return 0;
	return at < status.st_size ? (double)at / status.st_size : 1;
}

/* Read more bytes after those that were not parsed. Return a status after an error message. */
static int read_more(struct sim_timed_file *file)
{
	const char *why;
	int got, error;

	memmove(file->buffer, file->buffer + file->at, file->end - file->at);
	file->end -= file->at;
	file->at = 0;
	errno = 0;
	got = gzread(file->in, file->buffer + file->end, (unsigned int)(BUFFER_BYTES - file->end));
	if (got > 0)
		file->end += (size_t)got;
	if (got > 0 || sim_interrupted())
		return SIM_OK;
	/* at the end of a truncated compressed file, gzread() returns 0 and leaves an error */
	why = gzerror(file->in, &error);
	if (error == Z_OK || error == Z_STREAM_END)
		return SIM_OK;
	/* zlib puts a name of the file before its own messages */
	if (error == Z_ERRNO)
		why = strerror(errno);
	else if (strrchr(why, ':'))
		why = strrchr(why, ':') + 2;
	return sim_reject("%s: cannot be read after line %llu: %s", file->name, file->line, why);
}

/*
 * Find the next line, and terminate it with a NUL. @text: [out] the line, or NULL at the end of the
 * file and after an interrupt; a line stays valid until the next call.
 */
static int next_line(struct sim_timed_file *file, char **text)
{
	char *end = memchr(file->buffer + file->at, '\n', file->end - file->at);
	size_t length;
	int status;

	*text = NULL;
	if (!end) {
		status = file->end - file->at < LINE_BYTES ? read_more(file) : SIM_OK;
		if (status || sim_interrupted())
			return status;
		end = memchr(file->buffer, '\n', file->end);
	}
	length = end ? (size_t)(end - file->buffer) - file->at : file->end - file->at;
	if (!end && !length)
		return SIM_OK;
	file->line++;
	if (length >= LINE_BYTES)
		return timed_reject(file, "a line must have fewer than %u bytes", LINE_BYTES);
	*text = file->buffer + file->at;
	(*text)[length] = '\0';
	file->at += length + !!end;
	if (strlen(*text) < length)
		return timed_reject(file, "unexpected byte 0x0");
	return SIM_OK;
}

/* ------------------------------------------------------------------------ words */

/* Parse a decimal number. @at: [in, out] position in the line. */
static int take_number(const struct sim_timed_file *file, const char **at, enum field field,
		       u64 *value)
{
	const char *start = *at + strspn(*at, SPACE), *end = start;
	u64 number = 0;
	int length;

	for (; *end >= '0' && *end <= '9' && number <= (~0ull - 9) / 10; end++)
		number = number * 10 + (u64)(*end - '0');
	length = (int)strcspn(start, SPACE LINE_END);
	if (!length)
		return timed_reject(file, "%s: its value is missing, a line must be TICK SOURCE "
				    "DESTINATION BYTES", field_names[field]);
	if (end != start + length)
		return timed_reject(file, "%s %.*s: must be a decimal number below 2^64",
				    field_names[field], length < SHOWN_MAX ? length : SHOWN_MAX,
				    start);
	*value = number;
	*at = end;
	return SIM_OK;
}

static int take_node(const struct sim_timed_file *file, enum field field, u64 number, u32 *node)
{
	const struct torus_geometry *geo = &file->fabric->cfg.geo;

	*node = number <= geo->numbering.last ? torus_node_index(geo, (u32)number) : TORUS_NONE;
	if (number > geo->numbering.last)
		return timed_reject(file, "%s %llu: must be 0 to %u", field_names[field], number,
				    geo->numbering.last);
	if (*node == TORUS_NONE)
		return timed_reject(file, "%s %llu: no node has this number", field_names[field],
				    number);
	return SIM_OK;
}

/* Check the values of a line, and convert them to a packet. */
static int take_packet(struct sim_timed_file *file, const u64 value[FIELDS], u32 *node,
		       struct torus_timed_packet *packet)
{
	const struct torus_arch *arch = file->fabric->arch;
	u32 most = arch->packet_chunks_max * arch->chunk_bytes;
	int status;

	if (value[TICK] > TORUS_TIMED_AT_MAX)
		return timed_reject(file, "tick %llu: must be at most 2^40", value[TICK]);
	if (value[TICK] < file->tick)
		return timed_reject(file, "tick %llu: must be at least %llu, the tick of the "
				    "packet before", value[TICK], file->tick);
	status = take_node(file, SOURCE, value[SOURCE], node);
	if (!status)
		status = take_node(file, DESTINATION, value[DESTINATION], &packet->dst);
	if (status)
		return status;
	if (*node == packet->dst)
		return timed_reject(file, "destination %llu: must not be the source",
				    value[DESTINATION]);
	if (!value[BYTES] || value[BYTES] > most || value[BYTES] % arch->chunk_bytes)
		return timed_reject(file, "bytes %llu: %s requires %u to %u bytes, a multiple of "
				    "%u", value[BYTES], arch->name, arch->chunk_bytes, most,
				    arch->chunk_bytes);
	packet->chunks = (u32)value[BYTES] / arch->chunk_bytes;
	packet->at = value[TICK];
	file->tick = value[TICK];
	return SIM_OK;
}

/**
 * sim_timed_file_next - read the next packet
 * @file: the file
 * @node: [out] index of the source
 * @packet: [out] the packet, without its number
 * @found: [out] false at the end of the file, and after an interrupt
 *
 * Return: SIM_OK, or SIM_USAGE after an error message with the number of the line.
 */
int sim_timed_file_next(struct sim_timed_file *file, u32 *node, struct torus_timed_packet *packet,
			bool *found)
{
	u64 value[FIELDS];
	const char *at;
	int status, i;
	char *text;

	*found = false;
	do {
		status = next_line(file, &text);
		if (status || !text)
			return status;
		at = text + strspn(text, SPACE);
	} while (!*at || strchr(LINE_END, *at));
	for (i = 0; i < FIELDS && !status; i++)
		status = take_number(file, &at, (enum field)i, &value[i]);
	if (status)
		return status;
	at += strspn(at, SPACE);
	if (*at && !strchr(LINE_END, *at))
		return timed_reject(file, "unexpected word %.*s", SHOWN_MAX, at);
	*found = true;
	return take_packet(file, value, node, packet);
}
