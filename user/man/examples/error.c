// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <torus/torus.h>

int main(void)
{
	struct torus_fabric_info fabric;

	if (torus_fabric_find("a-name-that-no-fabric-has", &fabric))
		printf("%s\n", torus_error_text());
	printf("%s\n", torus_error_refuse(TORUS_REFUSE_SELF));
	printf("%s\n", torus_error_drop(TORUS_DROP_NO_LISTENER));
	return 0;
}
