// SPDX-License-Identifier: GPL-2.0
/*
 * Session with the module: requests, dumps, error messages.
 *
 * If a dump fails after it has started, NLMSG_DONE contains the error, which libnl ignores.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/netlink.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/family.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>

#include "../common/module.h"
#include "extack.h"
#include "session.h"

#define COMMAND_BYTES	256	/* maximum bytes of the command that loads the module */
#define ERROR_MAX	512
/* bytes of the socket's receive buffer; an overflow loses events */
#define BUFFER_BYTES	(1 << 20)
/* maximum bytes of a message, because the attribute with a job's nodes may have 64 KiB */
#define MESSAGE_BYTES	(80 << 10)
/* bytes of a request's buffer, enough for all parameters of a fabric; a job may need more */
#define REQUEST_BYTES	(16 << 10)
/* maximum number of attempts for a dump that changes interrupt */
#define DUMP_ROUNDS	8

struct torus_nl {
	int (*answer)(void *arg, struct torus_nl_request *request);
	void *answer_arg;
	struct nl_sock *sock;
	int family;
	char error[ERROR_MAX];
	char note[ERROR_MAX];
};

/* State of a request while its replies are received. */
struct exchange {
	struct torus_nl *nl;
	struct nlmsghdr *request;
	int (*parse)(const struct torus_nl_reply *reply, void *item);
	void *item;
	struct torus_nl_list *list;
	bool pending;
	bool interrupted;
	int error;
};

/**
 * torus_nl_fail - store an error message
 * @error: negative errno
 * @format: the message, which torus_nl_error() returns
 *
 * Return: @error.
 */
int torus_nl_fail(struct torus_nl *nl, int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(nl->error, sizeof(nl->error), format, args);
	va_end(args);
	return error;
}

/* Convert an error of libnl to an errno. Only errors that can occur in this file are handled. */
static int session_errno(int libnl_error)
{
	switch (-libnl_error) {
	case NLE_NOMEM:
		return -ENOMEM;
	case NLE_PERM:
		return -EPERM;
	case NLE_OBJ_NOTFOUND:
		return -ENOENT;
	case NLE_AGAIN:
		return -EAGAIN;
	case NLE_MSG_TRUNC:
	case NLE_MSG_TOOSHORT:
		return -EMSGSIZE;
	default:
		return -EIO;
	}
}

static int session_nl_fail(struct torus_nl *nl, const char *what, int libnl_error)
{
	return torus_nl_fail(nl, session_errno(libnl_error), "%s: %s", what,
			     nl_geterror(libnl_error));
}

/**
 * torus_nl_new - allocate a session that is not connected
 *
 * Return: the session, or NULL without memory.
 */
struct torus_nl *torus_nl_new(void)
{
	return calloc(1, sizeof(struct torus_nl));
}

/**
 * torus_nl_free - free a session
 * @nl: may be NULL
 */
void torus_nl_free(struct torus_nl *nl)
{
	if (!nl)
		return;
	nl_socket_free(nl->sock);
	free(nl);
}

/**
 * torus_nl_error - get the message of the last error
 *
 * Return: a sentence without a full stop, never NULL.
 */
const char *torus_nl_error(const struct torus_nl *nl)
{
	return nl->error;
}

/**
 * torus_nl_note - get the warning of the last request
 *
 * Return: a warning of the module or of the session about a request that succeeded; "" if there
 * is none.
 */
const char *torus_nl_note(const struct torus_nl *nl)
{
	return nl->note;
}

/**
 * torus_nl_connect - open the socket and find the module's family
 * @nl: a new session
 *
 * Return: 0 or a negative errno; -ENOENT if the module is not loaded.
 */
