// SPDX-License-Identifier: GPL-2.0
/* Endpoints: a process's place in a job, whose matching sends and receives the messages. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "av.h"
#include "cq.h"
#include "domain.h"
#include "endpoint.h"
#include "message.h"
#include "parameters.h"

/* most seconds that a close waits for sends to leave, and again for their packets to arrive */
#define CLOSE_S		5

/* Flags of a completion, from those of the library's event. */
static uint64_t event_flags(const struct torus_match_event *event)
{
	uint64_t flags = event->sent ? FI_SEND : FI_RECV;

	flags |= event->flags & TORUS_MATCH_TAGGED ? FI_TAGGED : FI_MSG;
	if (!event->sent && event->flags & TORUS_MATCH_DATA)
		flags |= FI_REMOTE_CQ_DATA;
	return flags;
}

/*
 * Add an event to a completion queue.  An error without a context is only counted and logged,
 * because Open MPI uses the context of each error.
 */
static void endpoint_complete(struct prov_endpoint *endpoint, struct prov_cq *cq,
			      const struct torus_match_event *event)
{
	fi_addr_t source = FI_ADDR_NOTAVAIL;
	struct fi_cq_err_entry *entry;

	if (event->error && !event->context) {
		endpoint->failed++;
		prov_log(FI_LOG_INFO, FI_LOG_EP_DATA,
			 "an operation without a context has failed: %s\n",
			 fi_strerror(-event->error));
		return;
	}
	if (!cq)
		return;
	if (!event->sent && event->source != TORUS_MATCH_ANY)
		source = prov_av_find(endpoint->av, event->source);
	entry = prov_cq_add(cq, source);
	entry->op_context = event->context;
	entry->flags = event_flags(event);
	if (!event->sent) {
		entry->len = event->length;
		entry->buf = event->buffer;
		entry->data = event->data;
		entry->tag = event->tag;
	}
	if (!event->error)
		return;
	entry->err = event->error == -EMSGSIZE ? FI_ETRUNC : -event->error;
	entry->prov_errno = event->error;
	entry->olen = event->full - event->length;
}

/* Count and log the failed operations for which the library adds no event. */
static void endpoint_count_silent(struct prov_endpoint *endpoint)
{
	struct torus_match_counts counts;

	torus_match_counts(endpoint->match, &counts);
	if (counts.failed == endpoint->silent)
		return;
	endpoint->failed += counts.failed - endpoint->silent;
	endpoint->silent = counts.failed;
	prov_log(FI_LOG_INFO, FI_LOG_EP_DATA,
		 "%llu operations without a context have failed until now\n",
		 (unsigned long long)endpoint->failed);
}

/**
 * prov_endpoint_move() - move packets, and fill the completion queues
 * @endpoint: the endpoint, whose domain is locked
 *
 * Return: true if packets were moved.
 */
bool prov_endpoint_move(struct prov_endpoint *endpoint)
{
	struct torus_match_event event;
	int moved;

	if (!endpoint->enabled)
		return false;
	moved = torus_match_progress(endpoint->match);
	if (moved < 0 && moved != -ENOBUFS)
		prov_log(FI_LOG_INFO, FI_LOG_EP_DATA, "%s\n", torus_error_text());
	while (prov_cq_reserve(endpoint->send_cq) && prov_cq_reserve(endpoint->receive_cq) &&
	       torus_match_events(endpoint->match, &event, 1))
		endpoint_complete(endpoint,
				  event.sent ? endpoint->send_cq : endpoint->receive_cq, &event);
	endpoint_count_silent(endpoint);
	return moved > 0;
}

static ssize_t endpoint_cancel(struct fid *fid, void *context)
{
	struct prov_endpoint *endpoint = (struct prov_endpoint *)fid;

	pthread_mutex_lock(&endpoint->domain->lock);
	torus_match_cancel(endpoint->match, context);
	pthread_mutex_unlock(&endpoint->domain->lock);
	return 0;
}

static int no_getopt(struct fid *fid, int level, int name, void *value, size_t *length)
{
	return -FI_ENOPROTOOPT;
}

static int no_setopt(struct fid *fid, int level, int name, const void *value, size_t length)
{
	return -FI_ENOPROTOOPT;
}

static int no_send_context(struct fid_ep *ep, int index, struct fi_tx_attr *attr,
			   struct fid_ep **context_ep, void *context)
{
	return -FI_ENOSYS;
}

static int no_receive_context(struct fid_ep *ep, int index, struct fi_rx_attr *attr,
			      struct fid_ep **context_ep, void *context)
{
	return -FI_ENOSYS;
}

/* Memory alone limits the number of operations. */
static ssize_t endpoint_size_left(struct fid_ep *ep)
{
	return QUEUE_SIZE;
}

