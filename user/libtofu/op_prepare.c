// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of uTofu that prepare an operation, to be posted by utofu_post_toq().  See
 * op_args.h.
 */
#include "op_args.h"
#include "vcq.h"

int utofu_prepare_put(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
		      utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
		      void *desc, size_t *desc_size)
{
	return putofu_prepare_put_stride(vcq_hdl, rmt_vcq_id, lcl_stadd, rmt_stadd, length, 0, 1,
		edata, flags, desc, desc_size);
}

TOFU_PROFILE(prepare_put);

int utofu_prepare_put_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			  utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
			  uint64_t edata, unsigned long flags, size_t mtu, size_t gap,
			  void *desc, size_t *desc_size)
{
	int ret = tofu_bad_gap(mtu, gap);

	return ret ? ret : putofu_prepare_put(vcq_hdl, rmt_vcq_id, lcl_stadd, rmt_stadd, length,
		edata, flags, desc, desc_size);
}

TOFU_PROFILE(prepare_put_gap);

int utofu_prepare_put_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			     utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
			     size_t stride, size_t num_blocks, uint64_t edata, unsigned long flags,
			     void *desc, size_t *desc_size)
{
	struct tofu_operation op = {
		.op = TORUS_TOFU_PUT, .peer = rmt_vcq_id, .local = lcl_stadd, .remote = rmt_stadd,
		.stride = stride, .blocks = num_blocks,
	};

	return tofu_prepare(vcq_hdl, &op, length, edata, flags, desc, desc_size);
}

TOFU_PROFILE(prepare_put_stride);

int utofu_prepare_put_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
				 utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
				 size_t stride, size_t num_blocks, uint64_t edata,
				 unsigned long flags, size_t mtu, size_t gap,
				 void *desc, size_t *desc_size)
{
	int ret = tofu_bad_gap(mtu, gap);

	return ret ? ret : putofu_prepare_put_stride(vcq_hdl, rmt_vcq_id, lcl_stadd, rmt_stadd,
		length, stride, num_blocks, edata, flags, desc, desc_size);
}

TOFU_PROFILE(prepare_put_stride_gap);

int utofu_prepare_put_piggyback(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, void *lcl_data,
				utofu_stadd_t rmt_stadd, size_t length, uint64_t edata,
				unsigned long flags, void *desc, size_t *desc_size)
{
	struct tofu_operation op = {
		.op = TORUS_TOFU_PIGGYBACK, .peer = rmt_vcq_id, .remote = rmt_stadd,
	};
	int ret = tofu_piggyback(&op, lcl_data, length);

	return ret ? ret : tofu_prepare(vcq_hdl, &op, length, edata, flags, desc, desc_size);
}

TOFU_PROFILE(prepare_put_piggyback);

int utofu_prepare_put_piggyback8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
				 uint64_t lcl_data, utofu_stadd_t rmt_stadd, size_t length,
				 uint64_t edata, unsigned long flags,
				 void *desc, size_t *desc_size)
{
	if (length > sizeof(lcl_data))
		return tofu_bad_length(length, sizeof(lcl_data));
	return putofu_prepare_put_piggyback(vcq_hdl, rmt_vcq_id, &lcl_data, rmt_stadd, length,
		edata, flags, desc, desc_size);
}

TOFU_PROFILE(prepare_put_piggyback8);

int utofu_prepare_get(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
		      utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
		      void *desc, size_t *desc_size)
{
	return putofu_prepare_get_stride(vcq_hdl, rmt_vcq_id, lcl_stadd, rmt_stadd, length, 0, 1,
		edata, flags, desc, desc_size);
}

TOFU_PROFILE(prepare_get);

int utofu_prepare_get_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			  utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
			  uint64_t edata, unsigned long flags, size_t mtu, size_t gap,
			  void *desc, size_t *desc_size)
{
	int ret = tofu_bad_gap(mtu, gap);

	return ret ? ret : putofu_prepare_get(vcq_hdl, rmt_vcq_id, lcl_stadd, rmt_stadd, length,
		edata, flags, desc, desc_size);
}

