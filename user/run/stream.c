// SPDX-License-Identifier: GPL-2.0
/*
 * Write a standard stream by a thread. A write blocks while the reader of the stream does not read.
 * O_NONBLOCK is no solution, because it would affect all processes that share the open file. So the
 * keeper's event loop only appends text to a buffer, and the thread writes it.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "stream.h"

/* number of buffered bytes from which on the ranks' output is left in their pipes */
#define FULL_BYTES	(1 << 20)
#define SIZE_MIN	4096

/* Write all bytes. Return 0, or the errno of the write that failed. */
static int write_all(int fd, const char *text, size_t size)
{
	ssize_t done;

	while (size) {
		done = write(fd, text, size);
		if (done < 0 && errno != EINTR && errno != EAGAIN)
			return errno;
		if (done < 0) {
			usleep(1000);
			continue;
		}
		text += done;
		size -= done;
	}
	return 0;
}

static void *stream_write(void *argument)
{
	struct run_stream *stream = argument;
	const uint64_t one = 1;
	char *text;
	int error;

	pthread_mutex_lock(&stream->lock);
	while (!stream->error) {
		while (!stream->used)
			pthread_cond_wait(&stream->more, &stream->lock);
		text = stream->text;
		stream->writing = stream->used;
		stream->text = NULL;
		stream->used = 0;
		stream->size = 0;
		pthread_mutex_unlock(&stream->lock);
		error = write_all(stream->to, text, stream->writing);
		free(text);
		pthread_mutex_lock(&stream->lock);
		stream->writing = 0;
		stream->error = error;
		if (write(stream->wake, &one, sizeof(one)) < 0)
			stream->error = errno;
	}
	stream->used = 0;
	pthread_mutex_unlock(&stream->lock);
	return NULL;
}

/**
 * run_stream_open - start the thread of a stream
 * @stream: [out] the stream, which exists until the process ends
 * @to: descriptor to which the thread writes
 *
 * Return: true, or false with errno.
 */
bool run_stream_open(struct run_stream *stream, int to)
{
	*stream = (struct run_stream){
		.to = to, .wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
		.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER,
	};
	if (stream->wake < 0)
		return false;
	errno = pthread_create(&stream->thread, NULL, stream_write, stream);
	return !errno;
}

static bool stream_grow(struct run_stream *stream, size_t need)
{
	size_t size = stream->size ? stream->size : SIZE_MIN;
	char *text;

	if (need <= stream->size)
		return true;
	while (size < need)
		size *= 2;
	text = realloc(stream->text, size);
	if (!text)
		return false;
	stream->text = text;
	stream->size = size;
	return true;
}

/**
 * run_stream_put - append text to the buffer of a stream
 * @stream: the stream
 * @parts: array of the text's parts
 * @count: number of entries in @parts
 *
 * Return: false if the stream cannot be written or there is no memory.
 */
bool run_stream_put(struct run_stream *stream, const struct iovec *parts, int count)
{
	size_t bytes = 0;
	bool good;
	int i;

	for (i = 0; i < count; i++)
		bytes += parts[i].iov_len;
	pthread_mutex_lock(&stream->lock);
	good = !stream->error && stream_grow(stream, stream->used + bytes);
	for (i = 0; good && i < count; i++) {
		memcpy(stream->text + stream->used, parts[i].iov_base, parts[i].iov_len);
		stream->used += parts[i].iov_len;
	}
	pthread_cond_signal(&stream->more);
	pthread_mutex_unlock(&stream->lock);
	return good;
}

/**
 * run_stream_woken - clear the notification of a stream's thread
 * @stream: the stream; its @wake is readable
 */
void run_stream_woken(struct run_stream *stream)
{
	uint64_t times;

	if (read(stream->wake, &times, sizeof(times)) < 0)
		return;
}

/**
 * run_stream_full - check whether the buffer of a stream is full
 * @stream: the stream
 *
 * Return: true if the ranks' output must stay in their pipes until the next notification.
 */
bool run_stream_full(struct run_stream *stream)
{
	bool full;

	pthread_mutex_lock(&stream->lock);
	full = stream->used >= FULL_BYTES && !stream->error;
	pthread_mutex_unlock(&stream->lock);
	return full;
}

/**
 * run_stream_waiting - get the number of bytes that have not been written
 * @stream: the stream
 *
 * Return: number of bytes; 0 after a failed write.
 */
size_t run_stream_waiting(struct run_stream *stream)
{
	size_t bytes;

	pthread_mutex_lock(&stream->lock);
	bytes = stream->error ? 0 : stream->used + stream->writing;
	pthread_mutex_unlock(&stream->lock);
	return bytes;
}

/**
 * run_stream_error - get the error of a stream's failed write
 * @stream: the stream
 *
 * Return: errno of the failed write, or 0.
 */
int run_stream_error(struct run_stream *stream)
{
	int error;

	pthread_mutex_lock(&stream->lock);
	error = stream->error;
	pthread_mutex_unlock(&stream->lock);
	return error;
}
