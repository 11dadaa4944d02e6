#pragma once

#include <filesystem>
#include <span>
#include <vector>

namespace helio {

/// Layers of the sandbox that the running kernel provides.
struct SandboxLayers {
    bool hasLandlock = false; ///< Files: only those that are listed can be opened, and only for reading. Needs Linux 5.13.
    bool hasSeccomp = false; ///< System calls: none that starts programs, uses the network or acts on other processes.
};

/// Restricts the calling process until it ends: it can compute, use its open files, and open files for reading that are `readable`
/// or lie in a folder that is `readable`. Paths that do not exist are ignored. A forbidden system call fails with EPERM or EACCES, so that
/// libraries can handle it as an error.
///
/// Threads: to be called before the process has a second thread.
/// Errors: a layer that the kernel does not provide is left out of the result.
SandboxLayers enterSandbox(std::span<const std::filesystem::path> readable = {});

/// Returns the folders from which programs load shared libraries, for a library that loads others when it is used.
std::vector<std::filesystem::path> libraryFolders();

} // namespace helio
