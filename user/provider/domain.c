// SPDX-License-Identifier: GPL-2.0
/* Fabrics, domains and event queues, which hold the other objects and do little themselves. */
#include <stdlib.h>
#include "av.h"
#include "cq.h"
#include "domain.h"
#include "endpoint.h"

/**
 * prov_no_bind() - reject the binding of two objects
 * @fid: the object
 * @other: the object to bind to
 * @flags: flags of the call
 *
 * Return: -FI_ENOSYS.
 */
int prov_no_bind(struct fid *fid, struct fid *other, uint64_t flags)
{
	return -FI_ENOSYS;
}

/**
 * prov_no_control() - reject a control command
 * @fid: the object
 * @command: the command
 * @arg: its argument
 *
 * Return: -FI_ENOSYS.
 */
int prov_no_control(struct fid *fid, int command, void *arg)
{
	return -FI_ENOSYS;
}

/**
 * prov_no_ops() - reject a request for more operations
 * @fid: the object
 * @name: name of the operations
 * @flags: flags of the call
 * @ops: [out] not set
 * @context: context of the call
 *
 * Return: -FI_ENOSYS.
 */
int prov_no_ops(struct fid *fid, const char *name, uint64_t flags, void **ops, void *context)
{
	return -FI_ENOSYS;
}

static int no_scalable(struct fid_domain *domain, struct fi_info *info, struct fid_ep **ep,
		       void *context)
{
	return -FI_ENOSYS;
}

static int no_counter(struct fid_domain *domain, struct fi_cntr_attr *attr,
		      struct fid_cntr **counter, void *context)
{
	return -FI_ENOSYS;
}

static int no_poll(struct fid_domain *domain, struct fi_poll_attr *attr, struct fid_poll **poll)
{
	return -FI_ENOSYS;
}

static int no_send_context(struct fid_domain *domain, struct fi_tx_attr *attr,
			   struct fid_stx **stx, void *context)
{
	return -FI_ENOSYS;
}

static int no_receive_context(struct fid_domain *domain, struct fi_rx_attr *attr,
			      struct fid_ep **ep, void *context)
{
	return -FI_ENOSYS;
}

static int no_region(struct fid *fid, const void *buffer, size_t length, uint64_t access,
		     uint64_t offset, uint64_t key, uint64_t flags, struct fid_mr **mr,
		     void *context)
{
	return -FI_ENOSYS;
}

static int no_regions(struct fid *fid, const struct iovec *iov, size_t count, uint64_t access,
		      uint64_t offset, uint64_t key, uint64_t flags, struct fid_mr **mr,
		      void *context)
{
	return -FI_ENOSYS;
}

static int no_region_attr(struct fid *fid, const struct fi_mr_attr *attr, uint64_t flags,
			  struct fid_mr **mr)
{
	return -FI_ENOSYS;
}

static int domain_close(struct fid *fid)
{
	struct prov_domain *domain = (struct prov_domain *)fid;

	if (domain->users)
		return -FI_EBUSY;
	pthread_mutex_destroy(&domain->lock);
	free(domain);
	return 0;
}

static struct fi_ops domain_fid_ops = {
	.size = sizeof(domain_fid_ops), .close = domain_close, .bind = prov_no_bind,
	.control = prov_no_control, .ops_open = prov_no_ops,
};

static struct fi_ops_domain domain_ops = {
	.size = sizeof(domain_ops), .av_open = prov_av_open, .cq_open = prov_cq_open,
	.endpoint = prov_endpoint_open, .scalable_ep = no_scalable, .cntr_open = no_counter,
	.poll_open = no_poll, .stx_ctx = no_send_context, .srx_ctx = no_receive_context,
};

static struct fi_ops_mr region_ops = {
	.size = sizeof(region_ops), .reg = no_region, .regv = no_regions,
	.regattr = no_region_attr,
};

static int domain_open(struct fid_fabric *fabric, struct fi_info *info,
		       struct fid_domain **domain, void *context)
{
	struct prov_domain *new = calloc(1, sizeof(*new));

