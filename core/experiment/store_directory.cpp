#include "core/experiment/store_directory.h"

#include "core/io/archive.h"
#include "core/io/leftovers.h"
#include "core/remote/remote_index.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iomanip>
#include <map>
#include <mutex>
#include <sstream>
#include <sys/stat.h>
#include <system_error>
#include <xxhash.h>

namespace helio {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view Extension = ".store";

constexpr int FactsVersion = 3; ///< Version of the facts; increase it when the facts change, so that stored facts are built again.

/// Age at which an unfinished unpacking is considered abandoned by its program: two days.
constexpr std::chrono::hours AbandonedAfter{48};

constexpr std::chrono::seconds TrimInterval{10}; ///< Least time between two trims of a folder by a process.

struct Cached {
    fs::path path;
    std::uint64_t bytes;
    fs::file_time_type used;
};

/// True if the name has 32 hexadecimal digits, like all files and folders of this program. Other files in the directory are not removed.
bool isHash(const std::string& name) { return name.size() == 32 && name.find_first_not_of("0123456789abcdef") == std::string::npos; }

bool isStoreName(const fs::path& path) { return path.extension() == Extension && isHash(path.stem().string()); }

bool isBelow(const fs::path& path, const fs::path& folder)
{
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

std::uint64_t bytesBelow(const fs::path& folder)
{
    std::uint64_t bytes = 0;
    std::error_code error;
    for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        std::error_code none;
        struct stat facts = {};
        if (it->is_regular_file(none) && ::lstat(it->path().c_str(), &facts) == 0)
            bytes += static_cast<std::uint64_t>(std::min<std::int64_t>(facts.st_size, facts.st_blocks * 512)); // A copy has holes.
    }
    return bytes;
}

/// Removes a folder with its content. It first loses its name, so that a killed program leaves no folder that looks complete.
void removeFolder(const fs::path& path, std::error_code& error)
{
    const TemporaryFolder folder(path.parent_path(), UnpackingPrefix);
    if (folder.isMade())
        fs::rename(path, folder.path() / "removed", error);
    else
        error = std::error_code(errno, std::generic_category());
}

/// Removes the least recently used files and folders of `all`, until the remaining ones have at most `maximumBytes` bytes together.
/// Keeps those for which `isKept` returns true.
void trim(std::vector<Cached> all, std::uint64_t maximumBytes, const std::function<bool(const fs::path&)>& isKept)
{
    std::uint64_t total = 0;
    for (const Cached& it : all)
        total += it.bytes;
    std::sort(all.begin(), all.end(), [](const Cached& a, const Cached& b) { return a.used < b.used; });
    for (const Cached& it : all) {
        if (total <= maximumBytes)
            return;
        if (isKept(it.path))
            continue;
        std::error_code error;
        if (fs::is_directory(it.path, error))
            removeFolder(it.path, error);
        else
            fs::remove(it.path, error);
        if (!error)
            total -= it.bytes;
    }
}

std::vector<Cached> storeFiles(const fs::path& directory)
{
    std::vector<Cached> files;
    std::error_code error;
    for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
        std::error_code ignored;
        if (isStoreName(it->path()) && it->is_regular_file(ignored))
            files.push_back({it->path(), it->file_size(ignored), it->last_write_time(ignored)});
    }
    return files;
}

std::string asText(std::span<const ThreadEnd> ends)
{
    std::string text;
    for (const ThreadEnd& end : ends)
        text += std::to_string(end.tid) + ' ' + std::to_string(nanoseconds(end.at)) + '\n';
    return text;
}

std::string hexHashOf(std::string_view bytes)
{
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    std::ostringstream text;
    text << std::hex << std::setfill('0') << std::setw(16) << hash.high64 << std::setw(16) << hash.low64;
    return text.str();
}

} // namespace

fs::path defaultStoreDirectory()
{
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && cache[0] == '/')
        return fs::path(cache) / "heliograph";
    const char* home = std::getenv("HOME");
    return fs::path(home && *home ? home : "/tmp") / ".cache" / "heliograph";
}

std::string storeIdentity(const Trace& trace, const Analyses& analyses, const AnalysisKind* kind, std::span<const ThreadEnd> threadEnds)
{
    std::string identity = trace.info().format + '\n' + trace.info().reader + '\n' + trace.info().identity;
    if (!kind)
        return identity + "\nfacts " + std::to_string(FactsVersion);
    identity += "\nanalysis";
    std::vector<const AnalysisKind*> kinds{kind};
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        identity += '\n' + std::string(kinds[i]->id()) + ' ' + std::to_string(kinds[i]->version());
        for (const auto& others : {kinds[i]->needs(), kinds[i]->uses()})
            for (const std::string_view need : others)
                if (const AnalysisKind* other = analyses.find(need); std::ranges::find(kinds, other) == kinds.end())
                    kinds.push_back(other);
    }
    if (!threadEnds.empty() && std::ranges::any_of(kinds, &AnalysisKind::usesThreadEnds))
        identity += "\nthread ends " + hexHashOf(asText(threadEnds));
    return identity;
}

fs::path storePath(const fs::path& directory, std::string_view identity) { return directory / hexHashOf(identity).append(Extension); }

bool isTrimDue(const fs::path& directory)
{
    using Clock = std::chrono::steady_clock;
    static std::mutex mutex;
    static std::map<fs::path, Clock::time_point> latest;
    const Clock::time_point now = Clock::now();
    const std::scoped_lock lock(mutex);
    const auto [known, isFirst] = latest.emplace(directory, now);
    const bool isDue = isFirst || now - known->second >= TrimInterval;
    if (isDue)
        known->second = now;
    return isDue;
}

void trimStores(const fs::path& directory, std::uint64_t maximumBytes, const std::vector<fs::path>& keep)
{
    trim(storeFiles(directory), maximumBytes,
         [&](const fs::path& path) { return std::find(keep.begin(), keep.end(), path) != keep.end(); });
}

void trimArchives(const fs::path& directory, std::uint64_t maximumBytes, const std::vector<fs::path>& keep)
{
    std::vector<Cached> folders;
    std::error_code error;
    const auto now = fs::file_time_type::clock::now();
    for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
        std::error_code ignored;
        const std::string name = it->path().filename().string();
        if (!it->is_directory(ignored) || it->is_symlink(ignored))
            continue;
        const auto used = it->last_write_time(ignored);
        if (name.starts_with(UnpackingPrefix) && now - used > AbandonedAfter)
            fs::remove_all(it->path(), ignored);
        else if (isHash(name) || (name.starts_with(MirrorPrefix) && !isMirrorInUse(it->path())))
            folders.push_back({it->path(), bytesBelow(it->path()), used});
    }
    trim(std::move(folders), maximumBytes, [&](const fs::path& folder) {
        return std::any_of(keep.begin(), keep.end(), [&](const fs::path& path) { return isBelow(path, folder); });
    });
}

} // namespace helio
