/* SPDX-License-Identifier: GPL-2.0 */
/* Write a record as a page: one HTML file that needs no other. */
#ifndef TORUS_PLAYER_PAGE_H
#define TORUS_PLAYER_PAGE_H

#include "record.h"

#define PLAYER_BYTES_MAX	20000000u	/* maximum size of a page */

bool player_page_write(const struct player_record *record, const char *title, const char *path,
		       struct parse_error *why);

#endif /* TORUS_PLAYER_PAGE_H */
