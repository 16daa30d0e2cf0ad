// SPDX-License-Identifier: GPL-2.0
/* JSON documents that commands print or write to files. */
#include <stdio.h>

#include <json-c/json.h>

#include "../../common/escape.h"
#include "../../common/version.h"
#include "../../report/json.h"
#include "../../report/print.h"
#include "../../report/report.h"
#include "json.h"

/**
 * sim_json_origin - add the program's name and version to a document
 * @doc: the document
 */
void sim_json_origin(struct json_object *doc)
{
	report_add_text(doc, "program", "torus-sim");
	report_add_text(doc, "version", torus_version());
}

/**
 * sim_json_write - write an indented document and escape bytes that are not printable
 * @out: output stream
 * @doc: the document, which is freed
 */
void sim_json_write(FILE *out, struct json_object *doc)
{
	torus_escape_json(out, json_object_to_json_string_ext(doc, JSON_C_TO_STRING_PRETTY |
							      JSON_C_TO_STRING_SPACED));
	json_object_put(doc);
}

/**
 * sim_json_print - print a document with the program's name and version on standard output
 * @doc: the document, which is freed
 */
void sim_json_print(struct json_object *doc)
{
	sim_json_origin(doc);
	sim_json_write(stdout, doc);
}

/**
 * sim_json_answer - print the result of a command as JSON or as text on standard output
 * @doc: the result, which is freed
 * @json: print JSON
 * @form: format of the text, see report_print()
 */
void sim_json_answer(struct json_object *doc, bool json, const char *form)
{
	if (json) {
		sim_json_print(doc);
		return;
	}
	report_print(stdout, doc, form);
	json_object_put(doc);
}
