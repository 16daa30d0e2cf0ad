// SPDX-License-Identifier: GPL-2.0
/* Open and close the matching of a job, move its packets, and read the events of its operations. */
#include <errno.h>
#include <stdlib.h>
#include "../context/error.h"
#include "../job/reassembly.h"
#include "departure.h"
#include "descriptor.h"
#include "incoming.h"
#include "loss.h"
#include "match.h"
#include "outgoing.h"
#include "receive_list.h"

static const struct match_ops endpoint_ops = {
	.accept = torus_match_accept,
	.lost = torus_match_lost,
};

/* Check that the first packet of a message has space for head, words and trailer. */
static int endpoint_fits(const struct torus_job *job)
{
	const struct msg_format *format = &job->format;

	if (format->payload >= HEAD_BYTES + WORDS_BYTES + format->trailer_bytes)
		return 0;
	return torus_error_set(-EOPNOTSUPP,
			       "matched messages: a packet has %u bytes of data, but needs %u",
			       format->payload, HEAD_BYTES + WORDS_BYTES + format->trailer_bytes);
}

/**
 * torus_match_open() - open the matching of a job
 * @match: [out] the matching, closed by torus_match_close()
 * @job: the job, which stays open until the matching is closed
 * @config: limits; NULL: defaults
 *
 * The call waits for no other process.  Messages that arrive before it are rejected, so a process
 * sends only after it knows that the receiver has opened its matching.
 *
 * Return: 0, -EBUSY (the job's matching is open), -EINVAL (a limit), -EOPNOTSUPP (the packets of
 * the machine are too short), -ENOMEM.
 */
int torus_match_open(struct torus_match **match, struct torus_job *job,
		     const struct torus_match_config *config)
{
	static const struct torus_match_config defaults;
	struct torus_match *new;
	int ret = endpoint_fits(job);

	if (ret)
		return ret;
	config = config ? config : &defaults;
	if (job->match)
		return torus_error_set(-EBUSY, "this job already has an endpoint for matching");
	if (config->eager > TORUS_MATCH_EAGER_MAX)
		return torus_error_set(-EINVAL, "eager messages of %u bytes: must be at most %u",
				       config->eager, TORUS_MATCH_EAGER_MAX);
	/* missing if torus_peer_exit_learn() had no memory */
	if (!job->holders)
		job->holders = calloc(job->config.count, sizeof(*job->holders));
	new = calloc(1, sizeof(*new));
	if (new)
		new->peers = calloc(job->config.count, sizeof(*new->peers));
	if (!new || !new->peers || !job->holders) {
		free(new ? new->peers : NULL);
		free(new);
		return torus_error_set(-ENOMEM, "out of memory for matching");
	}
	new->job = job;
	new->config = *config;
	if (!new->config.eager)
		new->config.eager = TORUS_MATCH_EAGER;
	if (!new->config.window)
		new->config.window = TORUS_MATCH_WINDOW;
	new->traffic = torus_rank_traffic_map(job->config.key, job->rank);
	job->match = new;
	job->match_ops = &endpoint_ops;
	*match = new;
	return 0;
}

/* End all operations of a fabric that can no longer be used. */
static void endpoint_fail(struct torus_match *match, int error)
{
	match->failure = error;
	torus_match_sends_fail(match, error);
	torus_match_arrivals_fail(match, error);
	torus_match_receives_fail(match, error);
	torus_match_losses_free(match);
}

/**
 * torus_match_close() - close the matching of a job
 * @match: the matching, or NULL
 *
 * Operations that have not ended are dropped without an event.  Messages whose last packet is in
 * the injection ring arrive nevertheless, see torus_message_flush().
 */
void torus_match_close(struct torus_match *match)
{
	uint32_t i;

	if (!match)
		return;
	endpoint_fail(match, -ECANCELED);
	while (match->done) {
		struct match_done *done = match->done;

		match->done = done->next;
		free(done);
	}
	for (i = 0; i < match->job->config.count; i++)
		free(match->peers[i]);
	match->job->match = NULL;
	torus_match_fd_close(match);
	torus_rank_traffic_unmap(match->traffic);
	free(match->peers);
	free(match);
}

/**
 * torus_match_progress() - move packets in both directions, without waiting
 * @match: the matching
 *
 * If the fabric can no longer be used, or packets were lost and it is not known which, all
 * operations end with an error.  The loss of a known packet is reported to its receiver, whose
 * receive ends with an error.  Once a second the call checks for processes that have left.  When
 * all packets of such a process have arrived, operations that wait for it end with -ENOTCONN.
 *
 * Return: as torus_job_progress().
 */
int torus_match_progress(struct torus_match *match)
{
	int ret = match->failure ? match->failure : match->late;

	if (!match->failure) {
		torus_match_departures(match);
		torus_match_losses_report(match);
	}
	match->late = 0;
	if (!ret)
		ret = torus_job_progress(match->job);
	/* A call that takes fewer packets, and leaves none waiting, has emptied the rings. */
	match->drained = ret >= 0 && ret < DRAIN_BUDGET && !match->job->root->stuck;
	if (ret >= 0 && match->unsure)
		ret = torus_error_set(-EIO, "packets were lost, and it is not known which");
	if ((ret == -ENODEV || ret == -EIO) && !match->failure)
		endpoint_fail(match, ret);
	return ret;
}

/**
 * torus_match_events() - read the events of operations that have ended
 * @match: the matching
 * @events: [out] array of the oldest events
 * @count: length of @events
 *
 * Return: number of events read.
 */
size_t torus_match_events(struct torus_match *match, struct torus_match_event *events,
			  size_t count)
{
	size_t read = 0;

	while (match->done && read < count) {
		struct match_done *done = match->done;

		match->done = done->next;
		events[read++] = done->event;
		free(done);
	}
	return read;
}

/**
 * torus_match_pending() - count the sends that have not ended
 * @match: the matching
 *
 * Return: the number of messages whose last packet is not in the injection ring, and of those to
 * this process itself that are neither matched nor copied.
 */
size_t torus_match_pending(const struct torus_match *match)
{
	return match->pending;
}

/**
 * torus_match_counts() - read the counters of a matching
 * @match: the matching
 * @counts: [out] the counters
 */
void torus_match_counts(const struct torus_match *match, struct torus_match_counts *counts)
{
	*counts = match->counts;
}
