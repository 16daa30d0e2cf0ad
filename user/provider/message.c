// SPDX-License-Identifier: GPL-2.0
/* The calls that send and receive messages, with and without tags. */
#include <string.h>
#include "av.h"
#include "cq.h"
#include "endpoint.h"
#include "message.h"

/**
 * struct call - arguments that all calls have in common
 * @iov: buffers
 * @count: number of @iov
 * @address: receiver or sender
 * @tag: tag of the message
 * @ignore: bits of the tag that may differ
 * @data: with FI_REMOTE_CQ_DATA
 * @flags: flags of the call
 * @tagged: the message has a tag
 * @silent: success gives no completion
 * @context: context of the program
 */
struct call {
	const struct iovec *iov;
	size_t count;
	fi_addr_t address;
	uint64_t tag;
	uint64_t ignore;
	uint64_t data;
	uint64_t flags;
	bool tagged;
	bool silent;
	void *context;
};

static struct prov_endpoint *ep_of(struct fid_ep *ep)
{
	return (struct prov_endpoint *)ep;
}

/* Log the library's error of a call.  Return: @ret. */
static ssize_t call_error(int ret)
{
	if (ret)
		prov_log(FI_LOG_INFO, FI_LOG_EP_DATA, "%s\n", torus_error_text());
	return ret;
}

static ssize_t call_send(struct fid_ep *ep, const struct call *call)
{
	struct prov_endpoint *endpoint = ep_of(ep);
	struct torus_match_send send = {
		.context = call->context, .parts = call->iov, .count = call->count,
		.tag = call->tag, .data = call->data,
		.flags = (call->tagged ? TORUS_MATCH_TAGGED : 0) |
			 (call->silent ? TORUS_MATCH_SILENT : 0) |
			 (call->flags & FI_INJECT ? TORUS_MATCH_INJECT : 0) |
			 (call->flags & FI_REMOTE_CQ_DATA ? TORUS_MATCH_DATA : 0),
	};
	ssize_t ret;

	if (call->count > IOV_MAX_PARTS)
		return -FI_EINVAL;
	pthread_mutex_lock(&endpoint->domain->lock);
	ret = endpoint->enabled ? prov_av_rank(endpoint->av, call->address, &send.dest) :
				  -FI_EOPBADSTATE;
	if (!ret)
		ret = call_error(torus_match_send(endpoint->match, &send));
	pthread_mutex_unlock(&endpoint->domain->lock);
	return ret;
}

/*
 * Peek for a message: the result is a completion, or an error completion with FI_ENOMSG.  If no
 * message fits, packets are moved before a second attempt, because programs peek in a loop.
 */
static ssize_t receive_peek(struct prov_endpoint *endpoint,
			    struct torus_match_receive *receive, const struct call *call)
{
	struct torus_match_event event;
	struct fi_cq_err_entry *entry;
	fi_addr_t source = FI_ADDR_NOTAVAIL;
	int ret;

	if (!prov_cq_reserve(endpoint->receive_cq))
		return -FI_EAGAIN;
	ret = torus_match_peek(endpoint->match, receive, &event);
	if (ret == -ENOMSG) {
		prov_endpoint_move(endpoint);
		ret = torus_match_peek(endpoint->match, receive, &event);
	}
	if (ret && ret != -ENOMSG)
		return call_error(ret);
	if (!prov_cq_reserve(endpoint->receive_cq))
		return -FI_EAGAIN;
	if (!ret)
		source = prov_av_find(endpoint->av, event.source);
	entry = prov_cq_add(endpoint->receive_cq, source);
	entry->op_context = call->context;
	entry->flags = FI_RECV | (call->tagged ? FI_TAGGED : FI_MSG);
	entry->tag = ret ? call->tag : event.tag;
	if (ret) {
		entry->err = FI_ENOMSG;
		entry->prov_errno = ret;
		return 0;
	}
	if (event.flags & TORUS_MATCH_DATA)
		entry->flags |= FI_REMOTE_CQ_DATA;
	entry->len = event.full;
	entry->data = event.data;
	return 0;
}

static ssize_t receive_locked(struct prov_endpoint *endpoint,
			      struct torus_match_receive *receive, const struct call *call)
{
	ssize_t ret = 0;

	if (!endpoint->enabled || !endpoint->receive_cq)
		return -FI_EOPBADSTATE;
	if (endpoint->directed && call->address != FI_ADDR_UNSPEC)
		ret = prov_av_rank(endpoint->av, call->address, &receive->source);
	if (ret)
		return ret;
	if (call->flags & FI_PEEK)
		return receive_peek(endpoint, receive, call);
	if (call->flags & FI_CLAIM)
		return call_error(torus_match_claimed(endpoint->match, receive));
	return call_error(torus_match_receive(endpoint->match, receive));
}

