/* SPDX-License-Identifier: GPL-2.0 */
/* Check the file name extensions of output files. */
#ifndef TORUS_COMMON_EXTENSION_H
#define TORUS_COMMON_EXTENSION_H

const char *torus_extension_wrong(const char *path, const char *writes);

#endif /* TORUS_COMMON_EXTENSION_H */
