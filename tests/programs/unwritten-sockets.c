/*
 * Memory that system calls on sockets write; see unwritten.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "unwritten.h"

CASE(recvmsg_header)

static char area[1 << 14];
static char *const at = area + 4096; /* where all calls write */
static struct sockaddr_un name = {AF_UNIX, "unwritten.socket"};
static int receiver, sender;

static void bound(int socket, socklen_t length)
{
    if (bind(socket, (struct sockaddr *)&name, length) != 0)
        unwritten_fails("bind");
}

static void connected(int socket)
{
    if (connect(socket, (struct sockaddr *)&name, sizeof(name)) != 0)
        unwritten_fails("connect");
}

static void sent(void)
{
    if (send(sender, "a datagram", 10, 0) != 10)
        unwritten_fails("send");
}

static void receptions(void)
{
    socklen_t length = 100, *cell = (socklen_t *)at;

    sent();
    TRY(recvfrom, at, 10, CALL(10, SYS_recvfrom, receiver, at, 64, 0, 0, 0));
    sent();
    TRY(recvfrom_truncated, at, 4,
        CALL(10, SYS_recvfrom, receiver, at, 4, MSG_TRUNC, 0, 0));
    sent(); /* by a socket whose name is a family and six bytes */
    TRY(recvfrom_address, at, 8,
        CALL(10, SYS_recvfrom, receiver, area, 64, 0, at, &length));
    sent();
    TRY(recvfrom_length, at, sizeof(*cell),
        CALL(10, SYS_recvfrom, receiver, area, 64, 0, at + 64, cell));
}

static void messages(void)
{
    struct iovec part = {at, 64};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    struct mmsghdr several[2] = {{.msg_hdr = message}, {.msg_hdr = message}};

    sent();
    TRY(recvmsg, at, 10, CALL(10, SYS_recvmsg, receiver, &message, 0));
    part.iov_base = area;
    message.msg_name = at;
    message.msg_namelen = 100;
    sent();
    TRY(recvmsg_name, at, 8, CALL(10, SYS_recvmsg, receiver, &message, 0));
    part.iov_base = at;
    sent();
    TRY(recvmmsg, at, 10,
        CALL(1, SYS_recvmmsg, receiver, several, 2, MSG_DONTWAIT, NULL));
    sent();
    TRY(recvmmsg_length, &several[0].msg_len, sizeof(int),
        CALL(1, SYS_recvmmsg, receiver, several, 2, MSG_DONTWAIT, NULL));
    TRY(sendmmsg_length, &several[0].msg_len, sizeof(int),
        CALL(1, SYS_sendmmsg, sender, several, 1, 0));
    if (recv(receiver, area, 64, 0) != 64)
        unwritten_fails("recv");
}

/* The kernel writes three fields of the header: the length of the name, the
   length of the control messages, and flags.  The first and the last have
   padding. */
static void header(void)
{
    struct iovec part = {area, 64};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_name = at, .msg_control = at};
    char *length = (char *)&message.msg_namelen;
    char *padding = (char *)&message.msg_flags + sizeof(int);

    sent();
    store_recvmsg_header(length, sizeof(int));
    store_recvmsg_header((char *)&message.msg_controllen, sizeof(size_t));
    store_recvmsg_header((char *)&message.msg_flags, sizeof(int));
    keep_recvmsg_header(length + sizeof(int));
    keep_recvmsg_header(padding);
    if (!CALL(10, SYS_recvmsg, receiver, &message, 0))
        unwritten_fails("recvmsg_header");
    load_recvmsg_header(length, sizeof(int));
    load_recvmsg_header((char *)&message.msg_controllen, sizeof(size_t));
    load_recvmsg_header((char *)&message.msg_flags, sizeof(int));
    look_recvmsg_header(length + sizeof(int));
    look_recvmsg_header(padding);
}

/* Receives a file descriptor along with a byte. */
static void control(const int *pair)
{
    struct iovec part = {area, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    struct cmsghdr *c = (struct cmsghdr *)(area + 1024);

    *c = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
    message.msg_control = c;
    message.msg_controllen = c->cmsg_len;
    if (sendmsg(pair[1], &message, 0) != 1)
        unwritten_fails("sendmsg");
    message.msg_control = at;
    message.msg_controllen = 128;
    TRY(recvmsg_control, at, CMSG_LEN(sizeof(int)),
        CALL(1, SYS_recvmsg, pair[0], &message, 0));
}

static void names(const int *pair)
{
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    int caller = socket(AF_UNIX, SOCK_STREAM, 0);
    int other = socket(AF_UNIX, SOCK_STREAM, 0);
    socklen_t length = 100;

    unlink(name.sun_path);
    bound(listener, sizeof(name));
    bound(caller, sizeof(sa_family_t));
    if (listen(listener, 1) != 0)
        unwritten_fails("listen");
    connected(caller);
    TRY(accept, at, 8,
        syscall(SYS_accept, listener, at, &length) >= 0 && length == 8);
    length = 100;
    TRY(getsockname, at, 8, CALL(0, SYS_getsockname, caller, at, &length));
    length = 100;
    TRY(getpeername, at, sizeof(sa_family_t),
        CALL(0, SYS_getpeername, pair[0], at, &length));
    length = sizeof(int);
    /* The bytes that each case below stores are the length for the call. */
    TRY(getsockname_length, at, sizeof(int),
        CALL(0, SYS_getsockname, caller, area, at));
    TRY(getpeername_length, at, sizeof(int),
        CALL(0, SYS_getpeername, pair[0], area, at));
    TRY(getsockopt_length, at, sizeof(int),
        CALL(0, SYS_getsockopt, caller, SOL_SOCKET, SO_TYPE, area, at));
    connected(other);
    TRY(accept_length, at, sizeof(int),
        syscall(SYS_accept4, listener, area, at, 0) >= 0);
    TRY(getsockopt, at, sizeof(int),
        CALL(0, SYS_getsockopt, caller, SOL_SOCKET, SO_TYPE, at, &length));
    TRY(socketpair, at, 2 * sizeof(int),
        CALL(0, SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, at));
}

int main(void)
{
    int pair[2];

    receiver = socket(AF_UNIX, SOCK_DGRAM, 0);
    sender = socket(AF_UNIX, SOCK_DGRAM, 0);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        unwritten_fails("socketpair");
    unlink(name.sun_path);
    bound(receiver, sizeof(name));
    bound(sender, sizeof(sa_family_t));
    connected(sender);
    receptions();
    messages();
    header();
    control(pair);
    names(pair);
    return 0;
}
