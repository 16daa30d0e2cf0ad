/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ids of queues and gates, which are the same numbers everywhere.
 *
 * A VCQ id: 63-61 TNI, 60 one, 59 c, 58-57 b, 56 a, 55-48 z, 47-40 y, 39-32 x, 31 one: a path is
 * embedded, its 30 c, 29-28 b, 27 a; 15-8 hardware queue, 7-0 component id; all others 0.
 *
 * A VBG id: 63-61 TNI, 60 zero, 59 to 32 as above, 5-0 gate; all others 0.  Programs build it by
 * hand.
 */
#ifndef TOFU_ID_H
#define TOFU_ID_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/torus.h>

#define TOFU_COORDS	6
#define TOFU_CMP_IDS	8
#define TOFU_CQ_IDS	12	/* hardware queues of a TNI, as many for each FIFO group */
#define TOFU_CQ_STEP	(TOFU_CQ_IDS / TORUS_TOFU_GROUPS)
#define TOFU_PATHS	12
#define TOFU_GATE_IDS	48
#define TOFU_TNI_IDS	6	/* of the most that a fabric has */

/**
 * struct tofu_vcq - what a VCQ id says
 * @coords: of its node
 * @tni: engine
 * @cq: hardware queue
 * @cmp: component id
 * @path: path embedded in it: a + 2 (b + 3 c) of its relay; TOFU_PATHS: none
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
