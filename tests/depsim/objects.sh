#!/bin/sh
# Which file a dependency belongs to, and where in it.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depsim/lib.sh"

# within FUNCTION FILE: the SQL condition that an address lies in the function.
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
    ok "a program is compiled with $kind" program objects $kind
    depsim ./objects work
    ok "dependencies of a program with $kind have the file's addresses" is \
        "objects $(build_id objects) 100" found work objects
done
program objects -pie
cp objects whole
strip objects
depsim ./objects work
ok "dependencies of a stripped program have the file's addresses" is \
    "objects $(build_id objects) 100" found work whole
strip --remove-section .note.gnu.build-id objects
depsim ./objects work
ok "a program without a build-id is known by its hash" is \
    "objects $(hash objects) 100" found work whole

program objects -pie
ok "a program that removes itself is recorded" depsim ./objects self
ok "a program that removed itself is known by its build-id" is \
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
    "$CC" -O1 -shared -fPIC -nostdlib -DNAME="\"$name\"" -o "$name.so" \
        library.c "$@"
}

program objects
for id in "" -Wl,--build-id=none; do
    which="with a build-id"
    identity=build_id
    [ -z "$id" ] || { which="without one"; identity=hash; }
    library a $id
    library b $id
    ok "libraries $which that take turns at an address are recorded" \
        depsim ./objects turn ./a.so ./b.so ./a.so
    ok "libraries $which at one address each have their dependencies" is \
        "b.so $($identity b.so) 200
a.so $($identity a.so) 400" found work_in_library b.so

    a="library.so $($identity a.so) 100"
    b="library.so $($identity b.so) 200"
    ok "libraries $which that take turns at a path are recorded" \
        depsim ./objects replace ./a.so ./b.so
    library a $id
    ok "libraries $which at one path are two objects" is "$a
$b" found work_in_library a.so
done

# A library is overwritten by another one of its size, and keeps its inode.
cp a.so new.so
compile overwrite <<'END_C'
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
library a -Wl,--build-id=none
library b -Wl,--build-id=none
ok "a library whose file is overwritten after its use is recorded" depsim ./overwrite a.so b.so
ok "a library whose file is overwritten is two objects" \
    is "library.so $(hash a.so) 100
library.so $(hash b.so) 200" found work_in_library a.so

for id in "" -Wl,--build-id=none; do
    which="with a build-id"
    [ -z "$id" ] || which="without one"
    library a $id
    library b $id
    library c $id
    cp a.so old.so
    identity=$(build_id old.so)
    ok "a library $which that is removed after its use is recorded" \
        depsim ./objects remove ./a.so ./c.so
    ok "a library $which that is removed after its use keeps its identity" is \
        "a.so ${identity:-$(hash old.so)} 100" found work_in_library old.so
    cp old.so a.so
    # Only a build-id in memory identifies a file that was removed.
    ok "a library $which that is removed before its use is recorded" \
        depsim ./objects lose ./a.so ./c.so
    ok "a library $which that was removed has at most its build-id" \
        is "a.so $identity 201" found work_in_library old.so
    cp old.so a.so
    ok "a library $which that is replaced before its use is recorded" \
        depsim ./objects lose ./a.so ./c.so ./b.so
    ok "a library $which that is replaced is not taken for the new one" \
        is "a.so $identity 201" found work_in_library old.so
done

### No file

for way in generated memory; do
    ok "$way code without an ELF file is recorded" depsim ./objects $way
    ok "$way code without an ELF file belongs to [anonymous]" \
        is "[anonymous]||1000" sql deps.db \
        "SELECT path, build_id, max(occurrences) FROM dep
         JOIN object ON object_id = dst_object
         WHERE src_object = dst_object AND occurrences >= 1000"
done
depsim ./objects clock
ok "all code lies in files, since Valgrind hides the vdso" is 0 sql \
    deps.db "SELECT count(*) FROM object WHERE path NOT LIKE '/%'"

end_of_cases
