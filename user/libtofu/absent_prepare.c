// SPDX-License-Identifier: GPL-2.0
/* Operations that would be prepared: see absent.c. */
#include "absent.h"
#include "api.h"

int utofu_prepare_put(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
		      utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
		      void *desc, size_t *desc_size)
{
	return tofu_absent("prepare_put");
}

TOFU_PROFILE(prepare_put);

int utofu_prepare_put_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			  utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
			  uint64_t edata, unsigned long flags, size_t mtu, size_t gap,
			  void *desc, size_t *desc_size)
{
	return tofu_absent("prepare_put_gap");
}

TOFU_PROFILE(prepare_put_gap);

int utofu_prepare_put_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			     utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
			     size_t stride, size_t num_blocks, uint64_t edata, unsigned long flags,
			     void *desc, size_t *desc_size)
{
	return tofu_absent("prepare_put_stride");
}

TOFU_PROFILE(prepare_put_stride);

int utofu_prepare_put_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
				 utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
				 size_t stride, size_t num_blocks, uint64_t edata,
				 unsigned long flags, size_t mtu, size_t gap,
				 void *desc, size_t *desc_size)
{
	return tofu_absent("prepare_put_stride_gap");
}

TOFU_PROFILE(prepare_put_stride_gap);

int utofu_prepare_put_piggyback(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, void *lcl_data,
				utofu_stadd_t rmt_stadd, size_t length, uint64_t edata,
				unsigned long flags, void *desc, size_t *desc_size)
{
	return tofu_absent("prepare_put_piggyback");
}

TOFU_PROFILE(prepare_put_piggyback);

int utofu_prepare_put_piggyback8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
				 uint64_t lcl_data, utofu_stadd_t rmt_stadd, size_t length,
				 uint64_t edata, unsigned long flags,
				 void *desc, size_t *desc_size)
{
	return tofu_absent("prepare_put_piggyback8");
}

TOFU_PROFILE(prepare_put_piggyback8);

int utofu_prepare_get(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
		      utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
		      void *desc, size_t *desc_size)
{
	return tofu_absent("prepare_get");
}

TOFU_PROFILE(prepare_get);

int utofu_prepare_get_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			  utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
			  uint64_t edata, unsigned long flags, size_t mtu, size_t gap,
			  void *desc, size_t *desc_size)
{
	return tofu_absent("prepare_get_gap");
}

TOFU_PROFILE(prepare_get_gap);

int utofu_prepare_get_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			     utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
			     size_t stride, size_t num_blocks, uint64_t edata, unsigned long flags,
			     void *desc, size_t *desc_size)
{
	return tofu_absent("prepare_get_stride");
}

TOFU_PROFILE(prepare_get_stride);

int utofu_prepare_get_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
				 utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
				 size_t stride, size_t num_blocks, uint64_t edata,
				 unsigned long flags, size_t mtu, size_t gap,
				 void *desc, size_t *desc_size)
{
	return tofu_absent("prepare_get_stride_gap");
}

TOFU_PROFILE(prepare_get_stride_gap);

int utofu_prepare_armw4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			enum utofu_armw_op armw_op, uint32_t op_value, utofu_stadd_t rmt_stadd,
			uint64_t edata, unsigned long flags, void *desc, size_t *desc_size)
{
	return tofu_absent("prepare_armw4");
}

TOFU_PROFILE(prepare_armw4);

int utofu_prepare_armw8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			enum utofu_armw_op armw_op, uint64_t op_value, utofu_stadd_t rmt_stadd,
			uint64_t edata, unsigned long flags, void *desc, size_t *desc_size)
{
	return tofu_absent("prepare_armw8");
}

TOFU_PROFILE(prepare_armw8);

int utofu_prepare_cswap4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			 uint32_t old_value, uint32_t new_value, utofu_stadd_t rmt_stadd,
			 uint64_t edata, unsigned long flags, void *desc, size_t *desc_size)
{
	return tofu_absent("prepare_cswap4");
}

TOFU_PROFILE(prepare_cswap4);

int utofu_prepare_cswap8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			 uint64_t old_value, uint64_t new_value, utofu_stadd_t rmt_stadd,
			 uint64_t edata, unsigned long flags, void *desc, size_t *desc_size)
{
	return tofu_absent("prepare_cswap8");
}

TOFU_PROFILE(prepare_cswap8);

int utofu_prepare_nop(utofu_vcq_hdl_t vcq_hdl, unsigned long flags, void *desc, size_t *desc_size)
{
	return tofu_absent("prepare_nop");
}

TOFU_PROFILE(prepare_nop);
