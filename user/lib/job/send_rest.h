/* SPDX-License-Identifier: GPL-2.0 */
/* Send the rest of a message whose call ends before the last packet is injected. */
#ifndef TORUS_LIB_SEND_REST_H
#define TORUS_LIB_SEND_REST_H

struct torus_job;
struct torus_send;

int torus_send_keep(struct torus_job *job, struct torus_send *send);

#endif /* TORUS_LIB_SEND_REST_H */
