/* SPDX-License-Identifier: GPL-2.0 */
/* Print a figure as text and as JSON, and draw it with gnuplot. */
#ifndef TORUS_PAPER_PRINT_H
#define TORUS_PAPER_PRINT_H

#include "paper.h"

void paper_text(FILE *out, const struct paper_source *source,
		const struct paper_request *request, const struct paper_figure *figure);
void paper_json(const struct paper_source *source, const struct paper_request *request,
		const struct paper_figure *figure);
void paper_draw(FILE *script, const struct paper_source *source, const struct paper_figure *figure);

#endif
