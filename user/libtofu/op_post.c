// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of uTofu that post an operation: each fills in its fields and posts it.  See
 * op_args.h.
 */
#include "op_args.h"
#include "vcq.h"

int utofu_put(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
	      utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
	      void *cbdata)
{
	return putofu_put_stride(vcq_hdl, rmt_vcq_id, lcl_stadd, rmt_stadd, length, 0, 1, edata,
		flags, cbdata);
}

TOFU_PROFILE(put);

int utofu_put_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
		  utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
		  size_t mtu, size_t gap, void *cbdata)
{
	int ret = tofu_bad_gap(mtu, gap);

	return ret ? ret : putofu_put(vcq_hdl, rmt_vcq_id, lcl_stadd, rmt_stadd, length, edata,
		flags, cbdata);
}

TOFU_PROFILE(put_gap);

int utofu_put_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
		     utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks,
		     uint64_t edata, unsigned long flags, void *cbdata)
{
	struct tofu_operation op = {
		.op = TORUS_TOFU_PUT, .peer = rmt_vcq_id, .local = lcl_stadd, .remote = rmt_stadd,
		.stride = stride, .blocks = num_blocks,
	};

	return tofu_post(vcq_hdl, &op, length, edata, flags, cbdata);
}

TOFU_PROFILE(put_stride);

int utofu_put_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			 utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
			 size_t stride, size_t num_blocks, uint64_t edata, unsigned long flags,
			 size_t mtu, size_t gap, void *cbdata)
{
	int ret = tofu_bad_gap(mtu, gap);

	return ret ? ret : putofu_put_stride(vcq_hdl, rmt_vcq_id, lcl_stadd, rmt_stadd,
		length, stride, num_blocks, edata, flags, cbdata);
}

TOFU_PROFILE(put_stride_gap);

int utofu_put_piggyback(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, void *lcl_data,
			utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
			void *cbdata)
{
	struct tofu_operation op = {
		.op = TORUS_TOFU_PIGGYBACK, .peer = rmt_vcq_id, .remote = rmt_stadd,
	};
	int ret = tofu_piggyback(&op, lcl_data, length);

	return ret ? ret : tofu_post(vcq_hdl, &op, length, edata, flags, cbdata);
}

TOFU_PROFILE(put_piggyback);

int utofu_put_piggyback8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint64_t lcl_data,
			 utofu_stadd_t rmt_stadd, size_t length, uint64_t edata,
			 unsigned long flags, void *cbdata)
{
	if (length > sizeof(lcl_data))
		return tofu_bad_length(length, sizeof(lcl_data));
	return putofu_put_piggyback(vcq_hdl, rmt_vcq_id, &lcl_data, rmt_stadd, length, edata,
		flags, cbdata);
}

TOFU_PROFILE(put_piggyback8);

int utofu_get(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
	      utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
	      void *cbdata)
{
	return putofu_get_stride(vcq_hdl, rmt_vcq_id, lcl_stadd, rmt_stadd, length, 0, 1, edata,
		flags, cbdata);
}

TOFU_PROFILE(get);

int utofu_get_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
		  utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
		  size_t mtu, size_t gap, void *cbdata)
{
	int ret = tofu_bad_gap(mtu, gap);

	return ret ? ret : putofu_get(vcq_hdl, rmt_vcq_id, lcl_stadd, rmt_stadd, length, edata,
		flags, cbdata);
}

TOFU_PROFILE(get_gap);

int utofu_get_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
		     utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks,
		     uint64_t edata, unsigned long flags, void *cbdata)
{
	struct tofu_operation op = {
		.op = TORUS_TOFU_GET, .peer = rmt_vcq_id, .local = lcl_stadd, .remote = rmt_stadd,
		.stride = stride, .blocks = num_blocks,
	};

	return tofu_post(vcq_hdl, &op, length, edata, flags, cbdata);
}

TOFU_PROFILE(get_stride);

int utofu_get_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			 utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
			 size_t stride, size_t num_blocks, uint64_t edata, unsigned long flags,
			 size_t mtu, size_t gap, void *cbdata)
{
	int ret = tofu_bad_gap(mtu, gap);

	return ret ? ret : putofu_get_stride(vcq_hdl, rmt_vcq_id, lcl_stadd, rmt_stadd,
		length, stride, num_blocks, edata, flags, cbdata);
}

TOFU_PROFILE(get_stride_gap);

int utofu_armw4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, enum utofu_armw_op armw_op,
		uint32_t op_value, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long flags,
		void *cbdata)
{
	struct tofu_operation op = tofu_atomic(rmt_vcq_id, rmt_stadd, 4, armw_op, op_value, 0);
	int ret = tofu_bad_armw(armw_op);

	return ret ? ret : tofu_post(vcq_hdl, &op, 0, edata, flags, cbdata);
}

TOFU_PROFILE(armw4);

int utofu_armw8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, enum utofu_armw_op armw_op,
		uint64_t op_value, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long flags,
		void *cbdata)
{
	struct tofu_operation op = tofu_atomic(rmt_vcq_id, rmt_stadd, 8, armw_op, op_value, 0);
	int ret = tofu_bad_armw(armw_op);

	return ret ? ret : tofu_post(vcq_hdl, &op, 0, edata, flags, cbdata);
}

TOFU_PROFILE(armw8);

int utofu_cswap4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
		 uint32_t old_value, uint32_t new_value, utofu_stadd_t rmt_stadd, uint64_t edata,
		 unsigned long flags, void *cbdata)
{
	struct tofu_operation op = tofu_atomic(rmt_vcq_id, rmt_stadd, 4, TORUS_ATOMIC_CSWAP,
		new_value, old_value);

	return tofu_post(vcq_hdl, &op, 0, edata, flags, cbdata);
}

TOFU_PROFILE(cswap4);

int utofu_cswap8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
		 uint64_t old_value, uint64_t new_value, utofu_stadd_t rmt_stadd, uint64_t edata,
		 unsigned long flags, void *cbdata)
{
	struct tofu_operation op = tofu_atomic(rmt_vcq_id, rmt_stadd, 8, TORUS_ATOMIC_CSWAP,
		new_value, old_value);

	return tofu_post(vcq_hdl, &op, 0, edata, flags, cbdata);
}

TOFU_PROFILE(cswap8);

int utofu_nop(utofu_vcq_hdl_t vcq_hdl, unsigned long flags, void *cbdata)
{
	struct tofu_operation op = { .op = TORUS_TOFU_NOP };

	return tofu_post(vcq_hdl, &op, 0, 0, flags, cbdata);
}

TOFU_PROFILE(nop);
