/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUSCTL_ROUTESURVEY_H
#define TORUSCTL_ROUTESURVEY_H

#include <json-c/json.h>

#include "../route/survey.h"
#include "ctl.h"

void survey_counts_text(const struct route_counts *counts);
void survey_counts_json(const struct route_counts *counts, struct json_object *doc);
int route_survey(struct ctl *ctl, struct ctl_args *args);

#endif /* TORUSCTL_ROUTESURVEY_H */
