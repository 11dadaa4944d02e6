#include "core/profiling/samples/source_text.h"

#include <algorithm>
#include <fstream>

namespace helio {

namespace {

constexpr std::size_t MostBytes = 16 << 20;

} // namespace

SourceText readSource(const std::string& recorded, const SourcePaths& paths)
{
    SourceText text{recorded, {}, {}, {}, {}};
    SourcePaths::Found found = paths.find(recorded);
    text.looked = std::move(found.looked);
    if (found.file.empty()) {
        text.problem = "The source file was not found.";
        return text;
    }
    std::error_code error;
    // Reading a pipe might never end, so only regular files are read.
    if (!std::filesystem::is_regular_file(found.file, error)) {
        text.problem = "Not a regular file: " + found.file.string();
        return text;
    }
    std::ifstream file(found.file, std::ios::binary);
    std::string bytes(std::min<std::uintmax_t>(std::filesystem::file_size(found.file, error), MostBytes), '\0');
    if (error || !file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
        text.problem = "The source file cannot be read: " + found.file.string();
        return text;
    }
    text.file = std::move(found.file);
    for (std::size_t begin = 0; begin < bytes.size();) {
        const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
        const bool hasReturn = end > begin && bytes[end - 1] == '\r';
        text.lines.push_back(bytes.substr(begin, end - begin - (hasReturn ? 1 : 0)));
        begin = end + 1;
    }
    return text;
}

} // namespace helio