static struct fi_ops_ep endpoint_ops = {
	.size = sizeof(endpoint_ops), .cancel = endpoint_cancel, .getopt = no_getopt,
	.setopt = no_setopt, .tx_ctx = no_send_context, .rx_ctx = no_receive_context,
	.rx_size_left = endpoint_size_left, .tx_size_left = endpoint_size_left,
};

/* Send what the program has given to send calls that have no completion. */
static void endpoint_drain(struct prov_endpoint *endpoint)
{
	time_t end = time(NULL) + CLOSE_S;

	while (torus_match_pending(endpoint->match) && time(NULL) < end) {
		struct timespec pause = { .tv_nsec = 100000 };

		if (torus_match_progress(endpoint->match) < 0)
			break;
		nanosleep(&pause, NULL);
	}
	torus_message_flush(endpoint->job, CLOSE_S * 1000);
}

static void cq_put(struct prov_cq *cq)
{
	if (cq)
		cq->users--;
}

static int endpoint_close(struct fid *fid)
{
	struct prov_endpoint *endpoint = (struct prov_endpoint *)fid;
	struct prov_domain *domain = endpoint->domain;

	pthread_mutex_lock(&domain->lock);
	endpoint_drain(endpoint);
	torus_match_close(endpoint->match);
	torus_job_close(endpoint->job);
	torus_context_detach(endpoint->context);
	cq_put(endpoint->send_cq);
	cq_put(endpoint->receive_cq);
	if (endpoint->av)
		endpoint->av->users--;
	domain->endpoint = NULL;
	domain->users--;
	pthread_mutex_unlock(&domain->lock);
	free(endpoint);
	return 0;
}

static int endpoint_bind_av(struct prov_endpoint *endpoint, struct prov_av *av)
{
	if (endpoint->av)
		return -FI_EINVAL;
	endpoint->av = av;
	av->users++;
	return 0;
}

static int endpoint_bind_cq(struct prov_endpoint *endpoint, struct prov_cq *cq, uint64_t flags)
{
	bool selective = flags & FI_SELECTIVE_COMPLETION;
	int fd;

	if (flags & ~(FI_TRANSMIT | FI_RECV | FI_SELECTIVE_COMPLETION) ||
	    !(flags & (FI_TRANSMIT | FI_RECV)))
		return -FI_EBADFLAGS;
	if ((flags & FI_TRANSMIT && endpoint->send_cq) ||
	    (flags & FI_RECV && endpoint->receive_cq))
		return -FI_EINVAL;
	if (cq->epoll >= 0) {
		fd = torus_match_fd(endpoint->match);
		if (fd >= 0)
			fd = prov_cq_wait_for(cq, fd);
		if (fd < 0)
			return fd;
	}
	if (flags & FI_TRANSMIT) {
		endpoint->send_cq = cq;
		endpoint->send_selective = selective;
		cq->users++;
	}
	if (flags & FI_RECV) {
		endpoint->receive_cq = cq;
		endpoint->receive_selective = selective;
		cq->users++;
	}
	return 0;
}

static int endpoint_bind(struct fid *fid, struct fid *other, uint64_t flags)
{
	struct prov_endpoint *endpoint = (struct prov_endpoint *)fid;
	int ret;

	pthread_mutex_lock(&endpoint->domain->lock);
	if (endpoint->enabled)
		ret = -FI_EOPBADSTATE;
	else if (other->fclass == FI_CLASS_AV)
		ret = endpoint_bind_av(endpoint, (struct prov_av *)other);
	else if (other->fclass == FI_CLASS_CQ)
		ret = endpoint_bind_cq(endpoint, (struct prov_cq *)other, flags);
	else
		ret = other->fclass == FI_CLASS_EQ ? 0 : -FI_ENOSYS;
	pthread_mutex_unlock(&endpoint->domain->lock);
	return ret;
}

static int endpoint_control(struct fid *fid, int command, void *arg)
{
	struct prov_endpoint *endpoint = (struct prov_endpoint *)fid;
	int ret = 0;

	if (command != FI_ENABLE)
		return -FI_ENOSYS;
	pthread_mutex_lock(&endpoint->domain->lock);
	if (!endpoint->av)
		ret = -FI_ENOAV;
	else if (!endpoint->send_cq && !endpoint->receive_cq)
		ret = -FI_ENOCQ;
	else
		endpoint->enabled = true;
	pthread_mutex_unlock(&endpoint->domain->lock);
	return ret;
}

static struct fi_ops endpoint_fid_ops = {
	.size = sizeof(endpoint_fid_ops), .close = endpoint_close, .bind = endpoint_bind,
	.control = endpoint_control, .ops_open = prov_no_ops,
};

