#include "core/trace/find_recordings.h"

#include <algorithm>
#include <fstream>
#include <system_error>

namespace helio {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t HeadBytes = 16;
constexpr int MaxDepth = 12;
constexpr std::size_t MaxEntries = 50'000;

class Walk {
public:
    explicit Walk(const RecordingSearch& search)
        : m_search(search)
    {
    }

    void takeFile(const fs::path& file)
    {
        if (m_search.isRecording(readHead(file)))
            found.push_back({file, {file}});
    }

    void takeFolder(const fs::path& folder, int depth)
    {
        if (m_search.fromFolder) {
            if (auto source = m_search.fromFolder(folder)) {
                found.push_back(std::move(*source));
                return;
            }
        }
        std::vector<fs::path> folders;
        std::vector<fs::path> files;
        std::error_code error;
        for (fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end; !error && it != end;
             it.increment(error)) {
            std::error_code ignored;
            if (++m_visited > MaxEntries)
                break;
            if (it->is_symlink(ignored))
                continue;
            if (it->is_directory(ignored))
                folders.push_back(it->path());
            else if (it->is_regular_file(ignored))
                files.push_back(it->path());
        }
        std::sort(files.begin(), files.end());
        std::sort(folders.begin(), folders.end());
        for (const fs::path& file : files)
            takeFile(file);
        for (const fs::path& below : folders)
            if (depth < MaxDepth && m_visited <= MaxEntries)
                takeFolder(below, depth + 1);
    }

    std::vector<TraceSource> found;

private:
    const RecordingSearch& m_search;
    std::size_t m_visited = 0;
};

} // namespace

std::vector<std::byte> readHead(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::vector<std::byte> head(HeadBytes);
    stream.read(reinterpret_cast<char*>(head.data()), HeadBytes);
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
    return head;
}

std::vector<TraceSource> findRecordings(const fs::path& path, const RecordingSearch& search)
{
    Walk walk(search);
    std::error_code error;
    if (fs::is_directory(path, error))
        walk.takeFolder(path, 0);
    else if (fs::is_regular_file(path, error))
        walk.takeFile(path);
    return std::move(walk.found);
}

} // namespace helio
