/* SPDX-License-Identifier: GPL-2.0 */
/* Packets that do not move. */
#ifndef TORUS_DEV_ENGINE_WATCH_H
#define TORUS_DEV_ENGINE_WATCH_H

struct torus_engine;

void torus_watch_check(struct torus_engine *e);
void torus_watch_report_blocked(struct torus_engine *e);

#endif
