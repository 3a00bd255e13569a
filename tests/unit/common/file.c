/* Replacing a file in one step.  Each case has an empty directory. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <dirent.h>
#include <unistd.h>

#include "file.h"

static struct diag d;

static void write_file(const char *path, const char *text, mode_t mode)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    assert_int_equal(chmod(path, mode), 0);
}

static void assert_file(const char *path, const char *text, mode_t mode)
{
    char buffer[64] = "";
    FILE *f = fopen(path, "r");
    struct stat st;

    assert_non_null(f);
    assert_non_null(fgets(buffer, sizeof buffer, f));
    fclose(f);
    assert_string_equal(buffer, text);
    assert_int_equal(lstat(path, &st), 0);
    assert_true(S_ISREG(st.st_mode));
    assert_int_equal(st.st_mode & 0777, mode);
}

/* Removes all files of the directory and returns their number. */
static int clear(void)
{
    DIR *folder = opendir(".");
    struct dirent *e;
    int n = 0;

    while ((e = readdir(folder)) != NULL)
        if (e->d_name[0] != '.') {
            unlink(e->d_name);
            n++;
        }
    closedir(folder);
    return n;
}

BEFORE_ALL()
{
    umask(022);
    unit_enter_directory();
}

static struct replace *start(const char *path, enum replace_how how)
{
    struct replace *r = replace_new(path, how, &d);

    assert_non_null(r);
    return r;
}

static void commit_text(const char *path, enum replace_how how,
                        const char *text)
{
    struct replace *r = start(path, how);

    fputs(text, replace_stream(r));
    assert_int_equal(replace_commit(r, &d), 0);
    assert_null(replace_temporary(r));
    replace_free(r);
}

TEST(a_new_file_has_the_permissions_that_umask_gives)
{
    umask(027);
    commit_text("new", REPLACE_ALWAYS, "text");
    umask(022);
    assert_file("new", "text", 0640);
    assert_int_equal(clear(), 1);
}

TEST(a_replaced_file_keeps_its_permissions)
{
    write_file("old", "old", 0604);
    commit_text("old", REPLACE_REGULAR, "new");
    assert_file("old", "new", 0604);
    assert_int_equal(clear(), 1);
}

TEST(the_old_file_is_there_until_the_new_one_is_complete)
{
    struct replace *r;

    write_file("old", "old", 0644);
    r = start("old", REPLACE_ALWAYS);
    fputs("new", replace_stream(r));
    fflush(replace_stream(r));
    assert_file("old", "old", 0644);
    assert_file(replace_temporary(r), "new", 0644);
    replace_free(r);
    assert_file("old", "old", 0644);
    assert_int_equal(clear(), 1);
}

TEST(a_library_may_write_the_file_by_its_name)
{
    struct replace *r = start("file", REPLACE_ALWAYS);

    assert_string_equal(replace_path(r), replace_temporary(r));
    write_file(replace_path(r), "by name", 0600);
    assert_int_equal(replace_commit(r, &d), 0);
    replace_free(r);
    assert_file("file", "by name", 0600);
    assert_int_equal(clear(), 1);
}

TEST(a_link_gives_way_or_is_written_through)
{
    struct stat st;

    write_file("target", "old", 0644);
    assert_int_equal(symlink("target", "link"), 0);
    commit_text("link", REPLACE_REGULAR, "through");
    assert_int_equal(lstat("link", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_file("target", "through", 0644);
    commit_text("link", REPLACE_ALWAYS, "instead");
    assert_file("link", "instead", 0644);
    assert_file("target", "through", 0644);
    assert_int_equal(clear(), 2);
}

TEST(a_device_is_written_to_as_it_is)
{
    struct replace *r = start("/dev/null", REPLACE_REGULAR);

    assert_null(replace_temporary(r));
    assert_string_equal(replace_path(r), "/dev/null");
    fputs("text", replace_stream(r));
    assert_int_equal(replace_commit(r, &d), 0);
    replace_free(r);
}

TEST(a_failed_write_is_reported_at_the_end)
{
    struct replace *r = start("/dev/full", REPLACE_REGULAR);

    fputs("text", replace_stream(r));
    assert_int_equal(replace_commit(r, &d), -1);
    assert_string_equal(d.text, "/dev/full: No space left on device");
    replace_free(r);
}

TEST(a_directory_in_the_way_stays_and_no_temporary_file_is_left)
{
    struct replace *r;

    assert_int_equal(mkdir("folder", 0755), 0);
    r = start("folder", REPLACE_ALWAYS);
    assert_int_equal(replace_commit(r, &d), -1);
    assert_string_equal(d.text, "folder: Is a directory");
    assert_non_null(replace_temporary(r));
    replace_free(r);
    assert_int_equal(rmdir("folder"), 0);
    assert_int_equal(clear(), 0);
}

TEST(a_file_that_cannot_be_made_is_named)
{
    assert_null(replace_new("missing/file", REPLACE_ALWAYS, &d));
    assert_string_equal(d.text, "missing/file: No such file or directory");
    replace_free(NULL);
}
