/* touch MIB WIDTH: stores to every byte of MIB MiB of fresh memory, 1 or 8
   bytes at a time.  It shows how much memory a tool needs for each byte. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int touch(size_t n, int width)
{
    volatile uint8_t *bytes = malloc(n);
    volatile uint64_t *words = (volatile uint64_t *)bytes;

    if (bytes == NULL) {
        perror("touch");
        return 1;
    }
    if (width == 8)
        for (size_t i = 0; i < n / 8; i++)
            words[i] = i;
    else
        for (size_t i = 0; i < n; i++)
            bytes[i] = (uint8_t)i;
    return 0;
}

int main(int argc, char **argv)
{
    int width = argc == 3 ? atoi(argv[2]) : 0;

    if (width == 1 || width == 8)
        return touch((size_t)atoi(argv[1]) << 20, width);
    fprintf(stderr, "usage: touch MIB 1|8\n");
    return 2;
}
