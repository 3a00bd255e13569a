/* Settings of the stand-in for Valgrind, for the tests. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <setjmp.h>
#include <stdbool.h>

/* While it is set, no file can be opened. */
extern bool has_no_files;

/* Where ds_message_refuse jumps to; NULL: it ends the test. */
extern jmp_buf *on_refusal;
