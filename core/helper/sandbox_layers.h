#pragma once

#include <string>
#include <string_view>

namespace helio {

/// Layers of the sandbox of helper programs that a kernel provides.
struct SandboxLayers {
    bool hasLandlock = false; ///< Files: only those that are listed can be opened, and only for reading. Needs Linux 5.13.
    bool hasSeccomp = false; ///< System calls: none that starts programs, uses the network or acts on other processes.
};

/// Returns the layers that the running kernel provides.
/// Cost: two system calls.
SandboxLayers kernelSandbox();

/// Returns a sentence for the user if `library` runs with fewer than all layers, for example "libarchive runs in a process of its own, but
/// only partly in a sandbox: this kernel has no Landlock (Linux 5.13)". Empty if there are all.
std::string incompleteSandboxText(std::string_view library, const SandboxLayers& layers);

} // namespace helio
