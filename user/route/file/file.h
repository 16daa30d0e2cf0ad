/* SPDX-License-Identifier: GPL-2.0 */
/* Version of the JSON format for routing tables. README.md in this directory documents the keys. */
#ifndef TORUS_USER_ROUTE_FILE_H
#define TORUS_USER_ROUTE_FILE_H

#include <stdio.h>

#include "../../parse/parse.h"
#include "../xt/table_store.h"

#define XT_FILE_VERSION	1

#endif /* TORUS_USER_ROUTE_FILE_H */
