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

unsigned int link_vcs(const struct torus_nl_fabric *fabric);
const char *link_vc_name(const struct torus_nl_fabric *fabric, unsigned int vc, char *text,
			 size_t size);
const char *link_stall_name(const struct torus_nl_fabric *fabric, unsigned int stall, char *text,
			    size_t size);

/* Formats of links and their counters as text, see report_print(). */
extern const char link_form[];
extern const char link_counters_form[];

#endif /* TORUSCTL_LINKPRINT_H */
