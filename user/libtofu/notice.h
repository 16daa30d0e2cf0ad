/* SPDX-License-Identifier: GPL-2.0 */
/* Calls between the sources of VCQs, posting and notices. */
#ifndef TOFU_NOTICE_H
#define TOFU_NOTICE_H

#include "vcq.h"

int tofu_queue_flush(struct tofu_queue *queue);
int tofu_notice_collect(struct tofu_queue *queue);

#endif
