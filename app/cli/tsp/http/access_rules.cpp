#include "app/cli/tsp/http/access_rules.h"

#include <algorithm>
#include <array>
#include <utility>

namespace helio {
namespace {

bool isEqualIgnoringCase(std::string_view a, std::string_view b)
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::ranges::equal(a, b, {}, lower, lower);
}

/// Returns a host without its port: "[::1]" for "[::1]:8080".
std::string_view withoutPort(std::string_view host)
{
    const auto colon = host.rfind(':');
    const bool isPort = colon != std::string_view::npos && colon + 1 < host.size()
        && std::ranges::all_of(host.substr(colon + 1), [](char c) { return c >= '0' && c <= '9'; })
        && (host.find(':') == colon || (colon > 0 && host[colon - 1] == ']'));
    return isPort ? host.substr(0, colon) : host;
}

} // namespace

bool isSecret(std::string_view given, std::string_view secret)
{
    unsigned difference = given.size() == secret.size() && !secret.empty() ? 0 : 1;
    for (std::size_t i = 0; i < given.size(); ++i)
        difference |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(secret.empty() ? 0 : secret[i % secret.size()]);
    return difference == 0;
}

AccessRules::AccessRules(std::string token, std::string address, bool isLoopback, std::vector<std::string> origins)
    : m_token(std::move(token))
    , m_address(std::move(address))
    , m_isLoopback(isLoopback)
    , m_origins(std::move(origins))
{
}

bool AccessRules::isOwnName(std::string_view host) const
{
    const std::array<std::string_view, 4> names{"localhost", "127.0.0.1", "[::1]", withoutPort(m_address)};
    return std::ranges::any_of(names, [&](std::string_view name) { return isEqualIgnoringCase(withoutPort(host), name); });
}

bool AccessRules::isAllowedOrigin(std::string_view origin) const
{
    return std::ranges::any_of(m_origins, [&](std::string_view pattern) {
        if (pattern.ends_with('*'))
            return origin.starts_with(pattern.substr(0, pattern.size() - 1));
        return isEqualIgnoringCase(origin, pattern);
    });
}

bool AccessRules::hasToken(const HttpRequest& request) const
{
    constexpr std::string_view Scheme = "Bearer ";
    const std::string* authorization = request.header("authorization");
    if (!authorization || !isEqualIgnoringCase(std::string_view(*authorization).substr(0, Scheme.size()), Scheme))
        return false;
    return isSecret(std::string_view(*authorization).substr(Scheme.size()), m_token);
}

std::optional<HttpResponse> AccessRules::check(const HttpRequest& request) const
{
    const std::string* host = request.header("host");
    if (m_isLoopback && host && !isOwnName(*host))
        return makeErrorResponse(403, "the server answers only requests to localhost, 127.0.0.1 or [::1]");
    const std::string* origin = request.header("origin");
    if (origin && !isAllowedOrigin(*origin))
        return makeErrorResponse(403, "web pages of this origin are not allowed; start the server with --allow-origin");
    if (request.method == "OPTIONS" && origin) { // A browser asks without the token, before it sends the request itself.
        HttpResponse response;
        response.status = 204;
        response.headers = {{"Access-Control-Allow-Methods", "GET, POST, PUT, DELETE"},
                            {"Access-Control-Allow-Headers", "Content-Type, Accept, Authorization"},
                            {"Access-Control-Max-Age", "600"}};
        return response;
    }
    if (!m_token.empty() && !hasToken(request)) {
        HttpResponse response = makeErrorResponse(401, "the request needs the header Authorization: Bearer TOKEN");
        response.headers = {{"WWW-Authenticate", "Bearer"}};
        return response;
    }
    return {};
}

void AccessRules::complete(const HttpRequest& request, HttpResponse& response) const
{
    const std::string* origin = request.header("origin");
    if (!origin || !isAllowedOrigin(*origin))
        return;
    response.headers.emplace_back("Access-Control-Allow-Origin", *origin);
    response.headers.emplace_back("Vary", "Origin");
}

Status AccessRules::checkOrigin(std::string_view pattern)
{
    const auto fail = [&](const std::string& what) { return Error{Error::Kind::Usage, '"' + std::string(pattern) + "\" " + what}; };
    const auto separator = pattern.find("://");
    const auto isAllowed = [](char c) { return c > ' ' && c < 0x7f; };
    if (separator == std::string_view::npos || separator == 0 || pattern.size() == separator + 3
        || !std::ranges::all_of(pattern, isAllowed))
        return fail("is not an origin, e.g. http://localhost:3000");
    const auto star = pattern.find('*');
    if (star == std::string_view::npos)
        return pattern.find('/', separator + 3) == std::string_view::npos ? Status(Done{})
                                                                          : Status(fail("is not an origin: it has a path"));
    const std::string_view scheme = pattern.substr(0, separator);
    if (star + 1 != pattern.size() || isEqualIgnoringCase(scheme, "http") || isEqualIgnoringCase(scheme, "https"))
        return fail("must not contain *, which is only allowed at the end of the origins of programs, e.g. vscode-webview://*");
    return Done{};
}

} // namespace helio