static int cm_setname(struct fid *fid, void *address, size_t length)
{
	return -FI_ENOSYS;
}

static int cm_getname(struct fid *fid, void *address, size_t *length)
{
	const struct prov_endpoint *endpoint = (struct prov_endpoint *)fid;
	size_t size = *length, own = sizeof(endpoint->address);

	*length = own;
	memcpy(address, &endpoint->address, size < own ? size : own);
	return size < own ? -FI_ETOOSMALL : 0;
}

static int no_peer(struct fid_ep *ep, void *address, size_t *length)
{
	return -FI_ENOSYS;
}

static int no_connect(struct fid_ep *ep, const void *address, const void *data, size_t length)
{
	return -FI_ENOSYS;
}

static int no_listen(struct fid_pep *pep)
{
	return -FI_ENOSYS;
}

static int no_accept(struct fid_ep *ep, const void *data, size_t length)
{
	return -FI_ENOSYS;
}

static int no_reject(struct fid_pep *pep, fid_t handle, const void *data, size_t length)
{
	return -FI_ENOSYS;
}

static int no_shutdown(struct fid_ep *ep, uint64_t flags)
{
	return -FI_ENOSYS;
}

static int no_join(struct fid_ep *ep, const void *address, uint64_t flags, struct fid_mc **mc,
		   void *context)
{
	return -FI_ENOSYS;
}

static struct fi_ops_cm cm_ops = {
	.size = sizeof(cm_ops), .setname = cm_setname, .getname = cm_getname,
	.getpeer = no_peer, .connect = no_connect, .listen = no_listen, .accept = no_accept,
	.reject = no_reject, .shutdown = no_shutdown, .join = no_join,
};

/* Attach to the place of this process, and open its job without waiting for other processes. */
static int endpoint_join(struct prov_endpoint *endpoint)
{
	struct torus_job_options options = { .unconnected = true };
	struct torus_match_config config;
	int ret;

	prov_parameters_read(&config, &options.route);
	ret = torus_job_init(&endpoint->job, &endpoint->context, &options);
	if (ret)
		return ret;
	ret = torus_match_open(&endpoint->match, endpoint->job, &config);
	if (!ret)
		return 0;
	torus_job_close(endpoint->job);
	torus_context_detach(endpoint->context);
	return ret;
}

static void endpoint_fill(struct prov_endpoint *endpoint, const struct fi_info *info,
			  void *context)
{
	uint64_t caps = info->caps ? info->caps : PROVIDER_CAPS;

	endpoint->address = htonl(torus_job_rank(endpoint->job));
	endpoint->send_flags = info->tx_attr ? info->tx_attr->op_flags : 0;
	endpoint->receive_flags = info->rx_attr ? info->rx_attr->op_flags : 0;
	endpoint->directed = caps & FI_DIRECTED_RECV;
	endpoint->fid = (struct fid_ep){
		.fid = { FI_CLASS_EP, context, &endpoint_fid_ops }, .ops = &endpoint_ops,
		.cm = &cm_ops, .msg = caps & FI_MSG ? &prov_msg_ops : NULL,
		.tagged = caps & FI_TAGGED ? &prov_tagged_ops : NULL,
	};
}

/**
 * prov_endpoint_open() - open the endpoint of this process
 * @fid: the domain
 * @info: attributes of the endpoint
 * @ep: [out] the endpoint
 * @context: context of the program
 *
 * The environment describes the place of the process, see torus_job_init(3).
 *
 * Return: 0, -FI_EBUSY (the process has an endpoint), -FI_ENOMEM, -FI_EINVAL (the environment), or
 * an error of attaching to the place.
 */
int prov_endpoint_open(struct fid_domain *fid, struct fi_info *info, struct fid_ep **ep,
		       void *context)
{
	struct prov_domain *domain = (struct prov_domain *)fid;
	struct prov_endpoint *new = calloc(1, sizeof(*new));
	int ret = 0;

	if (!new)
		return -FI_ENOMEM;
	new->domain = domain;
	pthread_mutex_lock(&domain->lock);
	if (domain->endpoint) {
		prov_log(FI_LOG_WARN, FI_LOG_EP_CTRL, "this process has an endpoint already\n");
		ret = -FI_EBUSY;
	} else {
		ret = endpoint_join(new);
		if (ret)
			prov_log(FI_LOG_WARN, FI_LOG_EP_CTRL, "%s\n", torus_error_text());
	}
	if (!ret) {
		endpoint_fill(new, info, context);
		domain->endpoint = new;
		domain->users++;
		*ep = &new->fid;
	}
	pthread_mutex_unlock(&domain->lock);
	if (ret)
		free(new);
	return ret;
}
