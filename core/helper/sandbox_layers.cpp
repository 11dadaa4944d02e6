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

std::string sandboxText(const std::vector<std::string>& libraries, const SandboxLayers& layers)
{
    if (libraries.empty())
        return {};
    std::string text = libraries.front();
    for (std::size_t i = 1; i < libraries.size(); ++i)
        text += (i + 1 < libraries.size() ? ", " : " and ") + libraries[i];
    text += libraries.size() > 1 ? " read files in processes of their own" : " read files in a process of its own";
    if (layers.hasLandlock && layers.hasSeccomp)
        return text + ", in a sandbox (Landlock and seccomp).";
    if (layers.hasSeccomp)
        return text + ", but only partly in a sandbox: this kernel has no Landlock (Linux 5.13).";
    if (layers.hasLandlock)
        return text + ", but only partly in a sandbox: this kernel has no seccomp filters.";
    return text + ", but not in a sandbox: this kernel has neither Landlock (Linux 5.13) nor seccomp filters.";
}

} // namespace helio