int torus_nl_connect(struct torus_nl *nl)
{
	char command[COMMAND_BYTES];
	int one = 1;
	int error;
	int fd;

	nl->sock = nl_socket_alloc();
	if (!nl->sock)
		return torus_nl_fail(nl, -ENOMEM, "out of memory for a netlink socket");
	error = genl_connect(nl->sock);
	if (error)
		return session_nl_fail(nl, "cannot open a netlink socket", error);

	/*
	 * Older kernels do not have these options. Sessions work without them, but error messages
	 * are less precise.
	 */
	fd = nl_socket_get_fd(nl->sock);
	setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
	setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &one, sizeof(one));
	nl_socket_set_buffer_size(nl->sock, BUFFER_BYTES, 0);
	nl_socket_set_msg_buf_size(nl->sock, MESSAGE_BYTES);

	nl->family = genl_ctrl_resolve(nl->sock, TORUS_GENL_NAME);
	if (nl->family == -NLE_OBJ_NOTFOUND)
		return torus_nl_fail(nl, -ENOENT, "torus module is not loaded (%s)",
				     torus_module_command(command, sizeof(command)));
	if (nl->family < 0)
		return session_nl_fail(nl, "cannot find the netlink family", nl->family);
	return 0;
}

/**
 * torus_nl_loaded - check whether the module is loaded
 * @nl: a session that was connected
 *
 * Lists all families. A request for a family by name would make the kernel load the module.
 */
bool torus_nl_loaded(struct torus_nl *nl)
{
	struct genl_family *family;
	struct nl_cache *cache;

	if (genl_ctrl_alloc_cache(nl->sock, &cache))
		return false;
	family = genl_ctrl_search_by_name(cache, TORUS_GENL_NAME);
	if (family)
		genl_family_put(family);
	nl_cache_free(cache);
	return family;
}

/**
 * torus_nl_connect_to - have a function of this process answer all requests of a session
 * @nl: a new session
 * @answer: answers a request by torus_nl_answer_send(), and returns 0; or returns a negative errno,
 *    with the reason in the request
 * @arg: argument of @answer
 */
void torus_nl_connect_to(struct torus_nl *nl,
			 int (*answer)(void *arg, struct torus_nl_request *request), void *arg)
{
	nl->answer = answer;
	nl->answer_arg = arg;
}

/**
 * torus_nl_message - start the message of a request
 * @cmd: the command
 * @fabric: name of the fabric, or NULL
 *
 * Return: the message, which torus_nl_do() or torus_nl_dump() frees; NULL without memory.
 */
struct nl_msg *torus_nl_message(struct torus_nl *nl, enum torus_cmd cmd, const char *fabric)
{
	struct nl_msg *msg = nlmsg_alloc_size(REQUEST_BYTES);

	if (!msg)
		return NULL;
	if (!genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, nl->family, 0, 0, cmd,
			 TORUS_GENL_VERSION) ||
	    (fabric && nla_put_string(msg, TORUS_A_FABRIC, fabric))) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

static const char *session_strerror(int error)
{
	switch (error) {
	case -EPERM:
		return "configuration requires CAP_NET_ADMIN in the initial user namespace";
	case -EOPNOTSUPP:
		return "the loaded module does not support this request";
	default:
		return strerror(-error);
	}
}

static void session_refused(struct exchange *exchange, int error, struct nlattr *first, int length)
{
	struct torus_nl *nl = exchange->nl;

	exchange->error = error;
	if (!torus_nl_extack(exchange->request, first, length, nl->error, sizeof(nl->error)))
		torus_nl_fail(nl, error, "%s", session_strerror(error));
}

static int session_on_error(struct sockaddr_nl *from, struct nlmsgerr *err, void *arg)
{
	struct exchange *exchange = arg;
	struct nlmsghdr *hdr = (struct nlmsghdr *)((char *)err - NLMSG_HDRLEN);
	struct nlattr *first;
	int length;

	(void)from;
	first = torus_nl_extack_attrs(hdr, &length);
	session_refused(exchange, err->error, first, length);
	exchange->pending = false;
	return NL_STOP;
}

