/* SPDX-License-Identifier: GPL-2.0 */
/* Convert links and their counters to records. */
#ifndef TORUSCTL_LINKPRINT_H
#define TORUSCTL_LINKPRINT_H

#include <json-c/json.h>

#include "../../netlink/fabric.h"
#include "../../netlink/link.h"
#include "../../config/ctl.h"

struct json_object *link_json(const struct ctl *ctl, const struct torus_nl_fabric *fabric,
			      const struct torus_nl_link *link);
struct json_object *link_counters_json(const struct torus_nl_fabric *fabric,
				       const struct torus_nl_link *link);

/* Formats of links and their counters as text, see report_print(). */
extern const char link_form[];
extern const char link_counters_form[];

#endif /* TORUSCTL_LINKPRINT_H */
