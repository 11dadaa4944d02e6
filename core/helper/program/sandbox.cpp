#include "core/helper/program/sandbox.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace helio {
namespace {

// The interface of Landlock as in include/uapi/linux/landlock.h of Linux 6.12: the headers of older systems have only a part of it.

/// Attributes of a ruleset. Kernels of an older version know only the first members.
struct Ruleset {
    std::uint64_t files = 0;
    std::uint64_t network = 0;
    std::uint64_t scopes = 0;
};
struct [[gnu::packed]] PathRule {
    std::uint64_t allowed = 0;
    std::int32_t folder = -1;
};
constexpr unsigned VersionOnly = 1; ///< Flag of landlock_create_ruleset that asks for the version of Landlock.
constexpr int PathRuleType = 1;
constexpr std::uint64_t ReadFile = 1U << 2, ReadFolder = 1U << 3;
constexpr std::uint64_t TcpRights = 3; ///< To bind and to connect. Since version 4.
constexpr std::uint64_t AllScopes = 3; ///< Abstract Unix sockets and signals. Since version 6.

/// Returns the bits of all rights to files that a version of Landlock can forbid.
std::uint64_t fileRights(long version)
{
    const int count = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
    return (std::uint64_t{1} << count) - 1;
}

void allowReading(int ruleset, const std::filesystem::path& path)
{
    const int file = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    struct stat facts = {};
    if (file >= 0 && ::fstat(file, &facts) == 0) {
        const PathRule rule{S_ISDIR(facts.st_mode) ? ReadFile | ReadFolder : ReadFile, file};
        ::syscall(SYS_landlock_add_rule, ruleset, PathRuleType, &rule, 0);
    }
    if (file >= 0)
        ::close(file);
}

bool restrictFiles(std::span<const std::filesystem::path> readable)
{
    const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, VersionOnly);
    if (version < 1)
        return false;
    const Ruleset rules{fileRights(version), version >= 4 ? TcpRights : 0, version >= 6 ? AllScopes : 0};
    const std::size_t size = version >= 6 ? sizeof rules : version >= 4 ? offsetof(Ruleset, scopes) : offsetof(Ruleset, network);
    const auto ruleset = static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rules, size, 0));
    if (ruleset < 0)
        return false;
    for (const auto& path : readable)
        allowReading(ruleset, path);
    const bool isRestricted = ::syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    ::close(ruleset);
    return isRestricted;
}

/// System calls that a library needs to read files, to compute and to end. Which files may be opened is left to Landlock.
constexpr int Allowed[] = {
    // Open files.
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(lseek), SCMP_SYS(close),
    SCMP_SYS(fstat), SCMP_SYS(fadvise64), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(dup),
    // Names of files.
    SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(newfstatat), SCMP_SYS(statx), SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2),
    SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(getdents64), SCMP_SYS(getcwd),
    // Memory.
    SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(mprotect), SCMP_SYS(madvise), SCMP_SYS(brk),
    // The process itself.
    SCMP_SYS(futex), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(getrusage), SCMP_SYS(getrlimit), SCMP_SYS(setrlimit),
    SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid), SCMP_SYS(uname),
    SCMP_SYS(sysinfo), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity), SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres),
    SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(getrandom), SCMP_SYS(set_robust_list), SCMP_SYS(rseq)};

/// Commands of fcntl that act on the descriptor alone. Others can make the kernel send a signal to any process of the user.
constexpr int AllowedFcntl[] = {F_GETFD, F_SETFD, F_GETFL, F_DUPFD, F_DUPFD_CLOEXEC};

/// Allows a system call only if its argument `number`, masked with `mask`, is `value`.
bool allowWith(scmp_filter_ctx filter, int call, unsigned number, std::uint64_t value, std::uint64_t mask = ~std::uint64_t{0})
{
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1, SCMP_CMP64(number, SCMP_CMP_MASKED_EQ, mask, value)) == 0;
}

/// Allows to open files for reading. Which ones is left to Landlock; without it, they at least stay unchanged.
bool allowOpening(scmp_filter_ctx filter)
{
    constexpr std::uint64_t Changing = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
    return allowWith(filter, SCMP_SYS(open), 1, O_RDONLY, Changing) && allowWith(filter, SCMP_SYS(openat), 2, O_RDONLY, Changing);
}

bool restrictCalls(bool canOpen)
{
    const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter)
        return false;
    const auto own = static_cast<std::uint64_t>(::getpid());
    const bool isBuilt = std::ranges::all_of(Allowed, [&](int call) { return seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0) == 0; })
        && std::ranges::all_of(AllowedFcntl,
                               [&](int command) {
                                   return allowWith(filter, SCMP_SYS(fcntl), 1, static_cast<std::uint64_t>(command), 0xFFFFFFFF);
                               })
        && (!canOpen || allowOpening(filter)) && allowWith(filter, SCMP_SYS(prlimit64), 0, 0) // Limits of this process only.
        && allowWith(filter, SCMP_SYS(tgkill), 0, own); // abort() sends its signal so.
    const bool isRestricted = isBuilt && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return isRestricted;
}

} // namespace

SandboxLayers enterSandbox(std::span<const std::filesystem::path> readable)
{
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); // Both layers require it, and set-user-ID programs have no effect then.
    SandboxLayers layers;
    layers.hasLandlock = restrictFiles(readable);
    layers.hasSeccomp = restrictCalls(!readable.empty());
    return layers;
}

std::vector<std::filesystem::path> libraryPaths()
{
    std::vector<std::filesystem::path> paths{"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"};
    dl_iterate_phdr(
        [](dl_phdr_info* library, std::size_t, void* to) {
            if (const std::filesystem::path path = library->dlpi_name; path.is_absolute())
                static_cast<std::vector<std::filesystem::path>*>(to)->push_back(path.parent_path());
            return 0;
        },
        &paths);
    return paths;
}

} // namespace helio
