// SPDX-License-Identifier: GPL-2.0
//
// A program somewhere else, in C++, which knows of uTofu what pkg-config tells it, and counts calls
// of one function by a function of its own.  It needs no module: it hears what is missing.
#include <utofu.h>
#include <utofu_profile.h>

#include <cstdio>
#include <cstring>

extern "C" void utofu_get_last_error(const char *text);

static int calls;

extern "C" int utofu_query_my_coords(uint8_t coords[])
{
	calls++;
	return putofu_query_my_coords(coords);
}

int main()
{
	uint8_t at[6] = { 1, 2, 3, 1, 2, 1 }, coords[6];
	char text[1024] = "";
	utofu_vcq_id_t id;
	uint16_t extra;

	if (utofu_construct_vcq_id(at, 3, 0, 5, &id) ||
	    utofu_query_vcq_info(id, coords, nullptr, nullptr, &extra) || extra != 5 ||
	    std::memcmp(at, coords, sizeof(at)))
		return 1;
	if (utofu_query_my_coords(coords) != UTOFU_ERR_FATAL || calls != 1)
		return 2;
	utofu_get_last_error(text);
	std::puts(text);
	return std::strstr(text, "TORUS_FABRIC") ? 0 : 3;
}
