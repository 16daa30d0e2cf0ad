/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libtorus: messages that are matched with posted receives by source and 64-bit tag.
 *
 * A program opens the matching of a job, posts receives and sends messages.  No call waits.
 * torus_match_progress() moves packets; each operation that ends adds an event to a queue, which
 * torus_match_events() reads.  A program that has nothing else to do sleeps on the descriptor of
 * torus_match_fd() after torus_match_trywait() has returned 0.
 *
 * A message enters matching when its first packet has arrived and all earlier messages of its
 * sender have entered.  It goes to the first posted receive that fits, in the order of posting.  If
 * none fits, the message is unexpected and waits.  A new receive searches the unexpected messages
 * in the order of entry.  From the match on, the bytes of the message go from the reception ring
 * straight into the buffers of the receive.
 *
 * A message of up to @eager bytes is sent at once, if its sender has enough credit at the receiver:
 * each sender has @window bytes, and an eager message counts with its length + 160.  Any other
 * message is announced: one packet takes part in matching, and the data follows when the receiver
 * has matched the announcement.  So the memory of a receiver grows with the number of unmatched
 * messages, never with their length, and no order of receives can block.
 *
 * The kernel notifies the sender of a lost packet, and torus_match_progress() of the sender reports
 * the loss to the receiver.  A matched receive ends with -EIO.  An unmatched message fails the
 * receive that takes it.  A message whose first packet is lost is skipped and counted; if it was
 * announced, its send ends with -EIO.  Later messages of that sender continue.  If it is not known
 * which packets were lost, all operations of the sender end with -EIO.  If another rank forwards
 * the packets around dead nodes and links, the kernel notifies that rank, which reports the loss to
 * the sender when it calls the library.
 *
 * A process has left when the kernel has released its FIFO group; one that is stopped or computes
 * has not left.  The packets that it sent before are delivered first.  Then receives that name it,
 * sends to it and half-received messages end with -ENOTCONN.  A receive from any source ends when
 * the processes of all other ranks have left.  torus_match_progress() checks for this once a
 * second.  If the fabric is never idle, some more seconds pass.
 *
 * These messages are independent of those of <torus/message.h>, which may be used in the same job.
 * The limit memory_max of the job does not count them.  The limit length_max must exceed the
 * longest of them by 28 bytes.  Both ends must open the matching before the first message is sent.
 */
#ifndef TORUS_MATCH_H
#define TORUS_MATCH_H

#include <sys/uio.h>
#include <torus/message.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TORUS_MATCH_ANY		(~0u)	/* any source */
#define TORUS_MATCH_EAGER	16384u
#define TORUS_MATCH_WINDOW	65536u
#define TORUS_MATCH_EAGER_MAX	1048576u
#define TORUS_MATCH_LENGTH_MAX	0xfffff000u	/* longest message in bytes */

/**
 * enum torus_match_flag - flags of messages, receives and events
 * @TORUS_MATCH_TAGGED: the message has a tag; the receive accepts only messages with a tag.
 *                      Without the flag it accepts only messages without a tag
 * @TORUS_MATCH_DATA: the message has 32 bits of data
 * @TORUS_MATCH_INJECT: the buffers of the message may change when the call returns: the library
 *                      copies them, and keeps the copy until the event
 * @TORUS_MATCH_SILENT: success adds no event.  Without a context, an error adds none either
 * @TORUS_MATCH_CLAIM: reserve the message that is found for torus_match_claimed()
 * @TORUS_MATCH_DISCARD: drop the message that is found; its data is not stored
 */
enum torus_match_flag {
	TORUS_MATCH_TAGGED = 1 << 0,
	TORUS_MATCH_DATA = 1 << 1,
	TORUS_MATCH_INJECT = 1 << 2,
	TORUS_MATCH_SILENT = 1 << 3,
	TORUS_MATCH_CLAIM = 1 << 4,
	TORUS_MATCH_DISCARD = 1 << 5,
};

/**
 * struct torus_match_config - limits of a matching, the same in all processes of the job
 * @eager: longest message that is sent at once, in bytes, at most TORUS_MATCH_EAGER_MAX; 0:
 *         TORUS_MATCH_EAGER
 * @window: bytes of unmatched eager messages of one sender; 0: TORUS_MATCH_WINDOW
 */
