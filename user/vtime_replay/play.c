// SPDX-License-Identifier: GPL-2.0
/*
 * Replay a record: run the recorded programs on a fabric in this process.
 *
 * The clock of a program advances from one recorded poll to the next. Rings behave as in the device
 * (kmod/dev/context/ring.c): a packet is visible from its stamp on. Chunks that a program has read
 * are free for the network from the next poll on.
 */
#include <stdlib.h>
#include <string.h>

#include "../sim/run/measure.h"
#include "../sim/base/message.h"
#include "core/nic/vtime_client.h"
#include "core/nic/inject.h"
#include "core/run/fabric.h"
#include "core/run/report.h"
#include "play.h"

struct player;

/**
 * struct group - a FIFO group with its rings
 * @from: the group in the record
 * @f: the fabric
 * @first: oldest packet in each injection ring
 * @last: newest packet in each injection ring
 * @woken: by injection ring: 1 + the tick at which the node polls for the oldest packet
 * @tail: chunks received in each reception ring
 * @head: chunks read from each reception ring, as of the last poll
 * @read: chunks that the program has read from each reception ring
 */
struct group {
	const struct vreplay_group *from;
	struct torus_fabric *f;
	struct vreplay_action *first[TORUS_INJECT_MAX];
	struct vreplay_action *last[TORUS_INJECT_MAX];
	u64 woken[TORUS_INJECT_MAX];
	u32 tail[TORUS_RECEIVE_MAX];
	u32 head[TORUS_RECEIVE_MAX];
	u32 read[TORUS_RECEIVE_MAX];
};

/**
 * struct actor - a replayed program
 * @clock: its clock in virtual time
 * @player: the replay
 * @program: the program in the record
 * @number: index of @program in the record
 * @done: number of completed actions
 * @blocked: waits until the fabric reaches the tick of its poll
 * @left: has left virtual time, or is leaving
 */
struct actor {
	struct torus_vtime_client clock;
	struct player *player;
	const struct vreplay_program *program;
	u32 number;
	u32 done;
	bool blocked;
	bool left;
};

/**
 * struct player - the replay of a record
 * @record: the record
 * @f: its fabric
 * @groups: FIFO groups, in the order of the record
 * @actors: programs, in the order of the record
 */
struct player {
	const struct vreplay_record *record;
	struct torus_fabric *f;
	struct group *groups;
	struct actor *actors;
};

/* -------------------------------------------------------------------- groups */

static u32 group_pull(void *client, u32 fifo, u32 room, u8 *bytes, u32 *number)
{
	struct group *s = client;
	const struct vreplay_action *packet = s->first[fifo];

	if (!packet)
		return 0;
	if (packet->at > torus_nic_clock(s->f, s->from->node)) {
		torus_nic_wake_by(s->f, s->from->node, packet->at, &s->woken[fifo]);
		return 0;
	}
	if (packet->chunks > room)
		return 0;
	memcpy(bytes, packet->bytes, packet->chunks * s->f->arch->chunk_bytes);
	s->first[fifo] = packet->next;
	*number = 0;
	return packet->chunks;
}

static void group_refused(void *client, u32 fifo, u32 code)
{
}

static void group_accepted(void *client, u32 fifo)
{
}

static bool group_push(void *client, u32 fifo, const u8 *bytes, u32 chunks)
{
	struct group *s = client;

	if (s->from->receive_chunks - (s->tail[fifo] - s->head[fifo]) < chunks)
		return false;
	s->tail[fifo] += chunks;
	return true;
}

static void group_notify(void *client)
{
}

static const struct torus_nic_ops group_ops = {
	.pull = group_pull,
	.refused = group_refused,
	.accepted = group_accepted,
	.push = group_push,
	.notify = group_notify,
};

/* ------------------------------------------------------------------ programs */

static u32 actor_look(struct torus_vtime_client *clock)
{
	struct actor *actor = (struct actor *)clock;
	struct player *player = actor->player;
	u32 i;

	for (i = 0; i < player->record->ngroups; i++)
		if (player->groups[i].from->program == actor->number)
			memcpy(player->groups[i].head, player->groups[i].read,
			       sizeof(player->groups[i].head));
	return 0;
}

static void actor_resume(struct torus_vtime_client *clock)
{
	((struct actor *)clock)->blocked = false;
}

static void actor_leave(struct torus_vtime_client *clock)
{
	struct actor *actor = (struct actor *)clock;
	struct player *player = actor->player;
	u32 i;

	for (i = 0; i < player->record->ngroups; i++)
		if (player->groups[i].from->program == actor->number)
			torus_nic_leave(player->f, player->groups[i].from->node,
					player->groups[i].from->group);
}

static const struct torus_vtime_client_ops actor_ops = {
	.poll = actor_look,
	.resume = actor_resume,
	.leave = actor_leave,
};

