#pragma once

#include <string>
#include <vector>

namespace helio {

/// Layers of the sandbox of helper programs that a kernel provides.
struct SandboxLayers {
    bool hasLandlock = false; ///< Files: only those that are listed can be opened, and only for reading. Needs Linux 5.13.
    bool hasSeccomp = false; ///< System calls: none that starts programs, uses the network or acts on other processes.
};

/// Returns the layers that the running kernel provides.
/// Cost: two system calls.
SandboxLayers kernelSandbox();

/// Returns a sentence for the user about libraries that were needed, for example "libarchive and libdw read files in processes of their
/// own, in a sandbox (Landlock and seccomp).", or which layers of the sandbox this kernel lacks. Empty if `libraries` is empty.
std::string sandboxText(const std::vector<std::string>& libraries, const SandboxLayers& layers);

} // namespace helio