TOFU_PROFILE(prepare_get_gap);

int utofu_prepare_get_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			     utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
			     size_t stride, size_t num_blocks, uint64_t edata, unsigned long flags,
			     void *desc, size_t *desc_size)
{
	struct tofu_operation op = {
		.op = TORUS_TOFU_GET, .peer = rmt_vcq_id, .local = lcl_stadd, .remote = rmt_stadd,
		.stride = stride, .blocks = num_blocks,
	};

	return tofu_prepare(vcq_hdl, &op, length, edata, flags, desc, desc_size);
}

TOFU_PROFILE(prepare_get_stride);

int utofu_prepare_get_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
				 utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
				 size_t stride, size_t num_blocks, uint64_t edata,
				 unsigned long flags, size_t mtu, size_t gap,
				 void *desc, size_t *desc_size)
{
	int ret = tofu_bad_gap(mtu, gap);

	return ret ? ret : putofu_prepare_get_stride(vcq_hdl, rmt_vcq_id, lcl_stadd, rmt_stadd,
		length, stride, num_blocks, edata, flags, desc, desc_size);
}

TOFU_PROFILE(prepare_get_stride_gap);

int utofu_prepare_armw4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			enum utofu_armw_op armw_op, uint32_t op_value, utofu_stadd_t rmt_stadd,
			uint64_t edata, unsigned long flags, void *desc, size_t *desc_size)
{
	struct tofu_operation op = tofu_atomic(rmt_vcq_id, rmt_stadd, 4, armw_op, op_value, 0);
	int ret = tofu_bad_armw(armw_op);

	return ret ? ret : tofu_prepare(vcq_hdl, &op, 0, edata, flags, desc, desc_size);
}

TOFU_PROFILE(prepare_armw4);

int utofu_prepare_armw8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			enum utofu_armw_op armw_op, uint64_t op_value, utofu_stadd_t rmt_stadd,
			uint64_t edata, unsigned long flags, void *desc, size_t *desc_size)
{
	struct tofu_operation op = tofu_atomic(rmt_vcq_id, rmt_stadd, 8, armw_op, op_value, 0);
	int ret = tofu_bad_armw(armw_op);

	return ret ? ret : tofu_prepare(vcq_hdl, &op, 0, edata, flags, desc, desc_size);
}

TOFU_PROFILE(prepare_armw8);

int utofu_prepare_cswap4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			 uint32_t old_value, uint32_t new_value, utofu_stadd_t rmt_stadd,
			 uint64_t edata, unsigned long flags, void *desc, size_t *desc_size)
{
	struct tofu_operation op = tofu_atomic(rmt_vcq_id, rmt_stadd, 4, TORUS_ATOMIC_CSWAP,
		new_value, old_value);

	return tofu_prepare(vcq_hdl, &op, 0, edata, flags, desc, desc_size);
}

TOFU_PROFILE(prepare_cswap4);

int utofu_prepare_cswap8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			 uint64_t old_value, uint64_t new_value, utofu_stadd_t rmt_stadd,
			 uint64_t edata, unsigned long flags, void *desc, size_t *desc_size)
{
	struct tofu_operation op = tofu_atomic(rmt_vcq_id, rmt_stadd, 8, TORUS_ATOMIC_CSWAP,
		new_value, old_value);

	return tofu_prepare(vcq_hdl, &op, 0, edata, flags, desc, desc_size);
}

TOFU_PROFILE(prepare_cswap8);

int utofu_prepare_nop(utofu_vcq_hdl_t vcq_hdl, unsigned long flags, void *desc, size_t *desc_size)
{
	struct tofu_operation op = { .op = TORUS_TOFU_NOP };

	return tofu_prepare(vcq_hdl, &op, 0, 0, flags, desc, desc_size);
}

TOFU_PROFILE(prepare_nop);
