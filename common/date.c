/*
 * date: when a document was made.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "date.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "memory.h"
#include "num.h"

char *date_text(void)
{
    const char *given = getenv("SOURCE_DATE_EPOCH");
    uint64_t seconds = (uint64_t)time(NULL);
    struct tm date;
    char text[64];
    time_t when;

    if (given != NULL && (!num_parse(given, &seconds) || seconds > INT64_MAX))
        return NULL;
    when = (time_t)seconds;
    if (gmtime_r(&when, &date) == NULL ||
        strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &date) == 0)
        return NULL;
    return memory_text(text);
}
