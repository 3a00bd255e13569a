/*
 * demangle: the names of functions as people read them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "object/demangle.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

#define LONGEST 128

/* Of the ABI of C++, in libstdc++: the caller frees the name.  NULL if the
   symbol is not one of C++. */
char *__cxa_demangle(const char *symbol, char *buffer, size_t *size,
                     int *status);

/* "@plt" or a version may follow the symbol. */
void demangle_write(FILE *out, const char *symbol,
                    void (*write)(FILE *out, const char *text))
{
    size_t length = strcspn(symbol, "@");
    char mangled[LONGEST + 1], *name = NULL, *whole = NULL;

    if (length <= LONGEST && strncmp(symbol, "_Z", 2) == 0) {
        memcpy(mangled, symbol, length);
        mangled[length] = '\0';
        name = __cxa_demangle(mangled, NULL, NULL, NULL);
    }
    if (name != NULL && asprintf(&whole, "%s%s", name, symbol + length) < 0)
        memory_exhausted();
    write(out, whole != NULL ? whole : symbol);
    free(name);
    free(whole);
}
