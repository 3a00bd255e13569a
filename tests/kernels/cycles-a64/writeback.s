/* A register that an access moves waits for itself alone, not for the load. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers: 1 */
/* memory: 1 */
/* link: get register 1 1 */
        .globl f
f:
.Lget:  ldr x3, [x1, #8]!
        add x3, x3, x4
        subs x0, x1, x5
        b.ne .Lget
        ret