	if (!new)
		return -FI_ENOMEM;
	pthread_mutex_init(&new->lock, NULL);
	new->fid = (struct fid_domain){
		.fid = { FI_CLASS_DOMAIN, context, &domain_fid_ops }, .ops = &domain_ops,
		.mr = &region_ops,
	};
	*domain = &new->fid;
	return 0;
}

static int object_close(struct fid *fid)
{
	free(fid);
	return 0;
}

static struct fi_ops object_ops = {
	.size = sizeof(object_ops), .close = object_close, .bind = prov_no_bind,
	.control = prov_no_control, .ops_open = prov_no_ops,
};

/* Address vectors are filled at once and endpoints need no connection, so no event ever occurs. */
static ssize_t eq_read(struct fid_eq *eq, uint32_t *event, void *buffer, size_t length,
		       uint64_t flags)
{
	return -FI_EAGAIN;
}

static ssize_t eq_readerr(struct fid_eq *eq, struct fi_eq_err_entry *buffer, uint64_t flags)
{
	return -FI_EAGAIN;
}

static ssize_t eq_write(struct fid_eq *eq, uint32_t event, const void *buffer, size_t length,
			uint64_t flags)
{
	return -FI_ENOSYS;
}

static ssize_t eq_sread(struct fid_eq *eq, uint32_t *event, void *buffer, size_t length,
			int timeout, uint64_t flags)
{
	return -FI_EAGAIN;
}

static const char *eq_strerror(struct fid_eq *eq, int error, const void *data, char *buffer,
			       size_t length)
{
	return fi_strerror(error);
}

static struct fi_ops_eq eq_ops = {
	.size = sizeof(eq_ops), .read = eq_read, .readerr = eq_readerr, .write = eq_write,
	.sread = eq_sread, .strerror = eq_strerror,
};

static int eq_open(struct fid_fabric *fabric, struct fi_eq_attr *attr, struct fid_eq **eq,
		   void *context)
{
	struct fid_eq *new = calloc(1, sizeof(*new));

	if (!new)
		return -FI_ENOMEM;
	*new = (struct fid_eq){
		.fid = { FI_CLASS_EQ, context, &object_ops }, .ops = &eq_ops,
	};
	*eq = new;
	return 0;
}

static int no_passive(struct fid_fabric *fabric, struct fi_info *info, struct fid_pep **pep,
		      void *context)
{
	return -FI_ENOSYS;
}

static int no_wait_set(struct fid_fabric *fabric, struct fi_wait_attr *attr,
		       struct fid_wait **wait)
{
	return -FI_ENOSYS;
}

/* Event queues have no descriptor, because no event ever occurs. */
static int fabric_trywait(struct fid_fabric *fabric, struct fid **fids, int count)
{
	int ret = 0, i;

	for (i = 0; i < count && !ret; i++)
		ret = fids[i]->fclass == FI_CLASS_CQ ?
		      prov_cq_trywait((struct prov_cq *)fids[i]) : -FI_EINVAL;
	return ret;
}

static struct fi_ops_fabric fabric_ops = {
	.size = sizeof(fabric_ops), .domain = domain_open, .passive_ep = no_passive,
	.eq_open = eq_open, .wait_open = no_wait_set, .trywait = fabric_trywait,
};

/**
 * prov_fabric() - open a fabric
 * @attr: attributes of the fabric
 * @fabric: [out] the fabric
 * @context: context of the program
 *
 * Return: 0, -FI_ENOMEM.
 */
int prov_fabric(struct fi_fabric_attr *attr, struct fid_fabric **fabric, void *context)
{
	struct fid_fabric *new = calloc(1, sizeof(*new));

	if (!new)
		return -FI_ENOMEM;
	*new = (struct fid_fabric){
		.fid = { FI_CLASS_FABRIC, context, &object_ops }, .ops = &fabric_ops,
		.api_version = attr->api_version,
	};
	*fabric = new;
	return 0;
}
