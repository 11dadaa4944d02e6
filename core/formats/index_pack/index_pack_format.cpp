// Reader for indexes that heliograph pack wrote: archives with a description of each trace and its stores, without the recordings. The
// archive is unpacked like any other; this format recognizes the descriptions in it.

#include "core/io/mapped_file.h"
#include "core/io/partial_file.h"
#include "core/trace/find_recordings.h"
#include "core/trace/packed/index_only_trace.h"

#include <algorithm>
#include <cstring>
#include <system_error>

namespace helio {
namespace {

bool isDescription(std::span<const std::byte> head)
{
    return head.size() >= IndexMagic.size() && std::memcmp(head.data(), IndexMagic.data(), IndexMagic.size()) == 0;
}

Result<std::unique_ptr<TraceOpening>> begin(const TraceSource& source, const std::stop_token&)
{
    const std::filesystem::path& path = source.parts.empty() ? source.path : source.parts.front();
    const auto file = MappedFile::open(path);
    if (!file)
        return file.error();
    auto description = readIndexDescription((*file)->bytes());
    if ((*file)->wasTruncated())
        return Error{Error::Kind::Corrupt, source.path.string() + ": another program has truncated the file"};
    if (!description)
        return Error{description.error().kind, source.path.string() + ": " + description.error().what};
    std::error_code error;
    const auto folderOf = [&](const std::filesystem::path& file) {
        return file.has_parent_path() ? file.parent_path() : std::filesystem::current_path(error);
    };
    const std::filesystem::path folder = folderOf(path);
    return makeFinishedOpening(
        std::make_shared<IndexOnlyTrace>(std::move(*description), folderOf(source.path), folder, PartialFolder::at(folder)));
}

} // namespace

extern const TraceFormat indexPackFormat{"index", [](const std::filesystem::path& path) { return findRecordings(path, {isDescription}); },
                                         [](const TraceSource& source, std::stop_token stop) { return begin(source, stop); }};

} // namespace helio
