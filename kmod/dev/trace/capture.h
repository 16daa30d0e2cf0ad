/* SPDX-License-Identifier: GPL-2.0 */
/* Captures: records of packets on links, or of events of packets, for TORUS_IOC_CAPTURE. */
#ifndef TORUS_DEV_TRACE_CAPTURE_H
#define TORUS_DEV_TRACE_CAPTURE_H

struct torus_engine;
struct torus_ioc_capture;

int torus_capture_open(struct torus_engine *e, struct torus_ioc_capture *ask);

#endif
