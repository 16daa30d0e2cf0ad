#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
How the structs of the Python package lie in memory, to be compared with C's.

    python_layout.py python     prints size and offsets of each
    python_layout.py program    prints a C program that prints the same

A struct of the package may end before C's does when it is only read: struct
torus_ioc_info.
"""

import sys

from torus import _library

STRUCTS = {
    "Numbering": "struct torus_numbering",
    "Info": "struct torus_ioc_info",
    "FabricInfo": "struct torus_fabric_info",
    "AttachConfig": "struct torus_attach_config",
    "Member": "struct torus_member",
    "JobConfig": "struct torus_job_config",
    "JobOptions": "struct torus_job_options",
    "MessageInfo": "struct torus_message_info",
    "AlltoallConfig": "struct torus_alltoall_config",
}
SHORT = {"Info"}


def main():
    """Prints one or the other."""
    program = sys.argv[1] == "program"
    if program:
        print("#include <stddef.h>\n#include <stdio.h>\n#include <torus/collective.h>\n"
              "int main(void)\n{")
    for name, struct in STRUCTS.items():
        ours = getattr(_library, name)
        if name not in SHORT:
            if program:
                print(f'\tprintf("{name} %zu\\n", sizeof({struct}));')
            else:
                print(name, _library.ctypes.sizeof(ours))
        for member, *_ in ours._fields_:
            if program:
                print(f'\tprintf("{name}.{member} %zu\\n", offsetof({struct}, {member}));')
            else:
                print(f"{name}.{member}", getattr(ours, member).offset)
    if program:
        print("\treturn 0;\n}")


main()
