#include "core/formats/perf_data/description.h"
#include "core/formats/perf_data/perf_opening.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <system_error>

namespace helio::perf {
namespace {

namespace fs = std::filesystem;

constexpr int MaxDepth = 12;
constexpr std::size_t MaxEntries = 50'000;

/// True if the file is a perf.data file. Cost: reads eight bytes.
bool isRecording(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::array<char, 8> head{};
    stream.read(head.data(), head.size());
    return stream.gcount() == static_cast<std::streamsize>(head.size()) && isPerfData(std::as_bytes(std::span(head)));
}

/// True if `perf record --threads` made the folder: the file `data` has the header, and data.0, data.1, ... have the records.
bool isDirectoryFormat(const fs::path& folder)
{
    std::error_code error;
    return fs::is_regular_file(folder / "data", error) && fs::is_regular_file(folder / "data.0", error) && isRecording(folder / "data");
}

TraceSource directorySource(const fs::path& folder)
{
    TraceSource source{folder, {folder / "data"}};
    std::error_code error;
    for (std::size_t i = 0; i < MaxEntries; ++i) {
        fs::path part = folder / ("data." + std::to_string(i));
        if (!fs::is_regular_file(part, error))
            break;
        source.parts.push_back(std::move(part));
    }
    return source;
}

void collect(const fs::path& folder, int depth, std::size_t& visited, std::vector<TraceSource>& found)
{
    if (isDirectoryFormat(folder)) {
        found.push_back(directorySource(folder));
        return;
    }
    std::vector<fs::path> folders;
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end; !error && it != end;
         it.increment(error)) {
        std::error_code ignored;
        if (++visited > MaxEntries)
            break;
        if (it->is_symlink(ignored))
            continue;
        if (it->is_directory(ignored))
            folders.push_back(it->path());
        else if (it->is_regular_file(ignored) && isRecording(it->path()))
            files.push_back(it->path());
    }
    std::sort(files.begin(), files.end());
    std::sort(folders.begin(), folders.end());
    for (const fs::path& file : files)
        found.push_back({file, {file}});
    for (const fs::path& below : folders)
        if (depth < MaxDepth && visited <= MaxEntries)
            collect(below, depth + 1, visited, found);
}

} // namespace

std::vector<TraceSource> findRecordings(const fs::path& path)
{
    std::vector<TraceSource> found;
    std::error_code error;
    std::size_t visited = 0;
    if (fs::is_directory(path, error))
        collect(path, 0, visited, found);
    else if (fs::is_regular_file(path, error) && isRecording(path))
        found.push_back({path, {path}});
    return found;
}

} // namespace helio::perf
