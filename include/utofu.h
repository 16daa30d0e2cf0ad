/* SPDX-License-Identifier: GPL-2.0 */
/*
 * uTofu: one-sided communication and barriers on Tofu's engines, by the public interface 1.0.
 * Link programs with -ltofucom.
 *
 * Functions return UTOFU_SUCCESS or one of enum utofu_return_code.  After an error,
 * utofu_get_last_error(buffer of 1024 bytes) returns the reason as text, for the last call of the
 * thread; programs that use it must declare it.  A feature that is missing returns
 * UTOFU_ERR_NOT_SUPPORTED: utofu_query_onesided_caps() and utofu_query_barrier_caps() list the
 * features.
 */
#ifndef UTOFU_H
#define UTOFU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define UTOFU_VERSION_MAJOR	1
#define UTOFU_VERSION_MINOR	0

typedef uint16_t utofu_tni_id_t;	/* number of an engine of a node */
typedef uint16_t utofu_cq_id_t;		/* number of a hardware queue of an engine */
typedef uint16_t utofu_bg_id_t;		/* number of a barrier gate of an engine */
typedef uint16_t utofu_cmp_id_t;	/* number of a VCQ on its hardware queue */
typedef uint8_t utofu_path_id_t;
typedef uintptr_t utofu_vcq_hdl_t;	/* handle of a VCQ of this process */
typedef uint64_t utofu_vcq_id_t;	/* id of a VCQ on any node */
typedef uint64_t utofu_vbg_id_t;	/* id of a barrier gate on any node */
typedef uint64_t utofu_stadd_t;		/* address in registered memory */

#define UTOFU_VBG_ID_NULL	((utofu_vbg_id_t)-1)	/* no gate */
#define UTOFU_PATH_COORD_NULL	((uint8_t)-1)		/* the default path */

/* Return codes of functions. */
enum utofu_return_code {
	UTOFU_SUCCESS = 0,
	UTOFU_ERR_NOT_FOUND = -1,
	UTOFU_ERR_NOT_COMPLETED = -2,
	UTOFU_ERR_NOT_PROCESSED = -3,
	UTOFU_ERR_BUSY = -4,
	UTOFU_ERR_USED = -5,
	UTOFU_ERR_FULL = -6,
	UTOFU_ERR_NOT_AVAILABLE = -7,
	UTOFU_ERR_NOT_SUPPORTED = -8,
	UTOFU_ERR_TCQ_OTHER = -128,
	UTOFU_ERR_TCQ_DESC = -129,
	UTOFU_ERR_TCQ_MEMORY = -130,
	UTOFU_ERR_TCQ_STADD = -131,
	UTOFU_ERR_TCQ_LENGTH = -132,
	UTOFU_ERR_MRQ_OTHER = -192,
	UTOFU_ERR_MRQ_PEER = -193,
	UTOFU_ERR_MRQ_LCL_MEMORY = -194,
	UTOFU_ERR_MRQ_RMT_MEMORY = -195,
	UTOFU_ERR_MRQ_LCL_STADD = -196,
	UTOFU_ERR_MRQ_RMT_STADD = -197,
	UTOFU_ERR_MRQ_LCL_LENGTH = -198,
	UTOFU_ERR_MRQ_RMT_LENGTH = -199,
	UTOFU_ERR_BARRIER_OTHER = -256,
	UTOFU_ERR_BARRIER_MISMATCH = -257,
	UTOFU_ERR_INVALID_ARG = -512,
	UTOFU_ERR_INVALID_POINTER = -513,
	UTOFU_ERR_INVALID_FLAGS = -514,
	UTOFU_ERR_INVALID_COORDS = -515,
	UTOFU_ERR_INVALID_PATH = -516,
	UTOFU_ERR_INVALID_TNI_ID = -517,
	UTOFU_ERR_INVALID_CQ_ID = -518,
	UTOFU_ERR_INVALID_BG_ID = -519,
	UTOFU_ERR_INVALID_CMP_ID = -520,
	UTOFU_ERR_INVALID_VCQ_HDL = -521,
	UTOFU_ERR_INVALID_VCQ_ID = -522,
	UTOFU_ERR_INVALID_VBG_ID = -523,
	UTOFU_ERR_INVALID_PATH_ID = -524,
	UTOFU_ERR_INVALID_STADD = -525,
	UTOFU_ERR_INVALID_ADDRESS = -526,
	UTOFU_ERR_INVALID_SIZE = -527,
	UTOFU_ERR_INVALID_STAG = -528,
	UTOFU_ERR_INVALID_EDATA = -529,
	UTOFU_ERR_INVALID_NUMBER = -530,
	UTOFU_ERR_INVALID_OP = -531,
	UTOFU_ERR_INVALID_DESC = -532,
	UTOFU_ERR_INVALID_DATA = -533,
	UTOFU_ERR_OUT_OF_RESOURCE = -640,
	UTOFU_ERR_OUT_OF_MEMORY = -641,
	UTOFU_ERR_FATAL = -768,
};

