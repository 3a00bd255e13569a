/* What ioctl and fcntl change; see changed.h. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/fiemap.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <termios.h>

#include "changed.h"

#define IOCTL(name, fd, request) \
    CHANGED(name, , syscall(SYS_ioctl, fd, request, AT))

static int file, pair[2], way[2], internet, tty;

/* Calls on files. */
IOCTL(getflags, file, FS_IOC_GETFLAGS)
IOCTL(getversion, file, FS_IOC_GETVERSION)
IOCTL(figetbsz, file, FIGETBSZ)
IOCTL(fioqsize, file, FIOQSIZE)
IOCTL(fsgetxattr, file, FS_IOC_FSGETXATTR)
CHANGED(fibmap, PUT(0, ((int){0})), syscall(SYS_ioctl, file, FIBMAP, AT))
CHANGED(fiemap,
        PUT(0, ((struct fiemap){.fm_length = ~0ull, .fm_extent_count = 4})),
        syscall(SYS_ioctl, file, FS_IOC_FIEMAP, AT))

/* Calls on pipes and sockets. */
IOCTL(fionread, way[0], FIONREAD)
IOCTL(siocinq, pair[0], SIOCINQ)
IOCTL(siocoutq, pair[0], SIOCOUTQ)
IOCTL(siocatmark, internet, SIOCATMARK)
IOCTL(siocgpgrp, internet, SIOCGPGRP)
IOCTL(fiogetown, internet, FIOGETOWN)

/* Calls on network interfaces: one is named, the kernel fills in the rest. */
static const char loopback[IFNAMSIZ] = "lo";

#define INTERFACE(name, request) \
    CHANGED(name, PUT(0, loopback), syscall(SYS_ioctl, internet, request, AT))

INTERFACE(interface_flags, SIOCGIFFLAGS)
INTERFACE(interface_address, SIOCGIFADDR)
INTERFACE(interface_mask, SIOCGIFNETMASK)
INTERFACE(interface_broadcast, SIOCGIFBRDADDR)
INTERFACE(interface_destination, SIOCGIFDSTADDR)
INTERFACE(interface_metric, SIOCGIFMETRIC)
INTERFACE(interface_mtu, SIOCGIFMTU)
INTERFACE(interface_index, SIOCGIFINDEX)
INTERFACE(interface_queue, SIOCGIFTXQLEN)

/* Requests whose unset fields the kernel returns unchanged. */
#define REQUEST(name, request)                                \
    CHANGED(name, PUT(0, ((struct ifreq){.ifr_name = "lo"})), \
            syscall(SYS_ioctl, internet, request, AT))

REQUEST(interface_hardware, SIOCGIFHWADDR)
REQUEST(interface_map, SIOCGIFMAP)
CHANGED(interface_name, PUT(0, ((struct ifreq){.ifr_ifindex = 1})),
        syscall(SYS_ioctl, internet, SIOCGIFNAME, AT))
CHANGED(interface_list,
        PUT(0, ((struct ifconf){.ifc_len = 256, .ifc_buf = AT + 64})),
        syscall(SYS_ioctl, internet, SIOCGIFCONF, AT))

/* Calls on terminals. */
IOCTL(winsize, tty, TIOCGWINSZ)
IOCTL(tcgets, tty, TCGETS)
IOCTL(tcgeta, tty, TCGETA)
IOCTL(tcgets2, tty, _IOR('T', 0x2a, char[44]))
IOCTL(pty_number, tty, TIOCGPTN)
IOCTL(pty_lock, tty, TIOCGPTLCK)
IOCTL(pty_packets, tty, TIOCGPKT)
IOCTL(foreground, tty, TIOCGPGRP)
IOCTL(tty_session, tty, TIOCGSID)
IOCTL(discipline, tty, TIOCGETD)
IOCTL(exclusive, tty, TIOCGEXCL)
IOCTL(tty_output, tty, TIOCOUTQ)
IOCTL(tty_input, tty, FIONREAD)
IOCTL(soft_carrier, tty, TIOCGSOFTCAR)
IOCTL(modem, tty, TIOCMGET)

/* Calls of fcntl. */
CHANGED(lock, PUT(0, ((struct flock){.l_type = F_WRLCK, .l_len = 10})),
        syscall(SYS_fcntl, file, F_GETLK, AT))
CHANGED(description_lock,
        PUT(0, ((struct flock){.l_type = F_WRLCK, .l_len = 10})),
        syscall(SYS_fcntl, file, F_OFD_GETLK, AT))
CHANGED(owner, , syscall(SYS_fcntl, way[0], F_GETOWN_EX, AT))
CHANGED(write_hint, , syscall(SYS_fcntl, file, F_GET_RW_HINT, AT))

int main(void)
{
    file = open("data", O_RDWR | O_CREAT, 0600);
    if (file < 0 || write(file, AT, 1000) != 1000 || pipe(way) != 0 ||
        socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return 1;
    internet = socket(AF_INET, SOCK_STREAM, 0);
    tty = posix_openpt(O_RDWR | O_NOCTTY);
    changed_run();
    return 0;
}
