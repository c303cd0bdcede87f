// Part of ServiceBox, released under the MIT License.
// What Swift can't call of libmicrohttpd: a function with a variable number of arguments.

#include <microhttpd.h>
#include <string.h>

/// Decodes like libmicrohttpd, and has a null character, which would end the text, be a replacement character.
static inline size_t bookmarks_unescape(void *context, struct MHD_Connection *connection, char *text) {
    for (char *at = text; (at = strstr(at, "%00")); at += 3) memcpy(at, "\xEF\xBF\xBD", 3);
    return MHD_http_unescape(text);
}

/// Starts a daemon that serves a listening socket on a thread of its own.
static inline struct MHD_Daemon *_Nullable bookmarks_start_daemon(
    MHD_socket socket, unsigned int connection_limit, unsigned int idle_seconds, size_t header_bytes,
    MHD_AccessHandlerCallback _Nonnull handle, MHD_RequestCompletedCallback _Nonnull complete,
    void *_Nonnull context) {
    return MHD_start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, context,
        MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_CONNECTION_LIMIT, connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, header_bytes,
        MHD_OPTION_NOTIFY_COMPLETED, complete, context, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_UNESCAPE_CALLBACK, &bookmarks_unescape, NULL, MHD_OPTION_END);
}
