/* Types of the C library are Glibc's in Swift, whoever else includes their headers. Without this line
   the module that is loaded first owns them, and which one that is depends on the build. */
#pragma clang module import SwiftGlibc

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/* curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call. */
static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, const void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_writer(
    CURL *handle, size_t (*writer)(char *, size_t, size_t, void *), void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, writer);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_WRITEDATA, context) : code;
}

static inline CURLcode ccurl_response_status(CURL *handle, long *status) {
  return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, status);
}

/* What OpenSSL found in the certificates of the other side: an X509_V_ code. */
static inline CURLcode ccurl_certificate_finding(CURL *handle, long *finding) {
  return curl_easy_getinfo(handle, CURLINFO_SSL_VERIFYRESULT, finding);
}

/* No other protocol, whatever an address says or a redirect asks for. */
static inline CURLcode ccurl_restrict_to_http(CURL *handle) {
  return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
}

/* libcurl keeps a copy, so that the text may go away before the request does. */
static inline CURLcode ccurl_copy_body(CURL *handle, const char *body) {
  return curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, body);
}

/* The same for bytes, which may hold a zero: CURLOPT_POSTFIELDSIZE must be set before. */
static inline CURLcode ccurl_copy_body_bytes(CURL *handle, const unsigned char *body) {
  return curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, (const char *)body);
}

static inline CURLcode ccurl_set_header_reader(
    CURL *handle, size_t (*reader)(char *, size_t, size_t, void *), void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, reader);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_HEADERDATA, context) : code;
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

/* The next transfer that has ended and how; NULL when there is none. Its message holds a union. */
static inline CURL *ccurl_multi_finished(CURLM *multi, CURLcode *result) {
  int left;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}

/* The address that a name was resolved to: its bytes, most significant first. Answers how many. */
static inline int ccurl_address_bytes(const struct curl_sockaddr *address, unsigned char out[16]) {
  if (address->family == AF_INET) {
    memcpy(out, &((const struct sockaddr_in *)&address->addr)->sin_addr, 4);
    return 4;
  }
  if (address->family == AF_INET6) {
    memcpy(out, &((const struct sockaddr_in6 *)&address->addr)->sin6_addr, 16);
    return 16;
  }
  return 0;
}

static inline curl_socket_t ccurl_open_socket(const struct curl_sockaddr *address) {
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* Opens every socket of a transfer, so that it can refuse an address at the moment of connecting. */
static inline CURLcode ccurl_set_socket_opener(
    CURL *handle,
    curl_socket_t (*opener)(void *, curlsocktype, struct curl_sockaddr *), void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, opener);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context) : code;
}

/* 1 where a text is an address of that family: the IPv6 one if `six`. */
static inline int ccurl_parse_address(const char *text, int six, unsigned char *out) {
  return inet_pton(six ? AF_INET6 : AF_INET, text, out);
}