static ssize_t call_receive(struct fid_ep *ep, const struct call *call)
{
	struct prov_endpoint *endpoint = ep_of(ep);
	struct torus_match_receive receive = {
		.context = call->context, .parts = call->iov, .count = call->count,
		.source = TORUS_MATCH_ANY, .tag = call->tag, .ignore = call->ignore,
		.flags = (call->tagged ? TORUS_MATCH_TAGGED : 0) |
			 (call->silent ? TORUS_MATCH_SILENT : 0) |
			 (call->flags & FI_CLAIM ? TORUS_MATCH_CLAIM : 0) |
			 (call->flags & FI_DISCARD ? TORUS_MATCH_DISCARD : 0),
	};
	ssize_t ret;

	if (call->count > IOV_MAX_PARTS)
		return -FI_EINVAL;
	pthread_mutex_lock(&endpoint->domain->lock);
	ret = receive_locked(endpoint, &receive, call);
	pthread_mutex_unlock(&endpoint->domain->lock);
	return ret;
}

/* Check whether a call with these flags gives no completion if it succeeds. */
static bool send_silent(struct fid_ep *ep, uint64_t flags)
{
	return ep_of(ep)->send_selective && !(flags & FI_COMPLETION);
}

static bool receive_silent(struct fid_ep *ep, uint64_t flags)
{
	return ep_of(ep)->receive_selective && !(flags & FI_COMPLETION);
}

/* Send with the default flags of the endpoint and @flags. */
static ssize_t send_default(struct fid_ep *ep, struct call call, uint64_t flags)
{
	call.flags = (ep_of(ep)->send_flags & SEND_FLAGS) | flags;
	call.silent = send_silent(ep, call.flags);
	return call_send(ep, &call);
}

/* Send without a completion, from buffers that the program may change after the call. */
static ssize_t send_inject(struct fid_ep *ep, struct call call, uint64_t flags)
{
	call.flags = FI_INJECT | flags;
	call.silent = true;
	if (call.iov->iov_len > INJECT_MAX)
		return -FI_EMSGSIZE;
	return call_send(ep, &call);
}

static ssize_t receive_default(struct fid_ep *ep, struct call call)
{
	call.flags = 0;
	call.silent = receive_silent(ep, ep_of(ep)->receive_flags);
	return call_receive(ep, &call);
}

static ssize_t msg_recvv(struct fid_ep *ep, const struct iovec *iov, void **desc, size_t count,
			 fi_addr_t source, void *context)
{
	return receive_default(ep, (struct call){
		.iov = iov, .count = count, .address = source, .context = context });
}

static ssize_t msg_recv(struct fid_ep *ep, void *buffer, size_t length, void *desc,
			fi_addr_t source, void *context)
{
	struct iovec iov = { buffer, length };

	return msg_recvv(ep, &iov, NULL, 1, source, context);
}

static ssize_t msg_recvmsg(struct fid_ep *ep, const struct fi_msg *msg, uint64_t flags)
{
	struct call call = {
		.iov = msg->msg_iov, .count = msg->iov_count, .address = msg->addr,
		.flags = flags, .silent = receive_silent(ep, flags), .context = msg->context,
	};

	if (flags & ~(RECEIVE_FLAGS | FI_MORE))
		return -FI_EBADFLAGS;
	return call_receive(ep, &call);
}

static ssize_t msg_sendv(struct fid_ep *ep, const struct iovec *iov, void **desc, size_t count,
			 fi_addr_t dest, void *context)
{
	return send_default(ep, (struct call){
		.iov = iov, .count = count, .address = dest, .context = context }, 0);
}

static ssize_t msg_send(struct fid_ep *ep, const void *buffer, size_t length, void *desc,
			fi_addr_t dest, void *context)
{
	struct iovec iov = { (void *)buffer, length };

	return msg_sendv(ep, &iov, NULL, 1, dest, context);
}

static ssize_t msg_sendmsg(struct fid_ep *ep, const struct fi_msg *msg, uint64_t flags)
{
	struct call call = {
		.iov = msg->msg_iov, .count = msg->iov_count, .address = msg->addr,
		.data = msg->data, .flags = flags, .silent = send_silent(ep, flags),
		.context = msg->context,
	};

	if (flags & ~(SEND_FLAGS | FI_MORE | FI_REMOTE_CQ_DATA))
		return -FI_EBADFLAGS;
	return call_send(ep, &call);
}

static ssize_t msg_senddata(struct fid_ep *ep, const void *buffer, size_t length, void *desc,
			    uint64_t data, fi_addr_t dest, void *context)
{
	struct iovec iov = { (void *)buffer, length };

	return send_default(ep, (struct call){
		.iov = &iov, .count = 1, .address = dest, .data = data, .context = context },
		FI_REMOTE_CQ_DATA);
}

static ssize_t msg_inject(struct fid_ep *ep, const void *buffer, size_t length, fi_addr_t dest)
{
	struct iovec iov = { (void *)buffer, length };

	return send_inject(ep, (struct call){ .iov = &iov, .count = 1, .address = dest }, 0);
}