/* Atomic operations on remote memory. */
enum utofu_armw_op {
	UTOFU_ARMW_OP_SWAP = 1,
	UTOFU_ARMW_OP_ADD = 2,
	UTOFU_ARMW_OP_XOR = 3,
	UTOFU_ARMW_OP_AND = 4,
	UTOFU_ARMW_OP_OR = 5,
};

/* Operations of barrier gates on the data. */
enum utofu_reduce_op {
	UTOFU_REDUCE_OP_BARRIER = 1,
	UTOFU_REDUCE_OP_BAND = 2,
	UTOFU_REDUCE_OP_BOR = 3,
	UTOFU_REDUCE_OP_BXOR = 4,
	UTOFU_REDUCE_OP_MAX = 5,
	UTOFU_REDUCE_OP_MAXLOC = 6,
	UTOFU_REDUCE_OP_SUM = 7,
	UTOFU_REDUCE_OP_BFPSUM = 8,
};

/* Types of notices: LCL_* for the process that posted the operation, RMT_* for its target. */
enum utofu_mrq_notice_type {
	UTOFU_MRQ_TYPE_LCL_PUT = 0,
	UTOFU_MRQ_TYPE_RMT_PUT = 1,
	UTOFU_MRQ_TYPE_LCL_GET = 2,
	UTOFU_MRQ_TYPE_RMT_GET = 3,
	UTOFU_MRQ_TYPE_LCL_ARMW = 4,
	UTOFU_MRQ_TYPE_RMT_ARMW = 5,
};

/* struct utofu_onesided_caps.flags */
#define UTOFU_ONESIDED_CAP_FLAG_SESSION_MODE	(1UL << 0)
#define UTOFU_ONESIDED_CAP_FLAG_ARMW	(1UL << 1)

/* struct utofu_onesided_caps.armw_ops */
#define UTOFU_ONESIDED_CAP_ARMW_OP_CSWAP	(1UL << 0)
#define UTOFU_ONESIDED_CAP_ARMW_OP_SWAP	(1UL << 1)
#define UTOFU_ONESIDED_CAP_ARMW_OP_ADD	(1UL << 2)
#define UTOFU_ONESIDED_CAP_ARMW_OP_XOR	(1UL << 3)
#define UTOFU_ONESIDED_CAP_ARMW_OP_AND	(1UL << 4)
#define UTOFU_ONESIDED_CAP_ARMW_OP_OR	(1UL << 5)

/* struct utofu_barrier_caps.reduce_ops */
#define UTOFU_BARRIER_CAP_REDUCE_OP_BARRIER	(1UL << 1)
#define UTOFU_BARRIER_CAP_REDUCE_OP_BAND	(1UL << 2)
#define UTOFU_BARRIER_CAP_REDUCE_OP_BOR	(1UL << 3)
#define UTOFU_BARRIER_CAP_REDUCE_OP_BXOR	(1UL << 4)
#define UTOFU_BARRIER_CAP_REDUCE_OP_MAX	(1UL << 5)
#define UTOFU_BARRIER_CAP_REDUCE_OP_MAXLOC	(1UL << 6)
#define UTOFU_BARRIER_CAP_REDUCE_OP_SUM	(1UL << 7)
#define UTOFU_BARRIER_CAP_REDUCE_OP_BFPSUM	(1UL << 8)

