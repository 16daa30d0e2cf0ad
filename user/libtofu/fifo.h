/* SPDX-License-Identifier: GPL-2.0 */
/* The FIFO group through which this process reaches engines; the tests have their own version. */
#ifndef TOFU_FIFO_H
#define TOFU_FIFO_H

#include <linux/torus.h>
#include <stdbool.h>
#include <stdint.h>

int tofu_fifo_open(const char *fabric, uint32_t node, uint32_t group);
int tofu_fifo_call(unsigned long request, void *argument);
int tofu_fifo_post(uint32_t fifo, const void *packet, uint32_t chunks);
int tofu_fifo_refused(void);
void tofu_fifo_report_clock(void);
int tofu_fifo_take(uint32_t fifo, void *packet, uint32_t bytes);
int tofu_fifo_clock(bool vain);
const char *tofu_fifo_error(void);

#endif
