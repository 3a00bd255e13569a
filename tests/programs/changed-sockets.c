/* What calls on sockets, queues and shared memory change; see changed.h. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <linux/keyctl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>

#include "changed.h"

static int pair[2], receiver, internet, listener, queue, semaphore, segment;
static long key;
static struct sockaddr_un name = {AF_UNIX, "changed.socket"};
static struct iovec part;
static struct msghdr header;

#define NUMBER(n) ((unsigned){n})

#define OPTION(name, socket, level, option) \
    CHANGED(name, PUT(1024, NUMBER(512)),   \
            syscall(SYS_getsockopt, socket, level, option, AT, AT + 1024))

static void sent(void)
{
    if (write(pair[1], "a text", 6) != 6)
        _exit(1);
}

static void sent_to_name(void)
{
    int sender = socket(AF_UNIX, SOCK_DGRAM, 0);

    bind(sender, (struct sockaddr *)&name, sizeof(sa_family_t));
    sendto(sender, "a text", 6, 0, (struct sockaddr *)&name, sizeof(name));
    close(sender);
}

/* Sends a message that brings `n` file descriptors along. */
static void sent_descriptors(int n)
{
    char control[256] = "";
    struct iovec byte = {control, 1};
    struct msghdr message = {.msg_iov = &byte,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen =
                                 CMSG_LEN((size_t)n * sizeof(int))};
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);

    *c = (struct cmsghdr){message.msg_controllen, SOL_SOCKET, SCM_RIGHTS};
    if (sendmsg(pair[1], &message, 0) != 1)
        _exit(1);
}

/* Puts a header into the window, with a part, a name and room for control. */
static void headed(char *at, char *to, size_t n, char *called, char *control)
{
    part = (struct iovec){to, n};
    header = (struct msghdr){.msg_iov = &part, .msg_iovlen = 1};
    header.msg_name = called;
    header.msg_namelen = called != NULL ? 110 : 0;
    header.msg_control = control;
    header.msg_controllen = control != NULL ? 128 : 0;
    memcpy(at, &header, offsetof(struct msghdr, msg_flags));
}

static int called(void)
{
    int caller = socket(AF_UNIX, SOCK_STREAM, 0);

    bind(caller, (struct sockaddr *)&name, sizeof(sa_family_t));
    return connect(
        caller,
        (struct sockaddr *)&(struct sockaddr_un){AF_UNIX, "changed.listener"},
        sizeof(struct sockaddr_un));
}

CHANGED(recvfrom, sent(), syscall(SYS_recvfrom, pair[0], AT, 100, 0, 0, 0))
CHANGED(recvfrom_name, (sent_to_name(), PUT(1024, NUMBER(110))),
        syscall(SYS_recvfrom, receiver, AT, 100, 0, AT + 512, AT + 1024))
CHANGED(recvfrom_name_cut, (sent_to_name(), PUT(1024, NUMBER(3))),
        syscall(SYS_recvfrom, receiver, AT, 100, 0, AT + 512, AT + 1024))
CHANGED(recvmsg, (sent(), headed(AT, AT + 128, 100, NULL, NULL)),
        syscall(SYS_recvmsg, pair[0], AT, 0))
CHANGED(recvmsg_name,
        (sent_to_name(), headed(AT, AT + 128, 100, AT + 512, NULL)),
        syscall(SYS_recvmsg, receiver, AT, 0))
CHANGED(recvmsg_name_cut,
        (sent_to_name(), headed(AT, AT + 128, 100, AT + 512, NULL),
         PUT(offsetof(struct msghdr, msg_namelen), NUMBER(3))),
        syscall(SYS_recvmsg, receiver, AT, 0))
CHANGED(recvmsg_descriptor,
        (sent_descriptors(1), headed(AT, AT + 128, 100, NULL, AT + 512)),
        syscall(SYS_recvmsg, pair[0], AT, 0))
CHANGED(recvmsg_descriptors,
        (sent_descriptors(2), headed(AT, AT + 128, 100, NULL, AT + 512)),
        syscall(SYS_recvmsg, pair[0], AT, 0))
CHANGED(recvmsg_three,
        (sent_descriptors(3), headed(AT, AT + 128, 100, NULL, AT + 512)),
        syscall(SYS_recvmsg, pair[0], AT, 0))
CHANGED(recvmmsg,
        (sent(), headed(AT, AT + 128, 6, NULL, NULL), sent(),
         headed(AT + 64, AT + 128, 6, NULL, NULL)),
        syscall(SYS_recvmmsg, pair[0], AT, 2, 0, NULL))
CHANGED(recvmmsg_names_cut,
        (sent_to_name(), headed(AT, AT + 128, 6, AT + 512, NULL),
         sent_to_name(), headed(AT + 64, AT + 128, 6, AT + 1024, NULL),
         PUT(offsetof(struct msghdr, msg_namelen), NUMBER(3)),
         PUT(64 + offsetof(struct msghdr, msg_namelen), NUMBER(5))),
        syscall(SYS_recvmmsg, receiver, AT, 2, 0, NULL))