/* Flags of create_vcq */
#define UTOFU_VCQ_FLAG_THREAD_SAFE	(1UL << 0)
#define UTOFU_VCQ_FLAG_EXCLUSIVE	(1UL << 1)
#define UTOFU_VCQ_FLAG_SESSION_MODE	(1UL << 2)

/* Flags of utofu_alloc_vbg() and of utofu_reg_mem() */
#define UTOFU_VBG_FLAG_THREAD_SAFE	(1UL << 0)
#define UTOFU_REG_MEM_FLAG_READ_ONLY	(1UL << 0)

/* Flags of operations */
#define UTOFU_ONESIDED_FLAG_STRONG_ORDER	(1UL << 0)
#define UTOFU_ONESIDED_FLAG_PACKET_RESPONSE	(1UL << 1)
#define UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE	(1UL << 2)
#define UTOFU_ONESIDED_FLAG_PADDING	(1UL << 3)
#define UTOFU_ONESIDED_FLAG_CACHE_INJECTION	(1UL << 5)
#define UTOFU_ONESIDED_FLAG_DELAY_START	(1UL << 8)
#define UTOFU_ONESIDED_FLAG_TCQ_NOTICE	(1UL << 14)
#define UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE	(1UL << 15)
#define UTOFU_ONESIDED_FLAG_SPS(sps)	((unsigned long)(sps) << 24)
#define UTOFU_ONESIDED_FLAG_PATH(path_id)	((unsigned long)(path_id) << 28)

/**
 * struct utofu_onesided_caps - capabilities of an engine's one-sided communication
 * @flags: UTOFU_ONESIDED_CAP_FLAG_*
 * @armw_ops: UTOFU_ONESIDED_CAP_ARMW_OP_*
 * @num_cmp_ids: number of component ids of a hardware queue
 * @num_reserved_stags: number of stags that reg_mem_with_stag() accepts
 * @cache_line_size: in bytes
 * @stag_address_alignment: required alignment, in bytes, of an address registered with a stag
 * @max_toq_desc_size: maximum bytes of a prepared operation
 * @max_putget_size: maximum bytes of a put or get; 0: not supported
 * @max_piggyback_size: maximum bytes of a piggyback
 * @max_edata_size: maximum bytes of an operation's edata
 * @max_mtu: maximum bytes of a packet of an operation
 * @max_gap: maximum gap between packets
 */
struct utofu_onesided_caps {
	unsigned long flags;
	unsigned long armw_ops;
	unsigned int num_cmp_ids;
	unsigned int num_reserved_stags;
	size_t cache_line_size;
	size_t stag_address_alignment;
	size_t max_toq_desc_size;
	size_t max_putget_size;
	size_t max_piggyback_size;
	size_t max_edata_size;
	size_t max_mtu;
	size_t max_gap;
};

/**
 * struct utofu_barrier_caps - capabilities of an engine's barrier gates
 * @flags: zero
 * @reduce_ops: UTOFU_BARRIER_CAP_REDUCE_OP_*
 * @max_uint64_reduction: maximum number of integers in a reduction
 * @max_double_reduction: maximum number of doubles in a reduction
 */
struct utofu_barrier_caps {
	unsigned long flags;
	unsigned long reduce_ops;
	size_t max_uint64_reduction;
	size_t max_double_reduction;
};

