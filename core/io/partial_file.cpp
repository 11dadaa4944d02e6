#include "core/io/partial_file.h"

#include "core/base/deferred_fetches.h"
#include "core/base/task_stop.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

namespace helio {
namespace {

struct AnnouncedFolder {
    std::filesystem::path path;
    std::weak_ptr<const PartialFolder> folder;
};

std::atomic<std::uint64_t> s_missed = 0;

std::mutex s_mutex;
std::vector<AnnouncedFolder> s_announced; ///< Guarded by s_mutex.

} // namespace

bool PartialFile::require(std::uint64_t offset, std::uint64_t size, const std::stop_token& stop)
{
    if (has(offset, size))
        return true;
    request(offset, size);
    DeferredFetches* const deferred = DeferredFetches::innermost();
    if (!deferred)
        return waitAndCount(offset, size, stop.stop_possible() ? stop : TaskStop::current());
    deferred->add([this, offset, size](const std::stop_token& stopped) { return waitAndCount(offset, size, stopped); });
    return false;
}

bool PartialFile::waitAndCount(std::uint64_t offset, std::uint64_t size, const std::stop_token& stop)
{
    if (wait(offset, size, stop))
        return true;
    if (!stop.stop_requested())
        ++s_missed;
    return false;
}

std::uint64_t PartialFile::missedCount() { return s_missed; }

void PartialFolder::announce(const std::filesystem::path& path, std::weak_ptr<const PartialFolder> folder)
{
    const std::lock_guard lock(s_mutex);
    std::erase_if(s_announced, [](const AnnouncedFolder& it) { return it.folder.expired(); });
    s_announced.push_back({path, std::move(folder)});
}

std::shared_ptr<const PartialFolder> PartialFolder::at(const std::filesystem::path& path)
{
    const std::lock_guard lock(s_mutex);
    for (const AnnouncedFolder& it : s_announced) {
        const auto [end, ignored] = std::ranges::mismatch(it.path, path);
        if (auto folder = it.folder.lock(); folder && end == it.path.end())
            return folder;
    }
    return nullptr;
}

} // namespace helio
