/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Version of JSON files with routing tables. README.md in this directory documents their keys.
 */
#ifndef TORUS_USER_ROUTE_FILE_H
#define TORUS_USER_ROUTE_FILE_H

#include <stdio.h>

#include "../../parse/parse.h"
#include "../xt/table_store.h"

#define XT_FILE_VERSION	1

#endif /* TORUS_USER_ROUTE_FILE_H */
