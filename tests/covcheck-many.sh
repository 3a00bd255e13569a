#!/bin/sh
. "${srcdir:-$(dirname "$0")}/lib.sh"
end_of_cases