/**
 * struct utofu_vbg_setting - sources and destinations of a barrier gate
 * @vbg_id: id of the gate
 * @src_lcl_vbg_id: gate of the same engine whose signal this gate waits for, or UTOFU_VBG_ID_NULL
 * @src_rmt_vbg_id: gate whose packet this gate waits for, or UTOFU_VBG_ID_NULL
 * @dst_lcl_vbg_id: gate of the same engine that this gate signals, or UTOFU_VBG_ID_NULL
 * @dst_rmt_vbg_id: gate to which this gate sends a packet, or UTOFU_VBG_ID_NULL
 * @dst_path_coords: a, b, c of the packet's path; UTOFU_PATH_COORD_NULL in the first: default path
 */
struct utofu_vbg_setting {
	utofu_vbg_id_t vbg_id;
	utofu_vbg_id_t src_lcl_vbg_id;
	utofu_vbg_id_t src_rmt_vbg_id;
	utofu_vbg_id_t dst_lcl_vbg_id;
	utofu_vbg_id_t dst_rmt_vbg_id;
	uint8_t dst_path_coords[3];
};

/**
 * struct utofu_mrq_notice - report of the end of an operation
 * @notice_type: enum utofu_mrq_notice_type
 * @padding1: zero
 * @vcq_id: VCQ of the other side
 * @edata: edata of the posted operation
 * @rmt_value: atomic operation: previous value (LCL_ARMW) or STADD of the word (RMT_ARMW)
 * @lcl_stadd: get: STADD one past the last byte at the process that posted it; otherwise 0
 * @rmt_stadd: put or get: STADD one past the last byte at the target; atomic operation: STADD of
 *             the word
 * @reserved: zero
 */
struct utofu_mrq_notice {
	uint8_t notice_type;
	uint8_t padding1[7];
	utofu_vcq_id_t vcq_id;
	uint64_t edata;
	uint64_t rmt_value;
	utofu_stadd_t lcl_stadd;
	utofu_stadd_t rmt_stadd;
	uint64_t reserved[2];
};

/* ------------------------------------------------------- engines and versions */

int utofu_get_onesided_tnis(utofu_tni_id_t **tni_ids, size_t *num_tnis);
int utofu_get_barrier_tnis(utofu_tni_id_t **tni_ids, size_t *num_tnis);
int utofu_query_onesided_caps(utofu_tni_id_t tni_id, struct utofu_onesided_caps **tni_caps);
int utofu_query_barrier_caps(utofu_tni_id_t tni_id, struct utofu_barrier_caps **tni_caps);
int utofu_query_my_coords(uint8_t coords[]);
void utofu_query_tofu_version(int *major_ver, int *minor_ver);
void utofu_query_utofu_version(int *major_ver, int *minor_ver);

/* --------------------------------------------------------------------- queues */

int utofu_create_vcq(utofu_tni_id_t tni_id, unsigned long flags, utofu_vcq_hdl_t *vcq_hdl);
int utofu_create_vcq_with_cmp_id(utofu_tni_id_t tni_id, utofu_cmp_id_t cmp_id, unsigned long flags,
				 utofu_vcq_hdl_t *vcq_hdl);
int utofu_free_vcq(utofu_vcq_hdl_t vcq_hdl);
int utofu_query_vcq_id(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t *vcq_id);
int utofu_construct_vcq_id(uint8_t coords[], utofu_tni_id_t tni_id, utofu_cq_id_t cq_id,
			   utofu_cmp_id_t cmp_id, utofu_vcq_id_t *vcq_id);
int utofu_set_vcq_id_path(utofu_vcq_id_t *vcq_id, uint8_t path_coords[]);
int utofu_query_vcq_info(utofu_vcq_id_t vcq_id, uint8_t coords[], utofu_tni_id_t *tni_id,
			 utofu_cq_id_t *cq_id, uint16_t *extra_val);
int utofu_get_path_id(utofu_vcq_id_t vcq_id, uint8_t path_coords[], utofu_path_id_t *path_id);
int utofu_get_path_coords(utofu_vcq_id_t vcq_id, utofu_path_id_t path_id, uint8_t path_coords[]);

/* --------------------------------------------------------------------- memory */

