#include "core/waits/locks/lock_row.h"

#include "core/query/rows/rows.h"
#include "core/waits/locks/lock_stat.h"

#include <algorithm>

namespace helio {
namespace {

/// True if the row's lock has this name. A kernel lock such as "0xffff888100044880 mutex" is named by its first word, a lock of a process
/// by more words.
bool isCalled(const Row& row, std::string_view name)
{
    const std::string_view label = row.label;
    return row.ref.isValid() && row.kind == "lock" && row.pid < 0 && label.starts_with(name)
        && (label.size() == name.size() || label[name.size()] == ' ');
}

} // namespace

TrackRef findLockRow(const Timeline& timeline, std::string_view className)
{
    const std::string_view name = lockNameOf(className);
    const auto all = rows(timeline, "locks");
    const auto found = std::ranges::find_if(all, [&](const Row& it) { return !name.empty() && isCalled(it, name); });
    return found == all.end() ? TrackRef() : found->ref;
}

} // namespace helio
