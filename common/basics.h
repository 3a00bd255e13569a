/*
 * basics: what nearly every file needs of the C library, and of ours.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "diag.h"
#include "memory.h"
#include "text.h"
