/*
 * objid: the identity of an object file: its build-id, or its SHA-256.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "objid.h"

#include <assert.h>
#include <errno.h>
#include <sha256.h>
#include <string.h>
#include <unistd.h>

#include "file.h"

#define LARGEST ((uint64_t)16 << 30) /* to be read in less than a minute */

void objid_format(char id[OBJID_SIZE], const unsigned char *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";

    assert(2 * n < OBJID_SIZE);
    for (size_t i = 0; i < n; i++) {
        *id++ = digits[bytes[i] >> 4];
        *id++ = digits[bytes[i] & 15];
    }
    *id = '\0';
}

int objid_hash_file(char id[OBJID_SIZE], const char *path, struct diag *d)
{
    _Static_assert(OBJID_SIZE >= SHA256_DIGEST_STRING_LENGTH,
                   "a SHA-256 fits an identity");

    uint64_t size;
    int fd = file_open(path, &size, d);

    if (fd < 0)
        return -1;
    close(fd);
    if (size > LARGEST)
        return diag_set(d, "%s: larger than 16 GiB, without a build-id", path);
    if (SHA256File(path, id) == NULL)
        return diag_set(d, "%s: %s", path, strerror(errno));
    assert(strlen(id) == SHA256_DIGEST_STRING_LENGTH - 1);
    return 0;
}

void objid_hash_bytes(char id[OBJID_SIZE], const void *bytes, size_t n)
{
    SHA256Data(bytes, n, id);
}
