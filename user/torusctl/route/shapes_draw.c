// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl route shapes .. svg FILE: draw the three rings of each view. Nodes are numbered in the
 * order of the ring, as in figure 3 of Ajima et al. (2009).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../common/output_file.h"
#include "shapes_draw.h"
#include "../../config/diag.h"

#define CELL	34	/* distance between neighbouring nodes in the picture */
#define EDGE	20	/* margin around the picture of a plane */
#define LINE	18	/* height of a line of text */
#define DOT	11	/* radius of a node */

/*
 * Open the file of a picture when the first view is drawn. If no view is drawn, no file is written.
 */
static bool picture_open(struct ctl *ctl, struct shapes_picture *picture)
{
	picture->out = torus_output_open(picture->path);
	if (!picture->out) {
		ctl_error(ctl, "svg %s: %s", picture->path, strerror(errno));
		picture->failed = true;
		return false;
	}
	picture->top = LINE;
	fputs("<svg xmlns='http://www.w3.org/2000/svg' font-family='sans-serif' "
	      "font-size='12'>\n<title>Rings of torus views: along x, y or z to the right, a, b "
	      "or c downwards</title>\n", picture->out);
	return true;
}

static u32 across(u32 left, struct tofu_cycle_place place)
{
	return left + EDGE + CELL * place.along;
}

/* Return the vertical position of a node in the picture. */
static u32 down(u32 top, struct tofu_cycle_place place)
{
	return top + EDGE + CELL * place.inside;
}

/*
 * Draw a link of a ring. A link between the outer two of three places in a group passes the middle
 * place, so it is drawn as a curve around that place.
 */
static void draw_link(FILE *out, u32 left, u32 top, struct tofu_cycle_place a,
		      struct tofu_cycle_place b)
{
	u32 x = across(left, a), y = down(top, a), to_x = across(left, b), to_y = down(top, b);
	bool round = a.along == b.along && a.inside + b.inside == 2 && a.inside != b.inside;

	if (round)
		fprintf(out, "<path d='M %u %u Q %u %u %u %u' fill='none' stroke='#335'/>\n", x, y,
			x + CELL / 2, (y + to_y) / 2, to_x, to_y);
	else
		fprintf(out, "<line x1='%u' y1='%u' x2='%u' y2='%u' stroke='#335'/>\n", x, y,
			to_x, to_y);
}

static void draw_ring(FILE *out, const struct tofu_view *view, u32 axis, u32 left, u32 top)
{
	const struct tofu_cycle_place *ring = view->ring[axis];
	u32 n = view->length[axis], i;

	for (i = 0; i < n; i++)
		draw_link(out, left, top, ring[i], ring[i + 1 < n ? i + 1 : 0]);
	for (i = 0; i < n; i++)
		fprintf(out, "<circle cx='%u' cy='%u' r='%u' fill='#fff' stroke='#335'/>"
			"<text x='%u' y='%u' text-anchor='middle'>%u</text>\n",
			across(left, ring[i]), down(top, ring[i]), DOT, across(left, ring[i]),
			down(top, ring[i]) + 4, i);
}

/**
 * shapes_picture_add - add one view to a picture
 * @picture: [in, out] the picture; the first view opens its file
 * @name: shape of the view as text
 * @view: the view
 */
void shapes_picture_add(struct ctl *ctl, struct shapes_picture *picture, const char *name,
			const struct tofu_view *view)
{
	u32 left = EDGE, axis;

	if (picture->failed || (!picture->out && !picture_open(ctl, picture)))
		return;
	fprintf(picture->out, "<text x='%u' y='%u'>%s at %u,%u,%u: view %ux%ux%u%s</text>\n", left,
		picture->top, name, view->at[0], view->at[1], view->at[2], view->length[0],
		view->length[1], view->length[2], view->removed ? ", shorter" : "");
	for (axis = 0; axis < TOFU_VIEW_AXES; axis++) {
		u32 along = view->shape.along[axis];

		draw_ring(picture->out, view, axis, left, picture->top);
		fprintf(picture->out, "<text x='%u' y='%u'>%c,%c</text>\n", left,
			picture->top + 2 * EDGE + 3 * CELL - LINE, "xyz"[along],
			"abc"[view->shape.inside[axis] - TOFU_A]);
		left += 2 * EDGE + CELL * view->shape.groups[along];
	}
	picture->top += 2 * EDGE + 3 * CELL + LINE;
}

/**
 * shapes_picture_discard - discard a picture, see torus_output_discard()
 * @picture: the picture
 */
void shapes_picture_discard(struct shapes_picture *picture)
{
	if (picture->out)
		torus_output_discard(picture->out, picture->path);
}

/**
 * shapes_picture_close - complete the file of a picture
 * @picture: the picture; without a view no file is written
 *
 * Return: false after an error message if the file cannot be written.
 */
bool shapes_picture_close(struct ctl *ctl, struct shapes_picture *picture)
{
	if (!picture->out)
		return !picture->failed;
	fputs("</svg>\n", picture->out);
	if (torus_output_close(picture->out, picture->path))
		return true;
	ctl_error(ctl, "svg %s: %s", picture->path, strerror(errno));
	return false;
}
