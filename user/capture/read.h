/* SPDX-License-Identifier: GPL-2.0 */
/* Read a pcapng file, complete or filtered by Wireshark. */
#ifndef TORUS_CAPTURE_READ_H
#define TORUS_CAPTURE_READ_H

#include "capture.h"

bool capture_open(struct capture_reader *reader, const char *name);
int capture_next(struct capture_reader *reader, struct capture_packet *packet);
void capture_close(struct capture_reader *reader);

#endif
