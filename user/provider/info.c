// SPDX-License-Identifier: GPL-2.0
/* fi_getinfo(): what the provider offers, and whether it offers what a program asks for. */
#include <stdlib.h>
#include <string.h>
#include "info.h"
#include "present.h"

#define MESSAGE_MAX	TORUS_MATCH_LENGTH_MAX

/* Log an attribute that the provider does not have.  Return: false. */
static bool info_refuse(const char *attribute, unsigned long long value)
{
	prov_log(FI_LOG_INFO, FI_LOG_CORE, "%s 0x%llx is not supported\n", attribute, value);
	return false;
}

/* Log by name the flags of an attribute that the provider does not have.  Return: it has all. */
static bool info_flags(const char *attribute, uint64_t flags, uint64_t known, enum fi_type type)
{
	char text[512];
	uint64_t other = flags & ~known;

	if (!other)
		return true;
	prov_log(FI_LOG_INFO, FI_LOG_CORE, "%s: %s is not supported\n", attribute,
		 fi_tostr_r(text, sizeof(text), &other, type));
	return false;
}

/* Check that an attribute of a number is at most a limit. */
static bool info_most(const char *attribute, size_t value, size_t most)
{
	if (value <= most)
		return true;
	prov_log(FI_LOG_INFO, FI_LOG_CORE, "%s %zu: must be at most %zu\n", attribute, value, most);
	return false;
}

static bool endpoint_fits(const struct fi_ep_attr *attr)
{
	if (attr->type != FI_EP_UNSPEC && attr->type != FI_EP_RDM)
		return info_refuse("ep_attr->type", attr->type);
	if (attr->protocol != FI_PROTO_UNSPEC)
		return info_refuse("ep_attr->protocol", attr->protocol);
	return info_most("ep_attr->max_msg_size", attr->max_msg_size, MESSAGE_MAX) &&
	       info_most("ep_attr->tx_ctx_cnt", attr->tx_ctx_cnt, 1) &&
	       info_most("ep_attr->rx_ctx_cnt", attr->rx_ctx_cnt, 1) &&
	       info_most("ep_attr->auth_key_size", attr->auth_key_size, 0);
}

static bool send_fits(const struct fi_tx_attr *attr)
{
	return info_flags("tx_attr->caps", attr->caps, PROVIDER_CAPS, FI_TYPE_CAPS) &&
	       info_flags("tx_attr->op_flags", attr->op_flags, SEND_FLAGS, FI_TYPE_OP_FLAGS) &&
	       info_flags("tx_attr->msg_order", attr->msg_order, FI_ORDER_SAS,
			  FI_TYPE_MSG_ORDER) &&
	       (!attr->comp_order || info_refuse("tx_attr->comp_order", attr->comp_order)) &&
	       info_most("tx_attr->inject_size", attr->inject_size, INJECT_MAX) &&
	       info_most("tx_attr->size", attr->size, QUEUE_SIZE) &&
	       info_most("tx_attr->iov_limit", attr->iov_limit, IOV_MAX_PARTS) &&
	       info_most("tx_attr->rma_iov_limit", attr->rma_iov_limit, 0);
}

static bool receive_fits(const struct fi_rx_attr *attr)
{
	return info_flags("rx_attr->caps", attr->caps, PROVIDER_CAPS, FI_TYPE_CAPS) &&
	       info_flags("rx_attr->op_flags", attr->op_flags, RECEIVE_FLAGS, FI_TYPE_OP_FLAGS) &&
	       info_flags("rx_attr->msg_order", attr->msg_order, FI_ORDER_SAS,
			  FI_TYPE_MSG_ORDER) &&
	       (!attr->comp_order || info_refuse("rx_attr->comp_order", attr->comp_order)) &&
	       info_most("rx_attr->size", attr->size, QUEUE_SIZE) &&
	       info_most("rx_attr->iov_limit", attr->iov_limit, IOV_MAX_PARTS);
}

static const char *info_domain_name(void)
{
	const char *name = getenv("TORUS_FABRIC");

	return name && *name ? name : PROVIDER_NAME;
}

static bool domain_fits(const struct fi_domain_attr *attr)
{
	if (attr->name && strcmp(attr->name, info_domain_name())) {
		prov_log(FI_LOG_INFO, FI_LOG_CORE, "domain_attr->name %s: must be %s\n", attr->name,
			 info_domain_name());
		return false;
	}
	if (attr->control_progress == FI_PROGRESS_AUTO)
		return info_refuse("domain_attr->control_progress", attr->control_progress);
	if (attr->data_progress == FI_PROGRESS_AUTO)
		return info_refuse("domain_attr->data_progress", attr->data_progress);
	return info_flags("domain_attr->caps", attr->caps, FI_LOCAL_COMM | FI_REMOTE_COMM,
			  FI_TYPE_CAPS) &&
	       info_most("domain_attr->cq_data_size", attr->cq_data_size, DATA_BYTES) &&
	       info_most("domain_attr->auth_key_size", attr->auth_key_size, 0);
}

