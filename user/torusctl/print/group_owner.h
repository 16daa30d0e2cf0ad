/* SPDX-License-Identifier: GPL-2.0 */
/* Format the owners of FIFO groups and gates as text and as records. */
#ifndef TORUS_TORUSCTL_PRINT_GROUP_OWNER_H
#define TORUS_TORUSCTL_PRINT_GROUP_OWNER_H

#include <json-c/json.h>

#include "../../netlink/context.h"
#include "../../netlink/fabric.h"

/* Buffer size for holder_text(): the longest command and a process number. */
#define HOLDER_TEXT_MAX (4 * sizeof(((struct torus_nl_context *)0)->command) + 32)

const char *holder_text(const struct torus_nl_context *context, char text[HOLDER_TEXT_MAX]);
struct json_object *holder_json(const struct torus_nl_fabric *fabric,
				const struct torus_nl_context *context);
struct json_object *holders_json(const struct torus_nl_fabric *fabric,
				 const struct torus_nl_context *contexts, size_t count,
				 const uint32_t *node);

/* Format of a group owner in a list, without the owner's node; see report_print(). */
#define HOLDER_COMMAND	"{+driver}driver {command}{:}{command}{?pid} pid {pid}{:}" \
			" of another PID namespace{/}{/}"
#define HOLDER_FORM	"{+group}group {group}{:}gates{/} held by " HOLDER_COMMAND " uid {uid}\n"

#endif /* TORUS_TORUSCTL_PRINT_GROUP_OWNER_H */
