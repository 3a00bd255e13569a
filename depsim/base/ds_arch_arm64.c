/*
 * ds_arch_arm64: AArch64's guest state and system calls, and how depsim has
 * load-exclusive and store-exclusive translated.
 *
 * A store-exclusive fails if the processor has lost its reservation.  Accesses
 * between the two instructions may cost the reservation, and the tool's own are
 * such accesses, so on some processors a loop of the two would never end.  VEX
 * has another translation, without a reservation: the store becomes a
 * compare-and-swap with the value that was loaded.  The linker puts the
 * function below in the place of VEX's entry (--wrap), and it always asks for
 * this translation.  ds_code_arm64 knows which of its accesses are real.
 *
 * Limits: a store-exclusive succeeds, too, if another thread has changed the
 * value in between, and changed it back.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/ds_arch.h"

#include "pub_tool_guest.h"

const struct ds_arch ds_arch = {
    .general = offsetof(VexGuestARM64State, guest_X0),
    .n_general = 32,
    .vector = offsetof(VexGuestARM64State, guest_Q0),
    .n_vectors = 32,
    .vector_size = sizeof(U128),
    .spare = sizeof(VexGuestARM64State),
    .ip = offsetof(VexGuestARM64State, guest_PC),
    .link = offsetof(VexGuestARM64State, guest_X30),
};

Word ds_valgrind_system_call(Word number, Word a, Word b, Word c, Word d,
                             Word e, Word f)
{
    register Word x8 __asm__("x8") = number;
    register Word x0 __asm__("x0") = a;
    register Word x1 __asm__("x1") = b;
    register Word x2 __asm__("x2") = c;
    register Word x3 __asm__("x3") = d;
    register Word x4 __asm__("x4") = e;
    register Word x5 __asm__("x5") = f;

    __asm__ volatile("svc #0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
}

/* The names that the linker's --wrap gives to a function and its wrapper. */
extern VexTranslateResult __real_LibVEX_Translate(VexTranslateArgs *args);
extern VexTranslateResult __wrap_LibVEX_Translate(VexTranslateArgs *args);

VexTranslateResult __wrap_LibVEX_Translate(VexTranslateArgs *args)
{
    args->abiinfo_both.guest__use_fallback_LLSC = True;
    return __real_LibVEX_Translate(args);
}