struct torus_match_config {
	__u32 eager;
	__u32 window;
};

/**
 * struct torus_match_send - a message to send
 * @context: pointer of the caller, returned in the event
 * @parts: buffers of the message, which must not change until the event
 * @count: number of @parts
 * @dest: rank of the receiver, which may be the sender
 * @data: with TORUS_MATCH_DATA: given to the receiver
 * @tag: with TORUS_MATCH_TAGGED
 * @flags: TORUS_MATCH_TAGGED, _DATA, _INJECT, _SILENT
 */
struct torus_match_send {
	void *context;
	const struct iovec *parts;
	size_t count;
	__u32 dest;
	__u32 data;
	__u64 tag;
	unsigned int flags;
};

/**
 * struct torus_match_receive - a receive to post, or messages to peek for
 * @context: pointer of the caller, returned in the event
 * @parts: buffers
 * @count: number of @parts
 * @source: rank of the sender, or TORUS_MATCH_ANY
 * @tag: with TORUS_MATCH_TAGGED
 * @ignore: bits of the tag that may differ
 * @flags: TORUS_MATCH_TAGGED, _SILENT, _DISCARD; to peek: TORUS_MATCH_TAGGED, _CLAIM, _DISCARD
 */
struct torus_match_receive {
	void *context;
	const struct iovec *parts;
	size_t count;
	__u32 source;
	__u64 tag;
	__u64 ignore;
	unsigned int flags;
};

/**
 * struct torus_match_event - an operation that has ended
 * @context: pointer of the caller
 * @buffer: first buffer of a receive, or NULL
 * @tag: tag of the message; of a cancelled receive its own
 * @length: bytes of the message that the buffers of a receive have space for
 * @full: length of the message in bytes
 * @data: with TORUS_MATCH_DATA: data of the message
 * @source: rank of the sender; TORUS_MATCH_ANY if no message was matched
 * @error: 0; -EMSGSIZE (the buffers are shorter than the message), -ECANCELED, -EIO (packets of the
 *         message were lost or damaged, or the fabric has failed), -ENOTCONN (the process of the
 *         other rank, or of all other ranks, has left), -EHOSTUNREACH (dead nodes and links are in
 *         the way), -ENODEV (the fabric was deleted), -ENOMEM
 * @flags: TORUS_MATCH_TAGGED, _DATA
 * @sent: the operation is a send
 */
struct torus_match_event {
	void *context;
	void *buffer;
	__u64 tag;
	__u32 length;
	__u32 full;
	__u32 data;
	__u32 source;
	int error;
	unsigned short flags;
	unsigned short sent;
};

/**
 * struct torus_match_counts - counters of a matching
 * @eager: messages that were sent at once
 * @announced: messages that were announced
 * @unexpected: messages that entered before their receive was posted
 * @skipped: messages whose first packet never arrived
 * @failed: operations without an event that ended with an error
 */
struct torus_match_counts {
	__u64 eager;
	__u64 announced;
	__u64 unexpected;
	__u64 skipped;
	__u64 failed;
};

struct torus_match;

int torus_match_open(struct torus_match **match, struct torus_job *job,
		     const struct torus_match_config *config);
void torus_match_close(struct torus_match *match);
int torus_match_progress(struct torus_match *match);
int torus_match_fd(struct torus_match *match);
int torus_match_trywait(struct torus_match *match);
int torus_match_send(struct torus_match *match, const struct torus_match_send *send);
int torus_match_receive(struct torus_match *match, const struct torus_match_receive *receive);
int torus_match_peek(struct torus_match *match, const struct torus_match_receive *wanted,
		     struct torus_match_event *event);
int torus_match_claimed(struct torus_match *match, const struct torus_match_receive *receive);
int torus_match_cancel(struct torus_match *match, void *context);
size_t torus_match_events(struct torus_match *match, struct torus_match_event *events,
			  size_t count);
size_t torus_match_pending(const struct torus_match *match);
void torus_match_counts(const struct torus_match *match, struct torus_match_counts *counts);

#ifdef __cplusplus
}
#endif

#endif /* TORUS_MATCH_H */
