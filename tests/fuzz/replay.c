/*
 * Runs a fuzz target on files without a fuzzer: on each file as it is; cut off
 * at every length; and with each of its bytes inverted, one at a time.  Files
 * larger than LARGE bytes are cut and changed in at most LARGE places.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "fuzz.h"

#define LARGE 4096u

static unsigned replay(const char *path)
{
    FILE *f = fopen(path, "rb");
    unsigned n = 1;
    size_t size;

    fuzz_claim(f != NULL, "the file can be read");

    uint8_t *bytes = (uint8_t *)memory_contents(f, SIZE_MAX, &size);
    size_t step = size / LARGE + 1;

    fclose(f);
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
