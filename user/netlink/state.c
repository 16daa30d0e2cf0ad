// SPDX-License-Identifier: GPL-2.0
/* Save the state of a fabric with its workload, and restore it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

#define PART_BYTES	8192	/* bytes of a state in one request: half of a request's 16 KB */

/* ----------------------------------------------------------------------- save */

/* State of a transfer: the part of a fabric's state that has arrived. */
struct state_reply {
	unsigned char *state;
	size_t bytes;
	size_t have;
};

static int state_parse(const struct torus_nl_reply *reply, void *item)
{
	struct state_reply *arriving = item;
	unsigned char part[PART_BYTES];
	size_t length = torus_nl_binary(reply, TORUS_A_FABRIC_STATE, part, sizeof(part));
	size_t bytes = torus_nl_u64(reply, TORUS_A_VALUE);

	if (!arriving->state) {
		arriving->state = malloc(bytes ? bytes : 1);
		if (!arriving->state)
			return -ENOMEM;
		arriving->bytes = bytes;
	}
	if (!length || length > sizeof(part) || bytes != arriving->bytes ||
	    length > bytes - arriving->have)
		return -EBADMSG;
	memcpy(arriving->state + arriving->have, part, length);
	arriving->have += length;
	return 0;
}

/**
 * torus_nl_state_save - read the state of a fabric and of its workload
 * @fabric: name of the fabric. The fabric stops while the module copies its state
 * @options: options of the run, as in torus-sim's checkpoints
 * @state: [out] freed by the caller
 * @bytes: [out] length of @state
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_state_save(struct torus_nl *nl, const char *fabric, const char *options,
			void **state, size_t *bytes)
{
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_STATE_SAVE, fabric);
	struct state_reply arriving = { .have = 0 };
	int error;

	if (msg && nla_put(msg, TORUS_A_OPTIONS, (int)strlen(options), options)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	error = torus_nl_do(nl, msg, NULL, NULL);
	while (!error && (!arriving.state || arriving.have < arriving.bytes)) {
		msg = torus_nl_message(nl, TORUS_CMD_STATE_GET, fabric);
		if (msg && nla_put_u64(msg, TORUS_A_VALUE, arriving.have)) {
			nlmsg_free(msg);
			msg = NULL;
		}
		error = torus_nl_do(nl, msg, state_parse, &arriving);
	}
	if (error)
		free(arriving.state);
	*state = error ? NULL : arriving.state;
	*bytes = arriving.have;
	return error;
}

/* -------------------------------------------------------------------- restore */

static int state_write(struct torus_nl *nl, const char *fabric, const uint64_t *bytes,
		       const void *part, size_t length)
{
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_STATE_WRITE, fabric);

	if (msg && ((bytes && nla_put_u64(msg, TORUS_A_VALUE, *bytes)) ||
		    (part && nla_put(msg, TORUS_A_FABRIC_STATE, (int)length, part)))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return torus_nl_do(nl, msg, NULL, NULL);
}

/**
 * torus_nl_state_load - restore a state into a new fabric
 * @fabric: name of the fabric; its configuration must be that of the saved fabric
 * @state: content of a complete state file
 * @bytes: length of @state
 * @traffic: workload of the saved fabric; if it has a pair list, the list must have been loaded
 *
 * Return: 0 or a negative errno; after an error the fabric is unchanged.
 */
int torus_nl_state_load(struct torus_nl *nl, const char *fabric, const void *state, size_t bytes,
			const struct torus_traffic *traffic)
{
	const uint64_t all = bytes;
	const char *part = state;
	int error = state_write(nl, fabric, &all, NULL, 0);
	struct nl_msg *msg;

	while (bytes && !error) {
		size_t some = bytes < PART_BYTES ? bytes : PART_BYTES;

		error = state_write(nl, fabric, NULL, part, some);
		part += some;
		bytes -= some;
	}
	if (error)
		return error;
	msg = torus_nl_message(nl, TORUS_CMD_STATE_COMMIT, fabric);
	if (msg && nla_put(msg, TORUS_A_TRAFFIC, sizeof(*traffic), traffic)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return torus_nl_do(nl, msg, NULL, NULL);
}
