/* SPDX-License-Identifier: GPL-2.0 */
/* The FIFO group through which this process reaches engines; the tests have one of their own. */
#ifndef TOFU_PORT_H
#define TOFU_PORT_H

#include <linux/torus.h>
#include <stdbool.h>
#include <stdint.h>

int tofu_port_open(const char *fabric, uint32_t node, uint32_t group);
int tofu_port_call(unsigned long request, void *argument);
int tofu_port_post(uint32_t fifo, const void *packet, uint32_t chunks);
int tofu_port_refused(void);
void tofu_port_tell(void);
int tofu_port_take(uint32_t fifo, void *packet, uint32_t bytes);
int tofu_port_clock(bool vain);
const char *tofu_port_error(void);

#endif
