/* SPDX-License-Identifier: GPL-2.0 */
/* The doorbell. */
#ifndef TORUS_DEV_BELL_H
#define TORUS_DEV_BELL_H

struct torus_engine;
struct torus_file;

void torus_bell_users(struct torus_engine *e);
void torus_bell_init(struct torus_engine *e);
void torus_bell_stop(struct torus_engine *e);
void torus_bell_sleeps(struct torus_engine *e);
void torus_bell_ring(struct torus_file *ctx);

#endif
