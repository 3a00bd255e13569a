/*
 * Runs a fuzz target on files without a fuzzer: on each file as it is; cut off
 * at every length; and with each of its bytes inverted, one at a time.  Files
 * larger than LARGE bytes are cut and changed in at most LARGE places.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "fuzz.h"

#define LARGE 4096u

static uint8_t *read_file(const char *path, size_t *size)
{
    uint8_t *bytes = NULL;
    size_t room = 0;
    FILE *f = fopen(path, "rb");
    int c;

    fuzz_claim(f != NULL, "the file can be read");
    *size = 0;
    while ((c = getc(f)) != EOF) {
        bytes = memory_grow(bytes, &room, *size, 1);
        bytes[(*size)++] = (uint8_t)c;
    }
    fclose(f);
    return bytes;
}

static unsigned replay(const char *path)
{
    size_t size, step;
    uint8_t *bytes = read_file(path, &size);
    unsigned n = 1;

    step = size / LARGE + 1;
    LLVMFuzzerTestOneInput(bytes, size);
    for (size_t i = 0; i < size; i += step, n += 2) {
        /* As large as the input: a sanitizer sees reads beyond it. */
        uint8_t *start = memory_new(i + 1, 1);

        memcpy(start, bytes, i);
        LLVMFuzzerTestOneInput(start, i);
        free(start);
        bytes[i] ^= 0xff;
        LLVMFuzzerTestOneInput(bytes, size);
        bytes[i] ^= 0xff;
    }
    free(bytes);
    return n;
}

int main(int argc, char **argv)
{
    unsigned n = 0;

    for (int i = 1; i < argc; i++)
        n += replay(argv[i]);
    printf("%u inputs\n", n);
    return 0;
}