static ssize_t msg_injectdata(struct fid_ep *ep, const void *buffer, size_t length,
			      uint64_t data, fi_addr_t dest)
{
	struct iovec iov = { (void *)buffer, length };

	return send_inject(ep, (struct call){
		.iov = &iov, .count = 1, .address = dest, .data = data }, FI_REMOTE_CQ_DATA);
}

struct fi_ops_msg prov_msg_ops = {
	.size = sizeof(prov_msg_ops), .recv = msg_recv, .recvv = msg_recvv,
	.recvmsg = msg_recvmsg, .send = msg_send, .sendv = msg_sendv, .sendmsg = msg_sendmsg,
	.inject = msg_inject, .senddata = msg_senddata, .injectdata = msg_injectdata,
};

static ssize_t tagged_recvv(struct fid_ep *ep, const struct iovec *iov, void **desc,
			    size_t count, fi_addr_t source, uint64_t tag, uint64_t ignore,
			    void *context)
{
	return receive_default(ep, (struct call){
		.iov = iov, .count = count, .address = source, .tagged = true, .tag = tag,
		.ignore = ignore, .context = context });
}

static ssize_t tagged_recv(struct fid_ep *ep, void *buffer, size_t length, void *desc,
			   fi_addr_t source, uint64_t tag, uint64_t ignore, void *context)
{
	struct iovec iov = { buffer, length };

	return tagged_recvv(ep, &iov, NULL, 1, source, tag, ignore, context);
}

static ssize_t tagged_recvmsg(struct fid_ep *ep, const struct fi_msg_tagged *msg, uint64_t flags)
{
	struct call call = {
		.iov = msg->msg_iov, .count = msg->iov_count, .address = msg->addr,
		.tagged = true, .tag = msg->tag, .ignore = msg->ignore, .flags = flags,
		.silent = receive_silent(ep, flags), .context = msg->context,
	};

	if (flags & ~(RECEIVE_FLAGS | FI_MORE | FI_PEEK | FI_CLAIM | FI_DISCARD))
		return -FI_EBADFLAGS;
	return call_receive(ep, &call);
}

static ssize_t tagged_sendv(struct fid_ep *ep, const struct iovec *iov, void **desc,
			    size_t count, fi_addr_t dest, uint64_t tag, void *context)
{
	return send_default(ep, (struct call){
		.iov = iov, .count = count, .address = dest, .tagged = true, .tag = tag,
		.context = context }, 0);
}

static ssize_t tagged_send(struct fid_ep *ep, const void *buffer, size_t length, void *desc,
			   fi_addr_t dest, uint64_t tag, void *context)
{
	struct iovec iov = { (void *)buffer, length };

	return tagged_sendv(ep, &iov, NULL, 1, dest, tag, context);
}

static ssize_t tagged_sendmsg(struct fid_ep *ep, const struct fi_msg_tagged *msg, uint64_t flags)
{
	struct call call = {
		.iov = msg->msg_iov, .count = msg->iov_count, .address = msg->addr,
		.tagged = true, .tag = msg->tag, .data = msg->data, .flags = flags,
		.silent = send_silent(ep, flags), .context = msg->context,
	};

	if (flags & ~(SEND_FLAGS | FI_MORE | FI_REMOTE_CQ_DATA))
		return -FI_EBADFLAGS;
	return call_send(ep, &call);
}

static ssize_t tagged_senddata(struct fid_ep *ep, const void *buffer, size_t length, void *desc,
			       uint64_t data, fi_addr_t dest, uint64_t tag, void *context)
{
	struct iovec iov = { (void *)buffer, length };

	return send_default(ep, (struct call){
		.iov = &iov, .count = 1, .address = dest, .tagged = true, .tag = tag,
		.data = data, .context = context }, FI_REMOTE_CQ_DATA);
}

static ssize_t tagged_inject(struct fid_ep *ep, const void *buffer, size_t length,
			     fi_addr_t dest, uint64_t tag)
{
	struct iovec iov = { (void *)buffer, length };

	return send_inject(ep, (struct call){
		.iov = &iov, .count = 1, .address = dest, .tagged = true, .tag = tag }, 0);
}

static ssize_t tagged_injectdata(struct fid_ep *ep, const void *buffer, size_t length,
				 uint64_t data, fi_addr_t dest, uint64_t tag)
{
	struct iovec iov = { (void *)buffer, length };

	return send_inject(ep, (struct call){
		.iov = &iov, .count = 1, .address = dest, .tagged = true, .tag = tag,
		.data = data }, FI_REMOTE_CQ_DATA);
}

struct fi_ops_tagged prov_tagged_ops = {
	.size = sizeof(prov_tagged_ops), .recv = tagged_recv, .recvv = tagged_recvv,
	.recvmsg = tagged_recvmsg, .send = tagged_send, .sendv = tagged_sendv,
	.sendmsg = tagged_sendmsg, .inject = tagged_inject, .senddata = tagged_senddata,
	.injectdata = tagged_injectdata,
};