CHANGED(recvmmsg_descriptor,
        (sent_descriptors(1), headed(AT, AT + 128, 100, NULL, AT + 512)),
        syscall(SYS_recvmmsg, pair[0], AT, 1, 0, NULL))
CHANGED(sendmmsg, headed(AT, changed_given, 6, NULL, NULL),
        syscall(SYS_sendmmsg, pair[1], AT, 1, 0))
CHANGED(accept, (called(), PUT(512, NUMBER(110))),
        syscall(SYS_accept, listener, AT, AT + 512))
CHANGED(accept4, (called(), PUT(512, NUMBER(110))),
        syscall(SYS_accept4, listener, AT, AT + 512, 0))
CHANGED(getsockname, PUT(512, NUMBER(110)),
        syscall(SYS_getsockname, receiver, AT, AT + 512))
CHANGED(getsockname_internet, PUT(512, NUMBER(110)),
        syscall(SYS_getsockname, internet, AT, AT + 512))
CHANGED(getpeername, PUT(512, NUMBER(110)),
        syscall(SYS_getpeername, pair[0], AT, AT + 512))
CALLED(socketpair, AF_UNIX, SOCK_STREAM, 0, AT)
OPTION(option_type, pair[0], SOL_SOCKET, SO_TYPE)
OPTION(option_linger, pair[0], SOL_SOCKET, SO_LINGER)
OPTION(option_timeout, pair[0], SOL_SOCKET, SO_RCVTIMEO)
OPTION(option_peer, pair[0], SOL_SOCKET, SO_PEERCRED)
OPTION(option_device, internet, SOL_SOCKET, SO_BINDTODEVICE)
OPTION(option_tcp, internet, IPPROTO_TCP, TCP_INFO)
OPTION(option_congestion, internet, IPPROTO_TCP, TCP_CONGESTION)
OPTION(option_ttl, internet, IPPROTO_IP, IP_TTL)
OPTION(option_memory, internet, SOL_SOCKET, SO_MEMINFO)
CHANGED(msgrcv,
        msgsnd(queue, (&(struct {
                   long t;
                   char s[8];
               }){1, "a text"}),
               6, 0),
        syscall(SYS_msgrcv, queue, AT, 64, 0, 0))
CHANGED(msgctl_stat, , syscall(SYS_msgctl, queue, IPC_STAT, AT))
CHANGED(msgctl_info, , syscall(SYS_msgctl, 0, IPC_INFO, AT))
CHANGED(msgctl_all, , syscall(SYS_msgctl, 0, MSG_INFO, AT))
CHANGED(semctl_stat, , syscall(SYS_semctl, semaphore, 0, IPC_STAT, AT))
CHANGED(semctl_info, , syscall(SYS_semctl, 0, 0, IPC_INFO, AT))
CHANGED(semctl_usage, , syscall(SYS_semctl, 0, 0, SEM_INFO, AT))
CHANGED(semctl_all, , syscall(SYS_semctl, semaphore, 0, GETALL, AT))
CHANGED(shmctl_stat, , syscall(SYS_shmctl, segment, IPC_STAT, AT))
CHANGED(shmctl_info, , syscall(SYS_shmctl, 0, IPC_INFO, AT))
CHANGED(shmctl_usage, , syscall(SYS_shmctl, 0, SHM_INFO, AT))
CHANGED(key_describe, , syscall(SYS_keyctl, KEYCTL_DESCRIBE, key, AT, 1000))
CHANGED(key_read, , syscall(SYS_keyctl, KEYCTL_READ, key, AT, 1000))
CHANGED(key_security, , syscall(SYS_keyctl, KEYCTL_GET_SECURITY, key, AT, 100))

int main(void)
{
    int on = 1;

    unlink(name.sun_path);
    unlink("changed.listener");
    receiver = socket(AF_UNIX, SOCK_DGRAM, 0);
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    internet = socket(AF_INET, SOCK_STREAM, 0);
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) != 0 ||
        bind(receiver, (struct sockaddr *)&name, sizeof(name)) != 0 ||
        bind(listener,
             (struct sockaddr *)&(struct sockaddr_un){AF_UNIX,
                                                      "changed.listener"},
             sizeof(struct sockaddr_un)) != 0 ||
        listen(listener, 4) != 0)
        return 1;
    setsockopt(internet, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    queue = msgget(IPC_PRIVATE, 0600);
    semaphore = semget(IPC_PRIVATE, 3, 0600);
    segment = shmget(IPC_PRIVATE, 4096, 0600);
    key = syscall(SYS_add_key, "user", "changed", "value", 5,
                  KEY_SPEC_PROCESS_KEYRING);
    changed_run();
    msgctl(queue, IPC_RMID, NULL);
    semctl(semaphore, 0, IPC_RMID);
    shmctl(segment, IPC_RMID, NULL);
    return 0;
}
