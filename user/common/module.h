/* SPDX-License-Identifier: GPL-2.0 */
/* Compose the command that loads the module. */
#ifndef TORUS_COMMON_MODULE_H
#define TORUS_COMMON_MODULE_H

#include <stddef.h>

const char *torus_module_command(char *text, size_t size);

#endif /* TORUS_COMMON_MODULE_H */
