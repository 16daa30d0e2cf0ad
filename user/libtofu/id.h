/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ids of VCQs and gates.  An id means the same in all processes.
 *
 * Bits of a VCQ id: 63-61 TNI, 60 one, 59 c, 58-57 b, 56 a, 55-48 z, 47-40 y, 39-32 x, 31 a path is
 * embedded, 30 c, 29-28 b, 27 a of the embedded path, 15-8 hardware queue, 7-0 component id; all
 * others 0.
 *
 * Bits of a VBG id: 63-61 TNI, 60 zero, 59 to 32 as above, 5-0 gate; all others 0.  Programs
 * compute VBG ids themselves.
 */
#ifndef TOFU_ID_H
#define TOFU_ID_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/torus.h>

#define TOFU_COORDS	6
#define TOFU_CMP_IDS	8
/* number of hardware queues of a TNI; each FIFO group of the node has an equal share */
#define TOFU_CQ_IDS	12
#define TOFU_CQ_STEP	(TOFU_CQ_IDS / TORUS_TOFU_GROUPS)
#define TOFU_PATHS	12
#define TOFU_GATE_IDS	48
#define TOFU_TNI_IDS	6	/* number of TNIs per node in the largest configuration */

/**
 * struct tofu_vcq - fields of a VCQ id
 * @coords: coordinates of the node
 * @tni: engine
 * @cq: hardware queue
 * @cmp: component id
 * @path: embedded path: a + 2 (b + 3 c) of its relay; TOFU_PATHS: none
 */
struct tofu_vcq {
	uint8_t coords[TOFU_COORDS];
	uint16_t tni;
	uint16_t cq;
	uint16_t cmp;
	uint16_t path;
};

uint64_t tofu_vcq_id(const struct tofu_vcq *vcq);
bool tofu_vcq_parse(uint64_t id, struct tofu_vcq *vcq);
bool tofu_vbg_parse(uint64_t id, uint8_t *coords, uint16_t *tni, uint16_t *gate);
bool tofu_path_parse(const uint8_t *path_coords, uint16_t *path);

#endif
