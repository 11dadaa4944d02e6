#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {

using HttpFields = std::vector<std::pair<std::string, std::string>>; ///< Pairs of name and value.

/// A request that a server received.
struct HttpRequest {
    std::string method; ///< Method in capitals, e.g. "GET".
    std::vector<std::string> path; ///< Segments of the path, decoded: "a" and "b c" for "/a/b%20c".
    HttpFields query; ///< Parameters after the question mark, decoded.
    HttpFields headers; ///< Headers; names are in lower case, values have no blanks around them.
    std::string body;
    std::size_t bodyBytes = 0; ///< Length of the body as the header Content-Length declares it.
    bool keepsConnection = false; ///< True if the client may send another request through the connection.

    /// Returns the value of a header; nullptr if the request has none. `name` is in lower case.
    const std::string* header(std::string_view name) const;
    /// Returns the value of a parameter after the question mark; nullptr if there is none.
    const std::string* parameter(std::string_view name) const;
};

/// Response of a server, whose body is JSON.
struct HttpResponse {
    int status = 200;
    std::string body;
    HttpFields headers; ///< Headers besides those that every response has.
};

/// Reason why the bytes of a client are not a request that the server accepts.
struct HttpFault {
    int status = 400; ///< Status of the response, 400 to 599.
    std::string what; ///< Message for the user of the client.
};

constexpr std::size_t MostHeadBytes = 32 << 10; ///< Maximum length of the request line and the headers together, in bytes.
constexpr std::size_t MostHeaders = 100; ///< Maximum number of headers of a request.

/// Parses the request line and the headers of HTTP/1.1 or 1.0. `head` ends with the empty line.
/// Returns the fault if the head is not valid, ambiguous, or uses a feature that the server lacks; `request` is then incomplete.
std::optional<HttpFault> parseHead(std::string_view head, HttpRequest& request);

/// Returns the status line and the headers of a response, up to the empty line. `isLast`: true if the server closes the connection after
/// the response.
std::string headOf(const HttpResponse& response, bool isLast);

/// Returns a response with the body {"title":WHAT}, which clients show to the user.
HttpResponse makeErrorResponse(int status, std::string_view what);

} // namespace helio
