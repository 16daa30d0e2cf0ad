// SPDX-License-Identifier: GPL-2.0
/*
 * Fields of Blue Gene/L's device control registers. Bits are numbered as in its manuals: b0 is the
 * most significant bit. kmod/arch/bgl/registers.c has the registers themselves.
 */
#include <stddef.h>
#include "machine.h"

#define FIELD(reg_, name_, first_, width_) \
	{ .reg = reg_, .name = name_, .first = first_, .width = width_ }

/* One bit per direction, starting at bit @first. */
#define SIX(reg_, name_, first_)		\
	FIELD(reg_, name_ "x+", (first_) + 0, 1),	\
	FIELD(reg_, name_ "x-", (first_) + 1, 1),	\
	FIELD(reg_, name_ "y+", (first_) + 2, 1),	\
	FIELD(reg_, name_ "y-", (first_) + 3, 1),	\
	FIELD(reg_, name_ "z+", (first_) + 4, 1),	\
	FIELD(reg_, name_ "z-", (first_) + 5, 1)

#define XYZ(reg_)				\
	FIELD(reg_, "x", 8, 8), FIELD(reg_, "y", 16, 8), FIELD(reg_, "z", 24, 8)

#define HALVES(reg_)				\
	FIELD(reg_, "plus", 0, 16), FIELD(reg_, "minus", 16, 16)

#define WATERMARKS(reg_)			\
	FIELD(reg_, "reception", 0, 5), FIELD(reg_, "priority_reception", 5, 5), \
	FIELD(reg_, "i0", 10, 5), FIELD(reg_, "i1", 15, 5), FIELD(reg_, "i2", 20, 5), \
	FIELD(reg_, "priority_injection", 25, 5)

#define VCS(reg_)				\
	FIELD(reg_, "d0", 0, 8), FIELD(reg_, "d1", 8, 8), FIELD(reg_, "bn", 16, 8), \
	FIELD(reg_, "bp", 24, 8)

#define VCS_SIX(reg_)				\
	VCS(reg_ "_xp"), VCS(reg_ "_xm"), VCS(reg_ "_yp"), VCS(reg_ "_ym"), VCS(reg_ "_zp"), \
	VCS(reg_ "_zm")

#define POINTERS(reg_)				\
	FIELD(reg_, "plus_begin", 0, 8), FIELD(reg_, "plus_end", 8, 8), \
	FIELD(reg_, "minus_begin", 16, 8), FIELD(reg_, "minus_end", 24, 8)

#define MEMORY(reg_)				\
	FIELD(reg_, "parity_bp", 22, 1), FIELD(reg_, "parity_bn", 23, 1), \
	FIELD(reg_, "parity_d1", 24, 1), FIELD(reg_, "parity_d0", 25, 1), \
	FIELD(reg_, "ecc_bp", 26, 1), FIELD(reg_, "ecc_bn", 27, 1), \
	FIELD(reg_, "ecc_d1", 28, 1), FIELD(reg_, "ecc_d0", 29, 1)

#define MEMORY_SIX(reg_)			\
	MEMORY(reg_ "_xp"), MEMORY(reg_ "_xm"), MEMORY(reg_ "_yp"), MEMORY(reg_ "_ym"), \
	MEMORY(reg_ "_zp"), MEMORY(reg_ "_zm")

#define CHECKS(reg_, dir_, first_)		\
	FIELD(reg_, "hints_" dir_, (first_) + 0, 1), \
	FIELD(reg_, "neighbor_" dir_, (first_) + 1, 1), FIELD(reg_, "vc_" dir_, (first_) + 2, 1), \
	FIELD(reg_, "destination_" dir_, (first_) + 3, 1), \
	FIELD(reg_, "deposit_" dir_, (first_) + 4, 1)

#define HEADER(reg_)				\
	CHECKS(reg_, "x+", 0), CHECKS(reg_, "x-", 5), CHECKS(reg_, "y+", 10), \
	CHECKS(reg_, "y-", 15), CHECKS(reg_, "z+", 20), CHECKS(reg_, "z-", 25)

#define ACCESS(reg_)				\
	FIELD(reg_, "read_0", 4, 1), FIELD(reg_, "read_1", 5, 1), FIELD(reg_, "write", 6, 1)

const struct torus_machine_field torus_machine_bgl_fields[] = {
	FIELD("reset", "registers", 0, 1), FIELD("reset", "random", 1, 1),
	FIELD("reset", "injection", 2, 1), FIELD("reset", "reception", 3, 1),
	SIX("reset", "send_", 4),
	FIELD("reset", "sram_0", 10, 1), FIELD("reset", "sram_1", 11, 1),
	SIX("reset", "receive_", 12),
	XYZ("maximum_coordinate"), XYZ("node_coordinate"), XYZ("plus_neighbor"),
	XYZ("minus_neighbor"), XYZ("cutoff_plus"), XYZ("cutoff_minus"),
	FIELD("bypass_thresholds", "d0", 1, 7), FIELD("bypass_thresholds", "d1", 9, 7),
	FIELD("bypass_thresholds", "bn", 17, 7), FIELD("bypass_thresholds", "bp", 25, 7),
	HALVES("timeout_x"), HALVES("timeout_y"), HALVES("timeout_z"),
	SIX("arbitration", "disable_", 0),
	FIELD("arbitration", "full", 6, 8), FIELD("arbitration", "rand", 14, 8),
	FIELD("arbitration", "hpinj", 22, 5),
	FIELD("clock_ratio", "ratio", 0, 3),
	WATERMARKS("watermarks_0"), WATERMARKS("watermarks_1"),
	FIELD("link_control", "loopback", 0, 1),
	SIX("link_control", "stop_receive_", 1), SIX("link_control", "stop_retransmit_", 7),
	SIX("clear", "receiver_crc_", 0), SIX("clear", "sender_crc_", 12),
	FIELD("clear", "checksum_n0", 20, 1), FIELD("clear", "checksum_n1", 21, 1),
	FIELD("clear", "checksum_n2", 22, 1), FIELD("clear", "checksum_n3", 23, 1),
	FIELD("clear", "checksum_n4", 24, 1), FIELD("clear", "checksum_n5", 25, 1),
	FIELD("clear", "checksum_p0", 26, 1), FIELD("clear", "checksum_p1", 27, 1),
	MEMORY_SIX("nre_mask_receiver"), HEADER("nre_mask_header"), ACCESS("nre_mask_access"),
	FIELD("error_mask", "nre", 0, 1),
	SIX("error_mask", "input_errors_", 1),
	FIELD("error_mask", "ecc_resend", 7, 1), FIELD("error_mask", "ecc_receiver", 8, 1),
	SIX("error_mask", "retries_", 9),
	FIELD("error_mask", "random_parity", 15, 1), FIELD("error_mask", "ecc_inject", 16, 1),
	FIELD("error_mask", "ecc_receive", 17, 1), FIELD("error_mask", "bad_header", 18, 1),
	FIELD("error_mask", "vc_overflow", 19, 1),
	VCS_SIX("fullness"), VCS_SIX("tokens"),
	POINTERS("resend_x"), POINTERS("resend_y"), POINTERS("resend_z"),
	MEMORY_SIX("nre_receiver"), HEADER("nre_header"), ACCESS("nre_access"),
	{ .reg = NULL },
};