static int session_on_ack(struct nl_msg *msg, void *arg)
{
	struct exchange *exchange = arg;
	struct torus_nl *nl = exchange->nl;
	struct nlattr *first;
	int length;

	first = torus_nl_extack_attrs(nlmsg_hdr(msg), &length);
	torus_nl_extack(exchange->request, first, length, nl->note, sizeof(nl->note));
	exchange->pending = false;
	return NL_STOP;
}

static int session_on_finish(struct nl_msg *msg, void *arg)
{
	struct exchange *exchange = arg;
	struct nlmsghdr *hdr = nlmsg_hdr(msg);
	int error = 0;

	if (nlmsg_datalen(hdr) >= (int)sizeof(error))
		memcpy(&error, nlmsg_data(hdr), sizeof(error));
	if (error < 0)
		session_refused(exchange, error,
				(struct nlattr *)((char *)nlmsg_data(hdr) + sizeof(error)),
				hdr->nlmsg_flags & NLM_F_ACK_TLVS ?
				nlmsg_datalen(hdr) - (int)sizeof(error) : 0);
	exchange->pending = false;
	return NL_STOP;
}

static int session_on_interrupted(struct nl_msg *msg, void *arg)
{
	struct exchange *exchange = arg;

	(void)msg;
	exchange->interrupted = true;
	return NL_OK;
}

static void *session_list_grow(struct torus_nl_list *list)
{
	size_t capacity = list->capacity ? list->capacity * 2 : 64;
	void *items;

	if (list->count == list->capacity) {
		items = reallocarray(list->items, capacity, list->size);
		if (!items)
			return NULL;
		list->items = items;
		list->capacity = capacity;
	}
	return memset((char *)list->items + list->count * list->size, 0, list->size);
}

static int session_on_reply(struct nl_msg *msg, void *arg)
{
	struct exchange *exchange = arg;
	struct torus_nl_reply reply;
	void *item = exchange->item;
	int error;

	/*
	 * After a failure, read and discard all remaining messages, so that the next request finds
	 * the socket empty.
	 */
	if (exchange->error)
		return NL_SKIP;
	if (exchange->list) {
		item = session_list_grow(exchange->list);
		if (!item) {
			exchange->error = torus_nl_fail(exchange->nl, -ENOMEM,
							"out of memory for the reply");
			return NL_SKIP;
		}
	}
	error = torus_nl_reply_parse(nlmsg_hdr(msg), &reply);
	if (!error && exchange->parse)
		error = exchange->parse(&reply, item);
	if (error)
		exchange->error = torus_nl_fail(exchange->nl, error,
						"the module sent a malformed reply");
	else if (exchange->list)
		exchange->list->count++;
	return NL_OK;
}

/* Implement torus_nl_request.send: pass an answer to the requester. */
static int session_on_answer(struct torus_nl_request *request, struct nl_msg *msg)
{
	struct exchange *exchange = request->exchange;

	session_on_reply(msg, exchange);
	return exchange->error;
}

/* Have this process answer a request. */
static int session_answer(struct exchange *exchange, struct nl_msg *msg)
{
	struct torus_nl *nl = exchange->nl;
	struct torus_nl_request request = {
		.cmd = genlmsg_hdr(nlmsg_hdr(msg))->cmd, .dump = exchange->list,
		.why = nl->error, .why_size = sizeof(nl->error), .exchange = exchange,
		.send = session_on_answer,
	};
	int error = torus_nl_reply_parse(nlmsg_hdr(msg), &request.attrs);

	nl->error[0] = '\0';
	nl->note[0] = '\0';
	exchange->error = 0;
	exchange->interrupted = false;
	if (!error)
		error = nl->answer(nl->answer_arg, &request);
	if (error && !nl->error[0])
		torus_nl_fail(nl, error, "%s", session_strerror(error));
	return error;
}

