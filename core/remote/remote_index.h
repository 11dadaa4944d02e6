#pragma once

#include "core/base/result.h"
#include "core/io/partial_file.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

constexpr std::string_view MirrorPrefix = "remote-"; ///< Names of the folders with copies of indexes begin with this.

/// True if this or another process uses a folder with a copy. Such a folder must not be removed.
bool isMirrorInUse(const std::filesystem::path& folder);

/// Index of the traces at a path of another machine. Heliograph runs there, too (over ssh), indexes the traces, and sends the bytes of the
/// index that are read here. Bytes that were fetched are kept in a folder on this machine. While nothing else is needed, the rest is
/// fetched ahead, if the index has at most 2 GiB.
///
/// A lost connection is made again, with ever longer pauses between the attempts. Until then, bytes that are needed are missing, and
/// problem() returns the reason.
///
/// Ownership: the destructor ends the connection; it takes at most a few 100 ms.
/// Threads: all methods may be called from any thread at once; a thread of its own talks to the other machine.
class RemoteIndex : public PartialFolder {
public:
    /// Connects to the machine of `address` ("ssh://HOST/PATH"), lets it index the traces, and waits until the descriptions of all traces
    /// are here. `cache`: folder for the copies of indexes.
    /// Errors: Usage if the address is wrong; Unreadable if the connection or the traces fail, with what ssh or Heliograph there said;
    /// Unsupported if another version of Heliograph runs there; Cancelled.
    static Result<std::shared_ptr<RemoteIndex>> open(std::string_view address, const std::filesystem::path& cache, std::stop_token stop);

    /// Folder with the copy: the description and the stores of a trace, or a folder with these for each of several traces.
    virtual const std::filesystem::path& folder() const = 0;
    /// Messages of the Heliograph there, if some of the traces could not be read; else empty.
    virtual const std::vector<std::string>& messages() const = 0;
};

} // namespace helio