int utofu_reg_mem(utofu_vcq_hdl_t vcq_hdl, void *addr, size_t size, unsigned long flags,
		  utofu_stadd_t *stadd);
int utofu_reg_mem_with_stag(utofu_vcq_hdl_t vcq_hdl, void *addr, size_t size, unsigned int stag,
			    unsigned long flags, utofu_stadd_t *stadd);
int utofu_query_stadd(utofu_vcq_id_t vcq_id, unsigned int stag, utofu_stadd_t *stadd);
int utofu_dereg_mem(utofu_vcq_hdl_t vcq_hdl, utofu_stadd_t stadd, unsigned long flags);

/* ----------------------------------------------------------------- operations */

int utofu_put(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
	      utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
	      void *cbdata);
int utofu_put_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
		  utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
		  size_t mtu, size_t gap, void *cbdata);
int utofu_put_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
		     utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks,
		     uint64_t edata, unsigned long flags, void *cbdata);
int utofu_put_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			 utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
			 size_t stride, size_t num_blocks, uint64_t edata, unsigned long flags,
			 size_t mtu, size_t gap, void *cbdata);
int utofu_put_piggyback(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, void *lcl_data,
			utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
			void *cbdata);
int utofu_put_piggyback8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, uint64_t lcl_data,
			 utofu_stadd_t rmt_stadd, size_t length, uint64_t edata,
			 unsigned long flags, void *cbdata);
int utofu_get(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
	      utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
	      void *cbdata);
int utofu_get_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
		  utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
		  size_t mtu, size_t gap, void *cbdata);
int utofu_get_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
		     utofu_stadd_t rmt_stadd, size_t length, size_t stride, size_t num_blocks,
		     uint64_t edata, unsigned long flags, void *cbdata);
int utofu_get_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			 utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
			 size_t stride, size_t num_blocks, uint64_t edata, unsigned long flags,
			 size_t mtu, size_t gap, void *cbdata);
int utofu_armw4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, enum utofu_armw_op armw_op,
		uint32_t op_value, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long flags,
		void *cbdata);
int utofu_armw8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, enum utofu_armw_op armw_op,
		uint64_t op_value, utofu_stadd_t rmt_stadd, uint64_t edata, unsigned long flags,
		void *cbdata);
int utofu_cswap4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
		 uint32_t old_value, uint32_t new_value, utofu_stadd_t rmt_stadd, uint64_t edata,
		 unsigned long flags, void *cbdata);
int utofu_cswap8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
		 uint64_t old_value, uint64_t new_value, utofu_stadd_t rmt_stadd, uint64_t edata,
		 unsigned long flags, void *cbdata);
int utofu_nop(utofu_vcq_hdl_t vcq_hdl, unsigned long flags, void *cbdata);

int utofu_prepare_put(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
		      utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
		      void *desc, size_t *desc_size);
int utofu_prepare_put_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			  utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
			  uint64_t edata, unsigned long flags, size_t mtu, size_t gap,
			  void *desc, size_t *desc_size);
int utofu_prepare_put_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			     utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
			     size_t stride, size_t num_blocks, uint64_t edata, unsigned long flags,
			     void *desc, size_t *desc_size);
int utofu_prepare_put_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
				 utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
				 size_t stride, size_t num_blocks, uint64_t edata,
				 unsigned long flags, size_t mtu, size_t gap,
				 void *desc, size_t *desc_size);
int utofu_prepare_put_piggyback(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, void *lcl_data,
				utofu_stadd_t rmt_stadd, size_t length, uint64_t edata,
				unsigned long flags, void *desc, size_t *desc_size);
int utofu_prepare_put_piggyback8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
				 uint64_t lcl_data, utofu_stadd_t rmt_stadd, size_t length,
				 uint64_t edata, unsigned long flags,
				 void *desc, size_t *desc_size);
int utofu_prepare_get(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id, utofu_stadd_t lcl_stadd,
		      utofu_stadd_t rmt_stadd, size_t length, uint64_t edata, unsigned long flags,
		      void *desc, size_t *desc_size);
