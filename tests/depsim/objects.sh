#!/bin/sh
# Which file a dependency belongs to, and where in it.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/lib.sh"

# within FUNCTION FILE: the SQL condition that an address lies in it.
within() {
    nm -S "$2" | while read -r start size _ name; do
        [ "$name" = "$1" ] || continue
        echo "BETWEEN $((0x$start)) AND $((0x$start + 0x$size - 1))"
    done
}

build_id() {
    readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

hash() {
    sha256sum "$1" | cut -d ' ' -f 1
}

# found FUNCTION FILE: the names and identities of the objects that have
# dependencies in the function, and how often the most frequent one occurred.
found() {
    sql -separator ' ' deps.db "SELECT replace(path, '$tmp/', ''), build_id,
        max(occurrences) FROM dep JOIN object ON object_id = dst_object
        WHERE src_object = dst_object AND src $(within "$1" "$2")
        AND dst $(within "$1" "$2") GROUP BY object_id
        HAVING max(occurrences) >= 100 ORDER BY 3"
}

### Kinds of files

for kind in -no-pie -pie -static; do
    ok "a program compiles with $kind" program objects $kind
    depsim ./objects work
    ok "$kind: its dependencies have the addresses of the file" is \
        "objects $(build_id objects) 100" found work objects
done
program objects -pie
cp objects whole
strip objects
depsim ./objects work
ok "stripped: they have the same" is \
    "objects $(build_id objects) 100" found work whole
strip --remove-section .note.gnu.build-id objects
depsim ./objects work
ok "without a build-id the file is known by its hash" is \
    "objects $(hash objects) 100" found work whole

program objects -pie
ok "a program may remove itself" depsim ./objects self
ok "a program that removed itself is known by its identity" is \
    "objects $(build_id whole) 100" found work whole
program objects -pie -Wl,--build-id=none
cp objects whole
depsim ./objects self
ok "a removed program without a build-id is known by its hash" \
    is "objects $(hash whole) 100" found work whole

### Libraries

cat >library.c <<'END_C'
static volatile long counter;
void work_in_library(int n)
{
    for (int i = 0; i < n; i++)
        counter++;
    for (int i = 0; i > n; i--)
        counter--;
}
const char name[] = NAME;
END_C

# library NAME [FLAG...]: libraries of equal size, with no code that runs when
# they are loaded.
library() {
    name=$1
    shift
    "${CC:-cc}" -O1 -shared -fPIC -nostdlib -DNAME="\"$name\"" -o "$name.so" \
        library.c "$@"
}

program objects
for id in "" -Wl,--build-id=none; do
    which="with a build-id"
    identity=build_id
    [ -z "$id" ] || { which="without one"; identity=hash; }
    library a $id
    library b $id
    ok "libraries at the same address, $which" \
        depsim ./objects turn ./a.so ./b.so ./a.so
    ok "each dependency is in the one that was there" is \
        "b.so $($identity b.so) 200
a.so $($identity a.so) 400" found work_in_library b.so

    a="library.so $($identity a.so) 100"
    b="library.so $($identity b.so) 200"
    ok "libraries at the same path, $which" \
        depsim ./objects replace ./a.so ./b.so
    library a $id
    ok "are different objects" is "$a
$b" found work_in_library a.so
done

# The same file number for both, with the same size.
cp a.so new.so
cat >overwrite.c <<'END_C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>
static void use(int from, int n)
{
    char buffer[1 << 16];
    int to = open("./library.so", O_WRONLY | O_CREAT, 0777);
    ssize_t size = read(from, buffer, sizeof buffer);
    if (write(to, buffer, size) != size || ftruncate(to, size) != 0)
        _exit(1);
    close(to);
    void *library = dlopen("./library.so", RTLD_NOW);
    ((void (*)(int))dlsym(library, "work_in_library"))(n);
    dlclose(library);
}
int main(int argc, char **argv)
{
    for (int i = 1, n = 101; i < argc; i++, n += 100)
        use(open(argv[i], O_RDONLY), n);
    return 0;
}
END_C
"${CC:-cc}" -o overwrite overwrite.c
library a -Wl,--build-id=none
library b -Wl,--build-id=none
ok "a file that is overwritten between two uses" depsim ./overwrite a.so b.so
ok "is two objects" is "library.so $(hash a.so) 100
library.so $(hash b.so) 200" found work_in_library a.so

for id in "" -Wl,--build-id=none; do
    which="with a build-id"
    [ -z "$id" ] || which="without one"
    library a $id
    library b $id
    library c $id
    cp a.so old.so
    identity=$(build_id old.so)
    ok "a library $which is removed after its code has run" \
        depsim ./objects remove ./a.so ./c.so
    ok "it is the same as before" is \
        "a.so ${identity:-$(hash old.so)} 100" found work_in_library old.so
    cp old.so a.so
    # Nothing but a build-id in memory tells what a file was that has gone.
    ok "a library $which is removed before its code runs" \
        depsim ./objects lose ./a.so ./c.so
    ok "it is known as far as it can be" is "a.so $identity 201" \
        found work_in_library old.so
    cp old.so a.so
    ok "or replaced" depsim ./objects lose ./a.so ./c.so ./b.so
    ok "it is not taken for the other one" is "a.so $identity 201" \
        found work_in_library old.so
done

### No file

for way in generated memory; do
    ok "$way code without an ELF file runs" depsim ./objects $way
    ok "it belongs to [anonymous]" is "[anonymous]||1000" sql deps.db \
        "SELECT path, build_id, max(occurrences) FROM dep
         JOIN object ON object_id = dst_object
         WHERE src_object = dst_object AND occurrences >= 1000"
done
depsim ./objects clock
ok "Valgrind keeps programs from the vdso: all code is in files" is 0 sql \
    deps.db "SELECT count(*) FROM object WHERE path NOT LIKE '/%'"

end_of_cases
