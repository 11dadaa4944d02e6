#include "core/findings/file_calls.h"

#include "core/findings/finding_scope.h"
#include "core/query/segments/composite_states.h"

#include <algorithm>
#include <array>

namespace helio {
namespace {

constexpr std::array<std::string_view, 6> SyncCalls{"fdatasync", "fsync", "msync", "sync", "sync_file_range", "syncfs"};

/// Further system calls that do not wait by design, sorted. read() and write() are left out, because they also wait for sockets and pipes.
constexpr std::array<std::string_view, 45> OtherFileCalls{
    "access",     "brk",       "clone",   "clone3",   "copy_file_range", "creat",    "execve",     "faccessat", "faccessat2",
    "fallocate",  "fork",      "fstat",   "fstatfs",  "ftruncate",       "getdents", "getdents64", "getxattr",  "link",
    "linkat",     "lstat",     "madvise", "mkdir",    "mkdirat",         "mmap",     "mprotect",   "mremap",    "munmap",
    "newfstatat", "newlstat",  "newstat", "open",     "openat",          "openat2",  "pread64",    "preadv",    "pwrite64",
    "pwritev",    "readahead", "rename",  "renameat", "renameat2",       "rmdir",    "stat",       "unlink",    "unlinkat"};
static_assert(std::ranges::is_sorted(SyncCalls) && std::ranges::is_sorted(OtherFileCalls));

constexpr std::string_view Syscalls = "syscall";

} // namespace

bool isSyncCall(std::string_view name) { return std::ranges::binary_search(SyncCalls, name); }

bool hasFileCalls(const FindingScope& scope) { return findCompositeState(scope.timeline(), Syscalls).has_value(); }

FileCalls findFileCalls(const FindingScope& scope)
{
    FileCalls calls;
    const Timeline& timeline = scope.timeline();
    const auto syscall = findCompositeState(timeline, Syscalls);
    if (!syscall)
        return calls;
    std::vector<Row> rows = rowsWithComposite(timeline, *syscall);
    std::erase_if(rows, [&](const Row& row) { return !scope.accepts(row) || !row.life.overlaps(scope.window()); });
    CompositeStateNames names(timeline, *syscall);
    forEachCompositeState(
        timeline, *syscall, rows, scope.window(),
        [&](const Row& row, TimeRange range, std::uint32_t value) {
            const std::string_view name = names.of(row, value);
            if (isSyncCall(name) || (range.duration() >= SlowFileCall && std::ranges::binary_search(OtherFileCalls, name)))
                calls[{row.host, std::string(name)}].add(range, row.ref);
        },
        scope.stop(), RunOrder::ByRow);
    return calls;
}

} // namespace helio
