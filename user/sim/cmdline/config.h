/* SPDX-License-Identifier: GPL-2.0 */
/* Configurations: the options of a run or a sweep as a JSON object. */
#ifndef TORUS_SIM_CONFIG_H
#define TORUS_SIM_CONFIG_H

#include "cmdline.h"

struct json_object;
struct sim_axes;

int sim_config_read(struct sim_cmdline *typed, unsigned int command);
int sim_config_text(struct sim_cmdline *typed, unsigned int command, const char *name,
		    const char *text);
u64 sim_config_mark(const struct sim_cmdline *typed, unsigned int command);
int sim_config_no_memory(const char *file);
const char *sim_config_word(struct sim_config *config, const char *key, const char *value);
bool sim_config_keep(struct sim_config *config, char *word, bool own);
bool sim_config_has(const struct sim_config *config, const char *word);
void sim_config_from(const struct sim_cmdline *typed, const char *one, const char *other);
void sim_config_free(struct sim_config *config);
struct json_object *sim_config_json(const struct sim_cmdline *typed, unsigned int command);
struct json_object *sim_config_value(const char *word);
char sim_config_separator(const char *key);

#endif /* TORUS_SIM_CONFIG_H */