int utofu_prepare_get_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			  utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
			  uint64_t edata, unsigned long flags, size_t mtu, size_t gap,
			  void *desc, size_t *desc_size);
int utofu_prepare_get_stride(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			     utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
			     size_t stride, size_t num_blocks, uint64_t edata, unsigned long flags,
			     void *desc, size_t *desc_size);
int utofu_prepare_get_stride_gap(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
				 utofu_stadd_t lcl_stadd, utofu_stadd_t rmt_stadd, size_t length,
				 size_t stride, size_t num_blocks, uint64_t edata,
				 unsigned long flags, size_t mtu, size_t gap,
				 void *desc, size_t *desc_size);
int utofu_prepare_armw4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			enum utofu_armw_op armw_op, uint32_t op_value, utofu_stadd_t rmt_stadd,
			uint64_t edata, unsigned long flags, void *desc, size_t *desc_size);
int utofu_prepare_armw8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			enum utofu_armw_op armw_op, uint64_t op_value, utofu_stadd_t rmt_stadd,
			uint64_t edata, unsigned long flags, void *desc, size_t *desc_size);
int utofu_prepare_cswap4(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			 uint32_t old_value, uint32_t new_value, utofu_stadd_t rmt_stadd,
			 uint64_t edata, unsigned long flags, void *desc, size_t *desc_size);
int utofu_prepare_cswap8(utofu_vcq_hdl_t vcq_hdl, utofu_vcq_id_t rmt_vcq_id,
			 uint64_t old_value, uint64_t new_value, utofu_stadd_t rmt_stadd,
			 uint64_t edata, unsigned long flags, void *desc, size_t *desc_size);
int utofu_prepare_nop(utofu_vcq_hdl_t vcq_hdl, unsigned long flags, void *desc, size_t *desc_size);
int utofu_post_toq(utofu_vcq_hdl_t vcq_hdl, void *desc, size_t desc_size, void *cbdata);

int utofu_poll_tcq(utofu_vcq_hdl_t vcq_hdl, unsigned long flags, void **cbdata);
int utofu_poll_mrq(utofu_vcq_hdl_t vcq_hdl, unsigned long flags, struct utofu_mrq_notice *notice);
int utofu_query_num_unread_tcq(utofu_vcq_hdl_t vcq_hdl, size_t *count);
int utofu_query_num_unread_mrq(utofu_vcq_hdl_t vcq_hdl, size_t *count);

/* -------------------------------------------------------------- barrier gates */

int utofu_alloc_vbg(utofu_tni_id_t tni_id, size_t num_vbgs, unsigned long flags,
		    utofu_vbg_id_t vbg_ids[]);
int utofu_free_vbg(utofu_vbg_id_t vbg_ids[], size_t num_vbgs);
int utofu_set_vbg(struct utofu_vbg_setting vbg_settings[], size_t num_vbg_settings);
int utofu_query_vbg_info(utofu_vbg_id_t vbg_id, uint8_t coords[], utofu_tni_id_t *tni_id,
			 utofu_bg_id_t *bg_id, uint16_t *extra_val);
int utofu_barrier(utofu_vbg_id_t vbg_id, unsigned long flags);
int utofu_reduce_uint64(utofu_vbg_id_t vbg_id, enum utofu_reduce_op op, uint64_t data[],
			size_t num_data, unsigned long flags);
int utofu_reduce_double(utofu_vbg_id_t vbg_id, enum utofu_reduce_op op, double data[],
			size_t num_data, unsigned long flags);
int utofu_poll_barrier(utofu_vbg_id_t vbg_id, unsigned long flags);
int utofu_poll_reduce_uint64(utofu_vbg_id_t vbg_id, unsigned long flags, uint64_t data[]);
int utofu_poll_reduce_double(utofu_vbg_id_t vbg_id, unsigned long flags, double data[]);

#ifdef __cplusplus
}
#endif

#endif
