/* SPDX-License-Identifier: GPL-2.0 */
/* torusctl route survey of a machine whose packets avoid dead nodes by hint bits. */
#ifndef TORUSCTL_ROUTESURVEY_H
#define TORUSCTL_ROUTESURVEY_H

#include <json-c/json.h>

#include "../../route/coverage.h"
#include "../../config/ctl.h"

/* Format of the numbers of pairs as text, see report_print(). */
#define SURVEY_COUNTS_FORM \
	"{pairs} pairs: {deterministic} by a clear deterministic path, {dynamic} by dynamic " \
	"packets, {relay} through a relay, {blocked} not\n" \
	"extended dependency check: {?circles}CYCLES{:}no cycle{/}\n"

void survey_counts_json(const struct route_counts *counts, struct json_object *doc);
int route_survey(struct ctl *ctl, struct ctl_args *args);

#endif /* TORUSCTL_ROUTESURVEY_H */