static void inject(struct group *s, struct vreplay_action *packet)
{
	u32 fifo = packet->fifo;

	packet->next = NULL;
	if (s->first[fifo])
		s->last[fifo]->next = packet;
	else
		s->first[fifo] = packet;
	s->last[fifo] = packet;
	torus_nic_wake_by(s->f, s->from->node, packet->at, &s->woken[fifo]);
}

/* Advance the clock of a program to a tick, in steps that a program may make. */
static void move(struct actor *actor, u64 at)
{
	struct torus_vtime_client *clock = &actor->clock;
	u64 now;

	for (now = clock->now; at > now && at - now > TORUS_VTIME_STEP_MAX; now = clock->now)
		torus_vtime_client_advance(actor->player->f, clock, now + TORUS_VTIME_STEP_MAX,
					   NULL);
	torus_vtime_client_advance(actor->player->f, clock, at, NULL);
}

static void leave(struct actor *actor, u64 at)
{
	move(actor, at);
	torus_vtime_client_leave(actor->player->f, &actor->clock);
	actor->left = true;
}

/*
 * Replay the actions of a program until it polls or leaves. A poll that covers several rings is
 * recorded in several lines.
 */
static void act(struct actor *actor)
{
	struct vreplay_action *actions = actor->program->actions, *action;
	u64 last = actor->clock.now;

	while (actor->done < actor->program->count) {
		action = &actions[actor->done++];
		last = action->at > last ? action->at : last;
		if (action->what == VREPLAY_LEAVE) {
			leave(actor, action->at);
			return;
		}
		if (action->what == VREPLAY_INJECT) {
			inject(&actor->player->groups[action->group], action);
			continue;
		}
		actor->player->groups[action->group].read[action->fifo] = action->chunks;
		if (actor->done < actor->program->count &&
		    actions[actor->done].what == VREPLAY_READ &&
		    actions[actor->done].at == action->at)
			continue;
		move(actor, action->at);
		torus_vtime_client_wait(actor->player->f, &actor->clock, 0, 0);
		actor->blocked = true;
		return;
	}
	leave(actor, last);
}

/* ---------------------------------------------------------------------- play */

static int begin(struct player *player)
{
	const struct vreplay_record *record = player->record;
	struct torus_error err;
	u32 i, generation;

	player->groups = calloc(record->ngroups + 1ul, sizeof(*player->groups));
	player->actors = calloc(record->nprograms + 1ul, sizeof(*player->actors));
	if (!player->groups || !player->actors)
		return sim_error("out of memory for %u programs", record->nprograms);
	for (i = 0; i < record->nprograms; i++) {
		struct actor *actor = &player->actors[i];

		actor->player = player;
		actor->program = &record->programs[i];
		actor->number = i;
		if (torus_vtime_client_add(player->f, &actor->clock, &actor_ops, &err))
			return sim_reject("%s", err.text);
	}
	for (i = 0; i < record->ngroups; i++) {
		const struct vreplay_group *from = &record->groups[i];
		struct group *s = &player->groups[i];

		s->from = from;
		s->f = player->f;
		if (torus_nic_attach(player->f, from->node, from->group, from->priority,
				     &group_ops, s, &generation, &err))
			return sim_reject("%s:%u: %s", record->name, from->line, err.text);
		torus_vtime_client_bind(player->f, &player->actors[from->program].clock, from->node,
					from->group);
	}
	return SIM_OK;
}

static int play(struct player *player, struct vreplay_result *result)
{
	const struct vreplay_record *record = player->record;
	enum torus_vtime_result how;
	bool acted;
	u32 i;

	do {
		acted = false;
		for (i = 0; i < record->nprograms; i++) {
			struct actor *actor = &player->actors[i];

			if (actor->blocked || actor->left)
				continue;
			act(actor);
			acted = true;
		}
		how = torus_vtime_step(player->f, TORUS_VTIME_STEP_MAX);
		if (how == TORUS_VTIME_FAILED)
			return sim_error("out of memory at tick %llu",
					 torus_fabric_clock(player->f));
	} while (acted || how == TORUS_VTIME_MOVED);
	for (i = 0; i < record->nprograms; i++)
		result->unended += !record->programs[i].left;
	torus_fabric_counters(player->f, &result->counters);
	result->clock = torus_fabric_clock(player->f);
	return SIM_OK;
}

/**
 * vreplay_play - replay a record
 * @record: the record
 * @result: [out] result
 *
 * Return: SIM_OK; SIM_USAGE or SIM_FAILED after an error message.
 */
int vreplay_play(const struct vreplay_record *record, struct vreplay_result *result)
{
	struct sim_run_config options = { .threads = 1, .config = record->config };
	struct player player = { .record = record };
	int status = sim_fabric_new(&options, &player.f);

	*result = (struct vreplay_result){ .unended = 0 };
	if (status)
		return status;
	status = begin(&player);
	if (!status)
		status = play(&player, result);
	torus_fabric_destroy(player.f);
	free(player.groups);
	free(player.actors);
	return status;
}