static bool info_fits(const struct fi_info *hints)
{
	const struct fi_fabric_attr *fabric = hints->fabric_attr;

	if (!info_flags("caps", hints->caps, PROVIDER_CAPS, FI_TYPE_CAPS))
		return false;
	if (hints->addr_format != FI_FORMAT_UNSPEC)
		return info_refuse("addr_format", hints->addr_format);
	if (fabric && fabric->name && strcmp(fabric->name, PROVIDER_NAME)) {
		prov_log(FI_LOG_INFO, FI_LOG_CORE, "fabric_attr->name %s: must be %s\n",
			 fabric->name, PROVIDER_NAME);
		return false;
	}
	return (!hints->ep_attr || endpoint_fits(hints->ep_attr)) &&
	       (!hints->tx_attr || send_fits(hints->tx_attr)) &&
	       (!hints->rx_attr || receive_fits(hints->rx_attr)) &&
	       (!hints->domain_attr || domain_fits(hints->domain_attr));
}

static uint64_t info_caps(const struct fi_info *hints)
{
	uint64_t caps = PROVIDER_CAPS;

	if (!hints || !hints->caps)
		return caps;
	caps = hints->caps | FI_LOCAL_COMM | FI_REMOTE_COMM | FI_SOURCE;
	if (!(caps & (FI_SEND | FI_RECV)))
		caps |= FI_SEND | FI_RECV;
	return caps;
}

static void info_fill_domain(struct fi_domain_attr *attr, const struct fi_info *hints)
{
	const struct fi_domain_attr *asked = hints ? hints->domain_attr : NULL;

	attr->name = strdup(info_domain_name());
	attr->threading = FI_THREAD_SAFE;
	attr->control_progress = FI_PROGRESS_MANUAL;
	attr->data_progress = FI_PROGRESS_MANUAL;
	attr->resource_mgmt = FI_RM_ENABLED;
	attr->av_type = asked && asked->av_type ? asked->av_type : FI_AV_TABLE;
	attr->cq_data_size = DATA_BYTES;
	attr->cq_cnt = 1024;
	attr->ep_cnt = 1;
	attr->tx_ctx_cnt = 1;
	attr->rx_ctx_cnt = 1;
	attr->max_ep_tx_ctx = 1;
	attr->max_ep_rx_ctx = 1;
	attr->caps = FI_LOCAL_COMM | FI_REMOTE_COMM;
}

static void info_fill(struct fi_info *info, const struct fi_info *hints)
{
	info->caps = info_caps(hints);
	info->addr_format = FI_FORMAT_UNSPEC;
	*info->ep_attr = (struct fi_ep_attr){
		.type = FI_EP_RDM, .protocol = FI_PROTO_UNSPEC, .protocol_version = 1,
		.max_msg_size = MESSAGE_MAX, .tx_ctx_cnt = 1, .rx_ctx_cnt = 1,
		.mem_tag_format = 0xaaaaaaaaaaaaaaaaull,
	};
	*info->tx_attr = (struct fi_tx_attr){
		.caps = info->caps & (FI_MSG | FI_TAGGED | FI_SEND),
		.op_flags = hints && hints->tx_attr ? hints->tx_attr->op_flags : 0,
		.msg_order = FI_ORDER_SAS, .inject_size = INJECT_MAX, .size = QUEUE_SIZE,
		.iov_limit = IOV_MAX_PARTS,
	};
	*info->rx_attr = (struct fi_rx_attr){
		.caps = info->caps & (FI_MSG | FI_TAGGED | FI_RECV | FI_SOURCE | FI_DIRECTED_RECV),
		.op_flags = hints && hints->rx_attr ? hints->rx_attr->op_flags : 0,
		.msg_order = FI_ORDER_SAS, .size = QUEUE_SIZE, .iov_limit = IOV_MAX_PARTS,
	};
	info_fill_domain(info->domain_attr, hints);
	/* libfabric fills in prov_name, which must be NULL */
	info->fabric_attr->name = strdup(PROVIDER_NAME);
}

/**
 * prov_getinfo() - describe the provider's endpoint, if it has what a program asks for
 * @version: version of the interface that the program uses
 * @node: not used: the addresses of endpoints come from fi_getname(3)
 * @service: not used
 * @flags: not used
 * @hints: what the program asks for; may be NULL
 * @info: [out] the description
 *
 * Return: 0, -FI_ENODATA, -FI_ENOMEM.
 */
int prov_getinfo(uint32_t version, const char *node, const char *service, uint64_t flags,
		 const struct fi_info *hints, struct fi_info **info)
{
	struct fi_info *new;

	if ((hints && !info_fits(hints)) || !prov_present())
		return -FI_ENODATA;
	new = fi_allocinfo();
	if (!new)
		return -FI_ENOMEM;
	info_fill(new, hints);
	if (!new->domain_attr->name || !new->fabric_attr->name) {
		fi_freeinfo(new);
		return -FI_ENOMEM;
	}
	*info = new;
	return 0;
}
