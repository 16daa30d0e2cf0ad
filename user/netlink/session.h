/* SPDX-License-Identifier: GPL-2.0 */
/* A session with the generic netlink family of the module: requests, dumps and errors. */
#ifndef TORUS_NL_SESSION_H
#define TORUS_NL_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/torus.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "reply.h"

/*
 * Functions that send requests return 0 or a negative errno. After an error, torus_nl_error()
 * returns an error message. If the module sent a message (extack), it is that message.
 */
struct torus_nl;

/**
 * struct torus_nl_list - records of a dump
 * @size: bytes of a record
 * @parse: function that fills in a zeroed record from a message; returns 0 or a negative errno
 * @items: array of records, freed by the caller
 * @capacity: private to session.c
 */
struct torus_nl_list {
	size_t size;
	int (*parse)(const struct torus_nl_reply *reply, void *item);
	void *items;
	size_t count;
	size_t capacity;
};

/**
 * struct torus_nl_request - a request that this process answers in place of the module
 * @cmd: the command
 * @dump: true if the request asks for a list
 * @attrs: attributes of the request
 * @why: [out] reason if the request is rejected
 * @why_size: bytes of @why
 * @exchange: private to session.c
 * @send: passes an answer to the requester; see torus_nl_answer_send()
 */
struct torus_nl_request {
	enum torus_cmd cmd;
	bool dump;
	struct torus_nl_reply attrs;
	char *why;
	size_t why_size;
	void *exchange;
	int (*send)(struct torus_nl_request *request, struct nl_msg *msg);
};

struct torus_nl *torus_nl_new(void);
int torus_nl_connect(struct torus_nl *nl);
bool torus_nl_loaded(struct torus_nl *nl);
void torus_nl_connect_to(struct torus_nl *nl,
			 int (*answer)(void *arg, struct torus_nl_request *request), void *arg);
void torus_nl_free(struct torus_nl *nl);
int torus_nl_fail(struct torus_nl *nl, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
const char *torus_nl_error(const struct torus_nl *nl);
const char *torus_nl_note(const struct torus_nl *nl);

struct nl_msg *torus_nl_message(struct torus_nl *nl, enum torus_cmd cmd, const char *fabric);
int torus_nl_do(struct torus_nl *nl, struct nl_msg *msg,
		int (*parse)(const struct torus_nl_reply *reply, void *item), void *item);
int torus_nl_dump(struct torus_nl *nl, struct nl_msg *msg, struct torus_nl_list *list);
int torus_nl_listen(struct torus_nl *nl);
int torus_nl_listen_fd(struct torus_nl *nl);
int torus_nl_receive(struct torus_nl *nl,
		     int (*event)(const struct torus_nl_reply *reply, void *arg), void *arg);

#endif /* TORUS_NL_SESSION_H */
