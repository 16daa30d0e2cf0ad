// SPDX-License-Identifier: GPL-2.0
/* One-sided communication, which is not offered: caps are zero, and all of it answers so. */
#include "absent.h"
#include "api.h"

/**
 * tofu_absent - a function that is not offered was called
 * @name: its name
 *
 * Return: UTOFU_ERR_NOT_SUPPORTED.
 */
int tofu_absent(const char *name)
{
	return tofu_error(UTOFU_ERR_NOT_SUPPORTED, "utofu_%s: one-sided communication is not "
			  "offered", name);
}

int utofu_put(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
	      utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
	      void *cbdata)
{
	return tofu_absent("put");
}

TOFU_PROFILE(put);

int utofu_put_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
		  utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
		  size_t mtu, size_t gap, void *cbdata)
{
	return tofu_absent("put_gap");
}

TOFU_PROFILE(put_gap);

int utofu_put_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
		     utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks,
		     uint64_t edata, unsigned long flags, void *cbdata)
{
	return tofu_absent("put_stride");
}

TOFU_PROFILE(put_stride);

int utofu_put_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			 utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
			 size_t stride, size_t num_blocks, uint64_t edata, unsigned long flags,
			 size_t mtu, size_t gap, void *cbdata)
{
	return tofu_absent("put_stride_gap");
}

TOFU_PROFILE(put_stride_gap);

int utofu_put_piggyback(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, void *lcl_data,
			utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
			void *cbdata)
{
	return tofu_absent("put_piggyback");
}

TOFU_PROFILE(put_piggyback);

int utofu_put_piggyback8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint64_t lcl_data,
			 utofu_stadd_t rmt_stadd, size_t length, uint64_t edata,
			 unsigned long flags, void *cbdata)
{
	return tofu_absent("put_piggyback8");
}

TOFU_PROFILE(put_piggyback8);

int utofu_get(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
	      utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
	      void *cbdata)
{
	return tofu_absent("get");
}

TOFU_PROFILE(get);

int utofu_get_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
		  utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
		  size_t mtu, size_t gap, void *cbdata)
{
	return tofu_absent("get_gap");
}

TOFU_PROFILE(get_gap);

int utofu_get_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
		     utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks,
		     uint64_t edata, unsigned long flags, void *cbdata)
{
	return tofu_absent("get_stride");
}

TOFU_PROFILE(get_stride);

int utofu_get_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			 utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
			 size_t stride, size_t num_blocks, uint64_t edata, unsigned long flags,
			 size_t mtu, size_t gap, void *cbdata)
{
	return tofu_absent("get_stride_gap");
}

TOFU_PROFILE(get_stride_gap);

int utofu_armw4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, enum utofu_armw_op armw_op,
		uint32_t op_value, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long flags,
		void *cbdata)
{
	return tofu_absent("armw4");
}

TOFU_PROFILE(armw4);

int utofu_armw8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, enum utofu_armw_op armw_op,
		uint64_t op_value, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long flags,
		void *cbdata)
{
	return tofu_absent("armw8");
}

TOFU_PROFILE(armw8);

int utofu_cswap4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
		 uint32_t old_value, uint32_t new_value, utofu_stadd_t rmt_stadd, uint64_t edata,
		 unsigned long flags, void *cbdata)
{
	return tofu_absent("cswap4");
}

TOFU_PROFILE(cswap4);

int utofu_cswap8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
		 uint64_t old_value, uint64_t new_value, utofu_stadd_t rmt_stadd, uint64_t edata,
		 unsigned long flags, void *cbdata)
{
	return tofu_absent("cswap8");
}

TOFU_PROFILE(cswap8);

int utofu_nop(utofu_vcq_hdl_t vcq_hdl, unsigned long flags, void *cbdata)
{
	return tofu_absent("nop");
}

TOFU_PROFILE(nop);

int utofu_post_toq(utofu_vcq_hdl_t vcq_hdl, void *desc, size_t desc_size, void *cbdata)
{
	return tofu_absent("post_toq");
}

TOFU_PROFILE(post_toq);

int utofu_poll_tcq(utofu_vcq_hdl_t vcq_hdl, unsigned long flags, void **cbdata)
{
	return tofu_absent("poll_tcq");
}

TOFU_PROFILE(poll_tcq);

int utofu_poll_mrq(utofu_vcq_hdl_t vcq_hdl, unsigned long flags, struct utofu_mrq_notice *notice)
{
	return tofu_absent("poll_mrq");
}

TOFU_PROFILE(poll_mrq);

int utofu_query_num_unread_tcq(utofu_vcq_hdl_t vcq_hdl, size_t *count)
{
	return tofu_absent("query_num_unread_tcq");
}

TOFU_PROFILE(query_num_unread_tcq);

int utofu_query_num_unread_mrq(utofu_vcq_hdl_t vcq_hdl, size_t *count)
{
	return tofu_absent("query_num_unread_mrq");
}

TOFU_PROFILE(query_num_unread_mrq);

int utofu_create_vcq(utofu_tni_id_t tni_id, unsigned long flags, utofu_vcq_hdl_t *vcq_hdl)
{
	return tofu_absent("create_vcq");
}

TOFU_PROFILE(create_vcq);

int utofu_create_vcq_with_cmp_id(utofu_tni_id_t tni_id, utofu_cmp_id_t cmp_id, unsigned long flags,
				 utofu_vcq_hdl_t *vcq_hdl)
{
	return tofu_absent("create_vcq_with_cmp_id");
}

TOFU_PROFILE(create_vcq_with_cmp_id);

int utofu_free_vcq(utofu_vcq_hdl_t vcq_hdl)
{
	return tofu_absent("free_vcq");
}

TOFU_PROFILE(free_vcq);

int utofu_query_vcq_id(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t *vcq_id)
{
	return tofu_absent("query_vcq_id");
}

TOFU_PROFILE(query_vcq_id);

int utofu_reg_mem(utofu_vcq_hdl_t vcq_hdl, void *addr, size_t size, unsigned long flags,
		  utofu_stadd_t *stadd)
{
	return tofu_absent("reg_mem");
}

TOFU_PROFILE(reg_mem);

int utofu_reg_mem_with_stag(utofu_vcq_hdl_t vcq_hdl, void *addr, size_t size, unsigned int stag,
			    unsigned long flags, utofu_stadd_t *stadd)
{
	return tofu_absent("reg_mem_with_stag");
}

TOFU_PROFILE(reg_mem_with_stag);

int utofu_query_stadd(utofu_vcq_id_t vcq_id, unsigned int stag, utofu_stadd_t *stadd)
{
	return tofu_absent("query_stadd");
}

TOFU_PROFILE(query_stadd);

int utofu_dereg_mem(utofu_vcq_hdl_t vcq_hdl, utofu_stadd_t stadd, unsigned long flags)
{
	return tofu_absent("dereg_mem");
}

TOFU_PROFILE(dereg_mem);
