#include "core/remote/remote_address.h"

#include <algorithm>

namespace helio {
namespace {

constexpr std::string_view Scheme = "ssh://";
constexpr std::string_view HomePrefix = "/~/";

} // namespace

bool isRemote(std::string_view path) { return path.starts_with(Scheme); }

Result<RemoteAddress> parseRemoteAddress(std::string_view address)
{
    const auto wrong = [&](const char* what) {
        return Error{Error::Kind::Usage, std::string(address) + ": " + what + "; an address is ssh://[USER@]HOST[:PORT]/PATH"};
    };
    if (!isRemote(address))
        return wrong("it does not begin with ssh://");
    const std::string_view rest = address.substr(Scheme.size());
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const std::string_view host = rest.substr(0, end);
    std::string_view path = rest.substr(end);
    // Only plain characters: the user's ssh configuration may hand the name to a shell (ProxyCommand, CVE-2023-51385).
    const auto isPlain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || std::string_view("._-").find(c) != std::string_view::npos;
    };
    const auto isOfHost = [&](char c) { return isPlain(c) || std::string_view(":[]%").find(c) != std::string_view::npos; };
    const std::size_t at = host.find('@');
    const std::string_view user = at == std::string_view::npos ? std::string_view() : host.substr(0, at);
    const std::string_view name = host.substr(at + 1); // All of it without '@'.
    if (name.empty() || name.starts_with(':'))
        return wrong("the host is missing");
    if (host.starts_with('-') || name.starts_with('-') || !std::ranges::all_of(user, isPlain) || !std::ranges::all_of(name, isOfHost))
        return wrong("this is no name of a host");
    if (path.starts_with(HomePrefix))
        path.remove_prefix(HomePrefix.size());
    if (path.empty() || path == "/")
        return wrong("the path is missing");
    const bool hasPort = name.find(':') != std::string_view::npos;
    return RemoteAddress{std::string(hasPort ? Scheme : "") + std::string(host), std::string(path)};
}

} // namespace helio
