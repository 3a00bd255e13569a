/*
 * objid: the identity of an object file: its build-id, or its SHA-256.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_OBJID_H
#define COMMON_OBJID_H

#include <stddef.h>

#include "diag.h"

#define OBJID_SIZE 129 /* room for a build-id of 64 bytes in hexadecimal */

/* Writes n bytes, at most 64, in lower-case hexadecimal with a final zero. */
void objid_format(char id[OBJID_SIZE], const unsigned char *bytes, size_t n);

/* The SHA-256 of the file's bytes in hexadecimal. */
int objid_hash_file(char id[OBJID_SIZE], const char *path, struct diag *d);

/* The SHA-256 of n bytes in memory, in hexadecimal. */
void objid_hash_bytes(char id[OBJID_SIZE], const void *bytes, size_t n);

#endif
