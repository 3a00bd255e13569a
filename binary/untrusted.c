/*
 * untrusted: what a program may do with input of anyone, on a server.
 *
 * The kernel's Landlock enforces it, also for the programs that this one runs:
 * assembly source can include any file, debug information names any, and
 * options of the input's author may name any, to be read or written.  What is
 * installed can be read, so secrets must not be in /usr or in a directory of
 * PATH.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "binary/input.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "binary/subprocess.h"
#include "memory.h"

#define SECONDS 60
#ifdef __SANITIZE_ADDRESS__ /* which maps terabytes */
#define MOST_MEMORY UINT64_MAX
#else
#define MOST_MEMORY ((uint64_t)2 << 30)
#endif
#define MOST_FILE ((uint64_t)128 << 20)

#define READS_FILES (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE)
#define READS       (READS_FILES | LANDLOCK_ACCESS_FS_READ_DIR)
#define WRITES                                                     \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | \
     LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE)
/* Directories are removed by anyone who may; only empty ones can be. */
#define REFUSED                                                    \
    (READS | WRITES | LANDLOCK_ACCESS_FS_MAKE_CHAR |               \
     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | \
     LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)

/* Allows access to a file, or to all in a directory, if it exists. */
static void allow(int rules, const char *path, uint64_t access)
{
    struct landlock_path_beneath_attr beneath = {
        .allowed_access = access, .parent_fd = open(path, O_PATH | O_CLOEXEC)};
    struct stat st;

    if (beneath.parent_fd < 0)
        return;
    if (fstat(beneath.parent_fd, &st) == 0 && !S_ISDIR(st.st_mode))
        beneath.allowed_access &= READS_FILES | LANDLOCK_ACCESS_FS_WRITE_FILE;
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath,
            0);
    close(beneath.parent_fd);
}

/* Allows to run what PATH has. */
static void allow_path(int rules)
{
    char *path = memory_text(getenv("PATH") != NULL ? getenv("PATH") : "");
    char *rest = path, *directory;

    while ((directory = strsep(&rest, ":")) != NULL)
        if (directory[0] == '/')
            allow(rules, directory, READS);
    free(path);
}

int input_distrust(struct input *home, const char *const *files, size_t n,
                   struct diag *d)
{
    static const char *const installed[] = {"/usr", "/lib", "/lib64", "/bin",
                                            "/etc/ld.so.cache"};
    struct landlock_ruleset_attr refused = {.handled_access_fs = REFUSED};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &refused,
                             sizeof refused.handled_access_fs, 0),
        rc = 0;
    char *directory = input_temporary(home, "", d);

    if (directory == NULL)
        rc = -1;
    else if (rules < 0)
        rc = diag_set(d, "--untrusted: Landlock, a part of Linux: %s",
                      strerror(errno));
    for (size_t i = 0; rc == 0 && i < sizeof installed / sizeof *installed; i++)
        allow(rules, installed[i], READS);
    for (size_t i = 0; rc == 0 && i < n; i++)
        if (files[i] != NULL)
            allow(rules, files[i], READS);
    if (rc == 0) {
        allow_path(rules);
        allow(rules, "/dev/null", READS | WRITES);
        allow(rules, directory, READS | WRITES);
        setenv("TMPDIR", directory, 1);
        subprocess_limit(0, SECONDS, MOST_MEMORY, MOST_FILE);
        alarm(SECONDS);
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
            syscall(SYS_landlock_restrict_self, rules, 0) != 0)
            rc = diag_set(d, "--untrusted: Landlock: %s", strerror(errno));
    }
    free(directory);
    if (rules >= 0)
        close(rules);
    return rc;
}
