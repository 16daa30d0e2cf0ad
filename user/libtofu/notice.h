/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that vcq.c, toq.c and notice.c call from each other. */
#ifndef TOFU_NOTICE_H
#define TOFU_NOTICE_H

#include "vcq.h"

int tofu_queue_flush(struct tofu_queue *queue);
int tofu_notice_collect(struct tofu_queue *queue);

#endif
