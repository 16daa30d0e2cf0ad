// SPDX-License-Identifier: GPL-2.0
/* Answers of this process to requests of a session, in place of those of the module. */
#include <errno.h>

#include <netlink/genl/genl.h>

#include "answer.h"

#define ANSWER_BYTES	(16 << 10)	/* enough for all parameters of a fabric */

/**
 * torus_nl_answer_new - start the message of an answer, to which attributes are added
 *
 * Return: the message, which torus_nl_answer_send() frees, or NULL without memory.
 */
struct nl_msg *torus_nl_answer_new(void)
{
	struct nl_msg *msg = nlmsg_alloc_size(ANSWER_BYTES);

	if (msg && !genlmsg_put(msg, 0, 0, 0, 0, 0, 0, TORUS_GENL_VERSION)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return msg;
}

/**
 * torus_nl_answer_send - pass a message to the caller of torus_nl_do() or torus_nl_dump()
 * @request: the request that it answers
 * @msg: the message, freed by this function; NULL is reported as lack of memory
 * @error: not 0 if an attribute did not fit into the message
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_answer_send(struct torus_nl_request *request, struct nl_msg *msg, int error)
{
	if (!msg)
		return -ENOMEM;
	error = error ? -ENOMEM : request->send(request, msg);
	nlmsg_free(msg);
	return error;
}
