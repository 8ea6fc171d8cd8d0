/* Types of the C library are Glibc's in Swift, whoever else includes their headers. Without this line
   the module that is loaded first owns them, and which one that is depends on the build. */
#pragma clang module import SwiftGlibc

#include <microhttpd.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static inline int cmhd_epoll_descriptor(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

static inline int cmhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

static inline unsigned int cmhd_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

static inline const struct sockaddr *cmhd_peer(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : 0;
}

static inline int cmhd_each_header(
    struct MHD_Connection *connection, MHD_KeyValueIteratorN iterator, void *context) {
  return MHD_get_connection_values_n(connection, MHD_HEADER_KIND, iterator, context);
}

// Who is at the other end of a local socket; -1 when it cannot be told. The structure is Linux's ucred,
// which the C library declares only with _GNU_SOURCE.
static inline long long cmhd_peer_uid(int socket) {
  struct { int pid; unsigned int uid; unsigned int gid; } peer;
  socklen_t size = sizeof(peer);
  return getsockopt(socket, SOL_SOCKET, 17 /* SO_PEERCRED */, &peer, &size) == 0 ? peer.uid : -1;
}
