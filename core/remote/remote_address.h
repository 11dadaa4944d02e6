#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace helio {

/// Place of a trace on another machine.
struct RemoteAddress {
    std::string host; ///< Machine as ssh takes it: HOST, USER@HOST or, with a port, ssh://USER@HOST:PORT.
    std::string path; ///< Path there: absolute, or relative to the user's home folder.
};

/// True if a path is an address on another machine: it begins with "ssh://".
bool isRemote(std::string_view path);

/// Parses an address: ssh://[USER@]HOST[:PORT]/PATH, or /~/PATH for a path in the user's home folder. The path is taken as it is, without
/// percent encoding.
/// Errors: Usage if host or path is missing, or if ssh would take the host for an option.
Result<RemoteAddress> parseRemoteAddress(std::string_view address);

} // namespace helio
