! Running totals of an array.
! SPDX-License-Identifier: GPL-2.0-or-later
program main
    implicit none
    double precision :: a(2000)
    integer :: i

    a = 1
    do i = 1, 20
        call totals(a, size(a))
    end do
    print *, a(size(a))
contains
    subroutine totals(a, n)
        integer, intent(in) :: n
        double precision, intent(inout) :: a(n)
        integer :: i

        do i = 2, n
            a(i) = a(i) + a(i - 1)
        end do
    end subroutine
end program
