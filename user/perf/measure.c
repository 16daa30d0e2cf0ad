// SPDX-License-Identifier: GPL-2.0
/* Send a message back and forth between two ranks, and measure the times. */
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include "pingpong.h"
#include "measure.h"
#include "print.h"

#define BALL		1	/* tags of messages */
#define TIMES		2
#define WARM		2	/* number of rounds before the measurement */
#define ROUNDS		100
/* number of bytes sent in one direction per length, if that is less than ROUNDS messages */
#define BYTES_A_SIZE	(8u << 20)
#define ROUNDS_MIN	4

/**
 * struct trip - times of a message in ticks, as seen by one rank
 * @since: the fabric's clock just before this rank sent its message
 * @began: tick at which the first packet of the sent message entered an injection FIFO
 * @arrived: tick at which the last byte of the received message arrived
 */
struct trip {
	__u64 since;
	__u64 began;
	__u64 arrived;
};

/**
 * struct pingpong_player - state of one of the two ranks
 * @job: the job
 * @context: context of the rank
 * @other: number of the other rank
 * @ball: buffer for the message
 * @bytes: length of the message
 * @timeout_ms: as in struct pingpong
 */
struct pingpong_player {
	struct torus_job *job;
	struct torus_context *context;
	uint32_t other;
	void *ball;
	uint32_t bytes;
	int timeout_ms;
};

static double wall_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

/*
 * Update @trip->began. It is the tick at which an injection FIFO last became non-empty; of several
 * FIFOs, the earliest tick counts. The FIFOs may become empty several times during a long message.
 * Therefore call this function directly after sending. Call it again later for a message whose
 * packets had not entered a FIFO at the first call.
 */
static void look_began(const struct pingpong_player *player, struct trip *trip)
{
	const struct torus_ioc_info *info = torus_context_info(player->context);
	__u64 tick;
	uint32_t fifo;

	for (fifo = 0; fifo < info->inject_fifos; fifo++)
		if (!torus_inject_began(player->context, fifo, &tick) && tick >= trip->since &&
		    (!trip->began || tick < trip->began))
			trip->began = tick;
}

static __u64 arrived(const struct pingpong_player *player)
{
	const struct torus_ioc_info *info = torus_context_info(player->context);
	__u64 last = 0, tick;
	uint32_t fifo;

	for (fifo = 0; fifo < info->receive_fifos; fifo++)
		if (!torus_receive_arrived(player->context, fifo, &tick) && tick > last)
			last = tick;
	return last;
}

static int ball_send(struct pingpong_player *player, struct trip *trip)
{
	int ret;

	trip->since = torus_context_clock(player->context);
	ret = torus_message_send(player->job, player->other, BALL, player->ball, player->bytes);
	look_began(player, trip);
	return ret;
}

static int ball_receive(struct pingpong_player *player, struct trip *trip)
{
	struct torus_message_info info;
	int ret;

	ret = torus_message_receive(player->job, player->other, BALL, player->ball, player->bytes,
				    &info, player->timeout_ms);
	trip->arrived = arrived(player);
	return ret;
}

static int rounds_play(struct pingpong_player *player, bool first, uint32_t rounds,
		       struct trip *trips)
{
	struct trip *sent = NULL;
	uint32_t round;
	int ret = 0;

	for (round = 0; !ret && round < rounds; round++) {
		struct trip *trip = &trips[round];

		if (first)
			ret = ball_send(player, trip);
		if (!ret)
			ret = ball_receive(player, trip);
		/* when the reply has arrived, the last message has left the injection FIFOs */
		if (!ret && (first || sent))
			look_began(player, first ? trip : sent);
		if (!ret && !first)
			ret = ball_send(player, trip);
		sent = trip;
	}
	if (!ret && !first && sent) {
		ret = torus_message_flush(player->job, player->timeout_ms);
		look_began(player, sent);
	}
	return ret;
}

static void row_add(struct pingpong_row *row, const struct trip *trip, __u64 to)
{
	__u64 from = trip->began ? trip->began : trip->since;
	__u64 ticks = to > from ? to - from : 0;

	if (!row->ticks_max || ticks < row->ticks_min)
		row->ticks_min = ticks;
	if (ticks > row->ticks_max)
		row->ticks_max = ticks;
	row->ticks_mean += ticks;
}

static void row_make(struct pingpong_row *row, const struct trip *mine, const struct trip *theirs)
{
	uint32_t round;

	for (round = 0; round < row->rounds; round++) {
		row_add(row, &mine[round], theirs[round].arrived);
		row_add(row, &theirs[round], mine[round].arrived);
	}
	row->ticks_mean /= 2.0 * row->rounds;
}

/* Run the rounds in both ranks. Afterwards rank 0 receives the times that the partner measured. */
static int pair_play(struct pingpong_player *player, bool first, struct pingpong_row *row)
{
	struct trip *mine = calloc(2 * row->rounds + WARM, sizeof(*mine));
	struct trip *theirs = mine + row->rounds + WARM;
	double start;
	int ret = -ENOMEM;

	if (!mine)
		return ret;
	ret = rounds_play(player, first, WARM, mine);
	start = wall_ns();
	if (!ret)
		ret = rounds_play(player, first, row->rounds, mine);
	row->wall_ns = (wall_ns() - start) / (2.0 * row->rounds);
	if (!ret && !first)
		ret = torus_message_send(player->job, player->other, TIMES, mine,
					 row->rounds * sizeof(*mine));
	if (!ret && first)
		ret = torus_message_receive(player->job, player->other, TIMES, theirs,
					    row->rounds * sizeof(*theirs), NULL,
					    player->timeout_ms);
	if (!ret)
		ret = torus_message_flush(player->job, player->timeout_ms);
	if (!ret && first)
		row_make(row, mine, theirs);
	free(mine);
	return ret;
}

/**
 * pingpong_play - measure messages of one length; every rank of the job calls this function
 * @job: the job
 * @context: context of the calling rank
 * @call: the command line
 * @bytes: length of the messages
 * @row: [out] results, in rank 0 only
 *
 * Return: 0 or a negative errno. For -ENOMEM, torus_error_text() may have no message of it.
 */
int pingpong_play(struct torus_job *job, struct torus_context *context,
		  const struct pingpong *call, uint32_t bytes, struct pingpong_row *row)
{
	uint32_t rank = torus_job_rank(job), rounds = call->rounds;
	struct pingpong_player player = {
		.job = job, .context = context, .bytes = bytes, .timeout_ms = call->timeout_ms,
		.other = rank ? 0 : call->partner,
	};
	int ret = 0;

	if (!rounds && bytes > BYTES_A_SIZE / ROUNDS)
		rounds = BYTES_A_SIZE / bytes < ROUNDS_MIN ? ROUNDS_MIN : BYTES_A_SIZE / bytes;
	*row = (struct pingpong_row) { .bytes = bytes, .rounds = rounds ? rounds : ROUNDS };
	if (!rank || rank == call->partner) {
		player.ball = calloc(1, bytes ? bytes : 1);
		ret = player.ball ? pair_play(&player, !rank, row) : -ENOMEM;
		free(player.ball);
	}
	return ret ? ret : torus_job_barrier(job, -1);
}
