/* What calls on files, directories and pipes change; see changed.h. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>

#include "changed.h"

static int file, directory, way[2], counter, watch, queue;
static int epolled;

/* The offset in a file where a call begins, in the window. */
#define OFFSET ((loff_t){0})

CHANGED(read, lseek(file, 0, SEEK_SET), syscall(SYS_read, file, AT, 100))
CHANGED(read_end, lseek(file, 3950, SEEK_SET), syscall(SYS_read, file, AT, 100))
CHANGED(read_nothing, , syscall(SYS_pread64, file, AT, 24, 100000))
CHANGED(read_fails, , (syscall(SYS_read, -1, AT, 24), 0))
CHANGED(pread, , syscall(SYS_pread64, file, AT, 200, 3950))
CHANGED(readv, lseek(file, 0, SEEK_SET),
        syscall(SYS_readv, file,
                ((struct iovec[]){{AT, 5}, {AT + 9, 0}, {AT + 16, 50}}), 3))
CALLED(preadv, file, ((struct iovec[]){{AT, 5}, {AT + 16, 50}}), 2, 3970, 0)
CALLED(preadv2, file, ((struct iovec[]){{AT, 5}, {AT + 16, 50}}), 2, 3970, 0, 0)
CHANGED(read_pipe, if (write(way[1], "twelve bytes", 12) != 12) return,
        syscall(SYS_read, way[0], AT, 100))
CHANGED(vmsplice, if (write(way[1], "twelve bytes", 12) != 12) return,
        syscall(SYS_vmsplice, way[0], (&(struct iovec){AT, 100}), 1, 0))
CHANGED(read_counter, eventfd_write(counter, 3),
        syscall(SYS_read, counter, AT, 100))
CHANGED(read_watch,
        (unlink("watched/made"),
         close(open("watched/made", O_CREAT | O_RDWR, 0600))),
        syscall(SYS_read, watch, AT, 1000))
CALLED(stat, ".", AT)
CALLED(lstat, ".", AT)
CALLED(fstat, file, AT)
CALLED(newfstatat, AT_FDCWD, ".", AT, 0)
CALLED(statx, AT_FDCWD, ".", 0, 0xfff, AT)
CALLED(statfs, ".", AT)
CALLED(fstatfs, file, AT)
CALLED(readlink, "link", AT, 1000)
CHANGED(readlink_cut, , syscall(SYS_readlink, "link", AT, 4))
CALLED(readlinkat, AT_FDCWD, "link", AT, 1000)
/* Cut: in Valgrind 3.24 the kernel first writes the tool's longer path. */
CHANGED(readlink_self, , syscall(SYS_readlink, "/proc/self/exe", AT, 10))
CALLED(getcwd, AT, 1000)
CHANGED(getdents, lseek(directory, 0, SEEK_SET),
        syscall(SYS_getdents, directory, AT, 1000))
CHANGED(getdents64, lseek(directory, 0, SEEK_SET),
        syscall(SYS_getdents64, directory, AT, 1000))
CALLED(getxattr, "data", "user.a", AT, 100)
CALLED(lgetxattr, "data", "user.a", AT, 100)
CALLED(fgetxattr, file, "user.a", AT, 100)
CALLED(listxattr, "data", AT, 100)
CALLED(llistxattr, "data", AT, 100)
CALLED(flistxattr, file, AT, 100)
CHANGED(getxattr_size, , syscall(SYS_getxattr, "data", "user.a", AT, 0))
CHANGED(name_to_handle_at, PUT(0, ((int){128})),
        syscall(SYS_name_to_handle_at, AT_FDCWD, "data", AT, AT + 256, 0))
CHANGED(sendfile, PUT(0, OFFSET), syscall(SYS_sendfile, way[1], file, AT, 10))
CHANGED(splice, PUT(0, OFFSET),
        syscall(SYS_splice, file, AT, way[1], NULL, 10, 0))
CHANGED(copy_file_range, (PUT(0, OFFSET), PUT(64, ((loff_t){5000}))),
        syscall(SYS_copy_file_range, file, AT, file, AT + 64, 10, 0))
CALLED(pipe, AT)
CALLED(pipe2, AT, 0)
CALLED(mincore,
       mmap(NULL, 3 * 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
       3 * 4096, AT)
CALLED(mq_getsetattr, queue, NULL, AT)
CHANGED(mq_timedreceive, syscall(SYS_mq_timedsend, queue, "a text", 6, 1, NULL),
        syscall(SYS_mq_timedreceive, queue, AT, 1000, AT + 2048, NULL))
CHANGED(poll, PUT(0, ((struct pollfd){way[1], POLLOUT, 0})),
        syscall(SYS_poll, AT, 1, 0))
CHANGED(poll_several,
        (PUT(0, ((struct pollfd){-1, POLLOUT, 0})),
         PUT(8, ((struct pollfd){way[1], POLLOUT, 0}))),
        syscall(SYS_poll, AT, 2, 0))
CALLED(epoll_wait, epolled, AT, 4, 0)
CALLED(epoll_pwait, epolled, AT, 4, 0, NULL, 8)

int main(void)
{
    char bytes[4000] = "";

    file = open("data", O_RDWR | O_CREAT, 0600);
    directory = open(".", O_RDONLY | O_DIRECTORY);
    counter = eventfd(0, 0);
    watch = inotify_init();
    unlink("link");
    mkdir("watched", 0700);
    mkdir("a directory with a long name", 0700);
    inotify_add_watch(watch, "watched", IN_CREATE | IN_OPEN);
    if (file < 0 || write(file, bytes, sizeof(bytes)) < 0 || pipe(way) != 0 ||
        symlink("a target", "link") != 0)
        return 1;
    setxattr("data", "user.a", "value", 5, 0);
    queue = (int)syscall(SYS_mq_open, "changed", O_RDWR | O_CREAT, 0600,
                         &(struct mq_attr){.mq_maxmsg = 2, .mq_msgsize = 1000});
    syscall(SYS_mq_unlink, "changed");
    epolled = epoll_create1(0);
    epoll_ctl(epolled, EPOLL_CTL_ADD, way[1],
              &(struct epoll_event){.events = EPOLLOUT});
    changed_run();
    return 0;
}
