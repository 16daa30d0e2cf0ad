// SPDX-License-Identifier: GPL-2.0
//
// The public headers in C++: every one is included, a function of each is called or
// named, and the program is linked.  It needs no module: attaching fails, in words.
#include <torus/bgl.h>
#include <torus/collective.h>
#include <torus/match.h>
#include <torus/message.h>
#include <torus/route.h>
#include <torus/torus.h>
#include <torus/xt.h>

#include <cstdio>
#include <string>

static bool route_is_chosen()
{
	const __u32 dims[TORUS_ROUTE_DIMS] = { 4, 4, 4 };
	struct torus_route_choice choice;
	struct torus_route_map *map;
	bool chosen;

	if (torus_route_map_new(&map, dims, TORUS_ROUTE_DIMS, 0))
		return false;
	chosen = torus_route_choose(map, 0, 63, 0, nullptr, &choice);
	torus_route_map_free(map);
	return chosen && choice.kind == TORUS_ROUTE_PATH && choice.hops == 3;
}

static bool header_is_built()
{
	const __u32 dest[3] = { 1, 2, 3 };
	struct torus_bgl_header header, read;
	unsigned char packet[32];

	torus_bgl_header_init(&header, TORUS_ROUTE_ORDERED, dest, 0, sizeof(packet));
	if (torus_bgl_header_build(packet, &header))
		return false;
	torus_bgl_header_parse(packet, &read);
	return read.dest[2] == 3 && read.chunks == 1;
}

static bool header_of_xt_is_built()
{
	struct torus_xt_header header, read;
	unsigned char packet[72];

	torus_xt_header_init(&header, 4097, 1, sizeof(packet));
	header.vc = TORUS_XT_SECOND;
	if (torus_xt_header_build(packet, &header))
		return false;
	torus_xt_header_parse(packet, &read);
	return read.node == 4097 && read.flits == 9 && TORUS_XT_FIFO(read.vc) == 1;
}

static bool failure_has_words()
{
	struct torus_attach_config config = {};
	struct torus_context *context;

	config.device = "/nonexistent";
	return torus_context_attach(&context, "none", 0, &config) < 0 &&
	       std::string(torus_error_text()).find("/nonexistent") != std::string::npos;
}

// Never called, but linked.
static int job_of_one(struct torus_context *context, void *data, __u32 length)
{
	struct torus_job_config config = {};
	struct torus_job *job;
	int ret;

	config.key = 1;
	ret = torus_job_open(&job, context, &config);
	if (!ret)
		ret = torus_message_send(job, 0, 1, data, length);
	if (!ret)
		torus_match_close(nullptr);
	if (!ret)
		ret = torus_broadcast(job, 0, TORUS_BROADCAST_CUBE, data, length, -1);
	return ret;
}

int main(int argc, char **)
{
	if (argc > 1)
		return job_of_one(nullptr, nullptr, 0);
	if (!route_is_chosen() || !header_is_built() || !header_of_xt_is_built() ||
	    !failure_has_words()) {
		std::puts("the library does not do what its headers say");
		return 1;
	}
	return 0;
}
