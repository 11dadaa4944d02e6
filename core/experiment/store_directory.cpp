#include "core/experiment/store_directory.h"

#include "core/analysis/analysis.h"

#include <xxhash.h>

#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <sstream>
#include <system_error>

namespace helio {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view Extension = ".store";

struct StoreFile {
    fs::path path;
    std::uint64_t bytes;
    fs::file_time_type used;
};

/// As storePath() names them: nothing else in the folder is ours to remove.
bool isStoreName(const fs::path& path)
{
    const std::string stem = path.stem().string();
    return path.extension() == Extension && stem.size() == 32 && stem.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::vector<StoreFile> storeFiles(const fs::path& directory)
{
    std::vector<StoreFile> files;
    std::error_code error;
    for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
        std::error_code ignored;
        if (isStoreName(it->path()) && it->is_regular_file(ignored))
            files.push_back({it->path(), it->file_size(ignored), it->last_write_time(ignored)});
    }
    return files;
}

} // namespace

fs::path defaultStoreDirectory()
{
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && cache[0] == '/')
        return fs::path(cache) / "heliograph";
    const char* home = std::getenv("HOME");
    return fs::path(home && *home ? home : "/tmp") / ".cache" / "heliograph";
}

std::string storeIdentity(const Trace& trace)
{
    std::string identity = trace.info().format + '\n' + trace.info().reader + '\n' + trace.info().identity;
    for (const AnalysisKind* kind : builtinAnalyses())
        identity += '\n' + std::string(kind->id) + ' ' + std::to_string(kind->version);
    return identity;
}

fs::path storePath(const fs::path& directory, const Trace& trace)
{
    const std::string identity = storeIdentity(trace);
    const XXH128_hash_t hash = XXH3_128bits(identity.data(), identity.size());
    std::ostringstream name;
    name << std::hex << std::setfill('0') << std::setw(16) << hash.high64 << std::setw(16) << hash.low64 << Extension;
    return directory / name.str();
}

void trimStores(const fs::path& directory, std::uint64_t maximumBytes, const std::vector<fs::path>& keep)
{
    std::vector<StoreFile> files = storeFiles(directory);
    std::uint64_t total = 0;
    for (const StoreFile& file : files)
        total += file.bytes;
    std::sort(files.begin(), files.end(), [](const StoreFile& a, const StoreFile& b) { return a.used < b.used; });
    for (const StoreFile& file : files) {
        if (total <= maximumBytes)
            return;
        if (std::find(keep.begin(), keep.end(), file.path) != keep.end())
            continue;
        std::error_code ignored;
        if (fs::remove(file.path, ignored))
            total -= file.bytes;
    }
}

} // namespace helio
