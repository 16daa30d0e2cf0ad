/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Layout of the status page and the control page of a context. Programs learn it from
 * TORUS_IOC_INFO, so it may change. Each side and each FIFO writes into cache lines of its own.
 */
#ifndef TORUS_DEV_BASE_PAGES_H
#define TORUS_DEV_BASE_PAGES_H

#include <linux/build_bug.h>
#include <linux/mm.h>
#include <linux/torus.h>

#define TORUS_STATUS_STATE		0
#define TORUS_STATUS_FLAGS		4
#define TORUS_STATUS_CLOCK		64
#define TORUS_STATUS_BYTES		128
#define TORUS_STATUS_BYTES_GROUP	16
#define TORUS_STATUS_GROUPS_MAX		8u
#define TORUS_STATUS_STRIDE		64
#define TORUS_STATUS_INJECT		256
#define TORUS_STATUS_RECEIVE \
	(TORUS_STATUS_INJECT + TORUS_INJECT_MAX * TORUS_STATUS_STRIDE)
#define TORUS_STATUS_NOTICE \
	(TORUS_STATUS_RECEIVE + TORUS_RECEIVE_MAX * TORUS_STATUS_STRIDE)
#define TORUS_STATUS_END \
	(TORUS_STATUS_NOTICE + TORUS_STATUS_STRIDE)

#define TORUS_CONTROL_STRIDE		64
#define TORUS_CONTROL_INJECT		64
#define TORUS_CONTROL_RECEIVE \
	(TORUS_CONTROL_INJECT + TORUS_INJECT_MAX * TORUS_CONTROL_STRIDE)
#define TORUS_CONTROL_NOTICE \
	(TORUS_CONTROL_RECEIVE + TORUS_RECEIVE_MAX * TORUS_CONTROL_STRIDE)
#define TORUS_CONTROL_END \
	(TORUS_CONTROL_NOTICE + TORUS_CONTROL_STRIDE)

static_assert(TORUS_STATUS_BYTES + TORUS_STATUS_GROUPS_MAX * TORUS_STATUS_BYTES_GROUP <=
	      TORUS_STATUS_INJECT);
static_assert(sizeof(struct torus_status_inject) <= TORUS_STATUS_STRIDE &&
	      sizeof(struct torus_status_receive) <= TORUS_STATUS_STRIDE &&
	      sizeof(struct torus_status_notice) <= TORUS_STATUS_STRIDE);
static_assert(sizeof(struct torus_control_inject) <= TORUS_CONTROL_STRIDE &&
	      sizeof(struct torus_control_receive) <= TORUS_CONTROL_STRIDE &&
	      sizeof(struct torus_control_notice) <= TORUS_CONTROL_STRIDE);
static_assert(TORUS_STATUS_END <= PAGE_SIZE && TORUS_CONTROL_END <= PAGE_SIZE);

static inline u32 *torus_status_state(void *page)
{
	return page + TORUS_STATUS_STATE;
}

static inline u32 *torus_status_flags(void *page)
{
	return page + TORUS_STATUS_FLAGS;
}

static inline u64 *torus_status_clock(void *page)
{
	return page + TORUS_STATUS_CLOCK;
}

static inline struct torus_status_inject *torus_status_inject(void *page, u32 fifo)
{
	return page + TORUS_STATUS_INJECT + fifo * TORUS_STATUS_STRIDE;
}

static inline struct torus_status_receive *torus_status_receive(void *page, u32 fifo)
{
	return page + TORUS_STATUS_RECEIVE + fifo * TORUS_STATUS_STRIDE;
}

static inline struct torus_status_notice *torus_status_notice(void *page)
{
	return page + TORUS_STATUS_NOTICE;
}

static inline const struct torus_control_inject *torus_control_inject(const void *page, u32 fifo)
{
	return page + TORUS_CONTROL_INJECT + fifo * TORUS_CONTROL_STRIDE;
}

static inline const struct torus_control_receive *torus_control_receive(const void *page, u32 fifo)
{
	return page + TORUS_CONTROL_RECEIVE + fifo * TORUS_CONTROL_STRIDE;
}

static inline const struct torus_control_notice *torus_control_notice(const void *page)
{
	return page + TORUS_CONTROL_NOTICE;
}

#endif
