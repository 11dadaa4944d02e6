#pragma once

#include "core/helper/sandbox_layers.h"

#include <filesystem>
#include <span>
#include <vector>

namespace helio {

/// Restricts the calling process until it ends: it can compute, use its open files, and open files for reading that are `readable`
/// or lie in a folder that is `readable`. Paths that do not exist are ignored. A forbidden system call fails with EPERM or EACCES, so that
/// libraries can handle it as an error.
///
/// Threads: to be called before the process has a second thread.
/// Errors: a layer that the kernel does not provide is left out of the result.
SandboxLayers enterSandbox(std::span<const std::filesystem::path> readable = {});

/// Returns the paths that a library needs to load other libraries when it is used: the folders of the system's libraries and of those that
/// are loaded already.
std::vector<std::filesystem::path> libraryPaths();

} // namespace helio
