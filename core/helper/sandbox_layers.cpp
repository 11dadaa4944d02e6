#include "core/helper/sandbox_layers.h"

#include <cstdint>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace helio {

SandboxLayers kernelSandbox()
{
    constexpr unsigned LandlockVersion = 1; // Flag of landlock_create_ruleset that asks for the version of Landlock.
    const std::uint32_t action = SECCOMP_RET_ERRNO;
    return {::syscall(SYS_landlock_create_ruleset, nullptr, 0, LandlockVersion) >= 1,
            ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0};
}

std::string incompleteSandboxText(std::string_view library, const SandboxLayers& layers)
{
    if (layers.hasLandlock && layers.hasSeccomp)
        return {};
    const std::string begin(library);
    if (layers.hasSeccomp)
        return begin + " runs in a process of its own, but only partly in a sandbox: this kernel has no Landlock (Linux 5.13)";
    if (layers.hasLandlock)
        return begin + " runs in a process of its own, but only partly in a sandbox: this kernel has no seccomp filters";
    return begin + " runs in a process of its own, but not in a sandbox: this kernel has neither Landlock (Linux 5.13) nor seccomp filters";
}

} // namespace helio