static int session_run(struct exchange *exchange, struct nl_msg *msg)
{
	struct torus_nl *nl = exchange->nl;
	struct nl_cb *cb;
	int error;

	if (nl->answer)
		return session_answer(exchange, msg);
	cb = nl_cb_alloc(NL_CB_DEFAULT);
	if (!cb)
		return torus_nl_fail(nl, -ENOMEM, "out of memory for a request");
	nl_cb_err(cb, NL_CB_CUSTOM, session_on_error, exchange);
	nl_cb_set(cb, NL_CB_ACK, NL_CB_CUSTOM, session_on_ack, exchange);
	nl_cb_set(cb, NL_CB_FINISH, NL_CB_CUSTOM, session_on_finish, exchange);
	nl_cb_set(cb, NL_CB_DUMP_INTR, NL_CB_CUSTOM, session_on_interrupted, exchange);
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, session_on_reply, exchange);

	nl->error[0] = '\0';
	nl->note[0] = '\0';
	exchange->request = nlmsg_hdr(msg);
	exchange->error = 0;
	exchange->interrupted = false;
	exchange->pending = true;
	error = nl_send_auto(nl->sock, msg);
	if (error < 0) {
		error = session_nl_fail(nl, "cannot send a request", error);
		goto free_cb;
	}
	error = 0;
	while (exchange->pending) {
		error = nl_recvmsgs(nl->sock, cb);
		/*
		 * nl_recvmsgs() returns an error also for a rejected request. A callback has
		 * handled that case.
		 */
		if (error < 0 && exchange->pending) {
			error = session_nl_fail(nl, "no answer from the module", error);
			goto free_cb;
		}
	}
	error = exchange->error;

free_cb:
	nl_cb_put(cb);
	return error;
}

/**
 * torus_nl_do - send a request, wait for its reply and its acknowledgement
 * @msg: message from torus_nl_message(), freed by this function; NULL is reported as lack of memory
 * @parse: function that parses the reply; NULL if no reply is expected
 * @item: argument of @parse
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_do(struct torus_nl *nl, struct nl_msg *msg,
		int (*parse)(const struct torus_nl_reply *reply, void *item), void *item)
{
	struct exchange exchange = { .nl = nl, .parse = parse, .item = item };
	int error;

	if (!msg)
		return torus_nl_fail(nl, -ENOMEM, "out of memory for a request");
	nlmsg_hdr(msg)->nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK;
	error = session_run(&exchange, msg);
	nlmsg_free(msg);
	return error;
}

/**
 * torus_nl_dump - request a list
 * @msg: message from torus_nl_message(), freed by this function; NULL is reported as lack of memory
 * @list: [in, out] the list, with @size and @parse set; empty after an error
 *
 * If fabrics change during the dump, the dump is discarded and repeated, and torus_nl_note()
 * returns a warning.
 *
 * Return: 0 or a negative errno; -EAGAIN if the fabrics changed during each attempt.
 */
int torus_nl_dump(struct torus_nl *nl, struct nl_msg *msg, struct torus_nl_list *list)
{
	struct exchange exchange = { .nl = nl, .parse = list->parse, .list = list };
	unsigned int round;
	int error;

	list->items = NULL;
	list->capacity = 0;
	if (!msg)
		return torus_nl_fail(nl, -ENOMEM, "out of memory for a request");
	nlmsg_hdr(msg)->nlmsg_flags |= NLM_F_REQUEST | NLM_F_DUMP;
	for (round = 0; round < DUMP_ROUNDS; round++) {
		list->count = 0;
		nlmsg_hdr(msg)->nlmsg_seq = NL_AUTO_SEQ;
		error = session_run(&exchange, msg);
		if (error || !exchange.interrupted)
			break;
	}
	if (!error && exchange.interrupted)
		error = torus_nl_fail(nl, -EAGAIN,
				      "the fabrics changed during each of %d listings",
				      DUMP_ROUNDS);
	if (!error && round)
		snprintf(nl->note, sizeof(nl->note),
			 "the fabrics changed during the listing, which is repeated");
	if (error) {
		free(list->items);
		list->items = NULL;
		list->count = 0;
	}
	nlmsg_free(msg);
	return error;
}

