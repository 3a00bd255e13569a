/* A load gives the address of the next one. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 4 */
/* memory: 4 */
/* link: next address 4 1 */
        .globl f
f:
.Lnext: ldr x1, [x1, #16]
        cbnz x1, .Lnext
        ret
