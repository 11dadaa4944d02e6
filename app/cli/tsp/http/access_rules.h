#pragma once

#include "app/cli/tsp/http/http_message.h"
#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Decides which requests a server answers: by the token, by the name under which the server was reached, and by the web page that sent
/// the request.
class AccessRules {
public:
    /// `token`: secret that each request must have; empty if none. `address`: the server's own address as in a URL. `isLoopback`: true if
    /// the server listens on a loopback address; names of other machines are then refused, because a web page could reach the server
    /// through a name that it controls (DNS rebinding). `origins`: patterns as checkOrigin() accepts them.
    AccessRules(std::string token, std::string address, bool isLoopback, std::vector<std::string> origins);

    /// Returns the response to a request that is refused or that only asks for permission; nullopt if the request is allowed.
    std::optional<HttpResponse> check(const HttpRequest& request) const;
    /// Adds the headers by which a browser lets an allowed web page read the response.
    void complete(const HttpRequest& request, HttpResponse& response) const;

    /// Checks a pattern of origins: "http://localhost:3000", or with any end "vscode-webview://*".
    /// Errors: Usage.
    static Status checkOrigin(std::string_view pattern);

private:
    bool isOwnName(std::string_view host) const;
    bool isAllowedOrigin(std::string_view origin) const;
    bool hasToken(const HttpRequest& request) const;

    std::string m_token;
    std::string m_address;
    bool m_isLoopback;
    std::vector<std::string> m_origins;
};

/// Compares a secret in a time that depends only on the length of `given`, so that the time tells nothing about the secret.
bool isSecret(std::string_view given, std::string_view secret);

} // namespace helio