/**
 * torus_nl_listen - join the multicast groups of events
 * @nl: the session; from now on only torus_nl_receive() can use it
 *
 * Return: 1; 0 if this user does not receive events of fabrics with restricted access; or a
 * negative errno.
 */
int torus_nl_listen(struct torus_nl *nl)
{
	int group = genl_ctrl_resolve_grp(nl->sock, TORUS_GENL_NAME, TORUS_GENL_MCGRP_EVENTS);
	int error;

	if (group < 0)
		return session_nl_fail(nl, "cannot find the multicast group of events", group);
	error = nl_socket_add_membership(nl->sock, group);
	if (error)
		return session_nl_fail(nl, "cannot join the multicast group of events", error);
	group = genl_ctrl_resolve_grp(nl->sock, TORUS_GENL_NAME, TORUS_GENL_MCGRP_EVENTS_ADMIN);
	return group >= 0 && !nl_socket_add_membership(nl->sock, group);
}

/**
 * torus_nl_listen_fd - get a file descriptor to poll for events
 * @nl: torus_nl_listen() must have been called; torus_nl_receive() does not block any more
 *
 * Return: the file descriptor, which the session owns.
 */
int torus_nl_listen_fd(struct torus_nl *nl)
{
	nl_socket_set_nonblocking(nl->sock);
	return nl_socket_get_fd(nl->sock);
}

struct listener {
	int (*event)(const struct torus_nl_reply *reply, void *arg);
	void *arg;
	int error;
};

static int session_on_event(struct nl_msg *msg, void *arg)
{
	struct listener *listener = arg;
	struct torus_nl_reply reply;

	listener->error = torus_nl_reply_parse(nlmsg_hdr(msg), &reply);
	if (!listener->error)
		listener->error = listener->event(&reply, listener->arg);
	return listener->error ? NL_STOP : NL_OK;
}

/* Accept any sequence number, because events are not replies to requests. */
static int session_no_sequence(struct nl_msg *msg, void *arg)
{
	(void)msg;
	(void)arg;
	return NL_OK;
}

/**
 * torus_nl_receive - receive events and pass them to a callback
 * @nl: torus_nl_listen() must have been called
 * @event: function that is called for each event; if it returns a value other than 0, the loop ends
 * @arg: argument of @event
 *
 * Return: the last return value of @event, or a negative errno. -ENOBUFS if events were lost
 * because they were read too slowly; the caller may continue. -EAGAIN after torus_nl_listen_fd() if
 * there are no more events.
 */
int torus_nl_receive(struct torus_nl *nl,
		     int (*event)(const struct torus_nl_reply *reply, void *arg), void *arg)
{
	struct listener listener = { .event = event, .arg = arg };
	struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);
	int error;

	if (!cb)
		return torus_nl_fail(nl, -ENOMEM, "out of memory for events");
	nl_cb_set(cb, NL_CB_SEQ_CHECK, NL_CB_CUSTOM, session_no_sequence, NULL);
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, session_on_event, &listener);
	do {
		errno = 0;
		error = nl_recvmsgs(nl->sock, cb);
	} while (error >= 0 && !listener.error);
	if (listener.error == -EBADMSG)
		error = torus_nl_fail(nl, -EBADMSG, "the module sent a malformed event");
	else if (listener.error)
		error = listener.error;
	else if (errno == ENOBUFS)
		error = torus_nl_fail(nl, -ENOBUFS, "events were lost");
	else if (error == -NLE_AGAIN)
		error = torus_nl_fail(nl, -EAGAIN, "no event is available");
	else
		error = session_nl_fail(nl, "cannot receive events", error);
	nl_cb_put(cb);
	return error;
}
