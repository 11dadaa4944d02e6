#include "app/cli/serve/index_files.h"

#include "core/base/json.h"
#include "core/io/zstd_writer.h"
#include "core/store/assembly/file_store.h"
#include "core/store/store_format.h"
#include "core/trace/packed/index_description.h"

#include <QByteArray>

#include <algorithm>
#include <fmt/format.h>
#include <xxhash.h>

namespace helio {
namespace {

constexpr std::uint64_t MostBytes = std::uint64_t{1} << 20;
constexpr std::string_view DescriptionName = "index";

/// Returns a hash of a store's content. The header has the hashes of all sections, and these those of all blocks.
std::uint64_t contentHash(std::span<const std::byte> store)
{
    const auto header = store.first(std::min(sizeof(format::Header), store.size()));
    return XXH3_64bits(header.data(), header.size());
}

} // namespace

Result<IndexFiles> IndexFiles::open(const Experiment& experiment)
{
    IndexFiles all;
    const auto timeline = experiment.timeline();
    const auto stores = experiment.storePaths();
    for (std::size_t i = 0; i < stores.size(); ++i) {
        const Trace& trace = *timeline->traces[i].trace;
        const auto add = [&](const std::string& name, IndexFile file) {
            const auto [it, isNew] = all.m_numbers.emplace(name, all.m_files.size());
            if (isNew)
                all.m_files.push_back(std::move(file));
            all.m_traces.back().files.push_back(it->second);
        };
        all.m_traces.push_back({trace.info().path.filename().string(), {}});
        const std::string description = fmt::format("{}-{}", DescriptionName, i + 1);
        add(description, {description, describeIndex(trace), nullptr});
        for (const std::filesystem::path& path : stores[i]) {
            auto store = MappedFile::open(path);
            if (!store)
                return Error{Error::Kind::Unreadable, "A part of the index is not on the disk: " + store.error().what};
            const std::string name = path.filename().string();
            add(name, {name, {}, std::move(*store)});
        }
    }
    return all;
}

void IndexFiles::describe(JsonWriter& json) const
{
    json.key("traces").beginArray();
    for (const IndexedTrace& trace : m_traces) {
        json.beginObject();
        json.member("name", trace.name);
        json.key("files").beginArray();
        for (const std::size_t number : trace.files) {
            const IndexFile& file = m_files[number];
            const auto bytes = file.bytes();
            json.beginObject();
            json.member("name", file.name);
            json.member("bytes", std::uint64_t{bytes.size()});
            json.member("hash", fmt::format("{:016x}", file.store ? contentHash(bytes) : XXH3_64bits(bytes.data(), bytes.size())));
            json.key("first").beginArray();
            for (const ByteRange& range : file.store ? rangesReadAtOpening(bytes) : std::vector{ByteRange{0, bytes.size()}}) {
                json.beginArray();
                json.value(range.offset);
                json.value(range.size);
                json.endArray();
            }
            json.endArray();
            json.endObject();
        }
        json.endArray();
        json.endObject();
    }
    json.endArray();
}

Result<std::string> IndexFiles::read(const std::string& name, std::uint64_t offset, std::uint64_t size) const
{
    const auto found = m_numbers.find(name);
    if (found == m_numbers.end())
        return Error{Error::Kind::NotFound, "the index has no file \"" + name + '"'};
    const IndexFile& file = m_files[found->second];
    const auto bytes = file.bytes();
    if (size > MostBytes || offset > bytes.size() || size > bytes.size() - offset)
        return Error{Error::Kind::Usage, fmt::format("the range is not in the file, or longer than {} bytes", MostBytes)};
    const std::string packed = zstdFrame({reinterpret_cast<const char*>(bytes.data()) + offset, size});
    if (file.store && file.store->wasTruncated())
        return Error{Error::Kind::Unreadable, name + ": another program has truncated the file"};
    return QByteArray::fromRawData(packed.data(), qsizetype(packed.size())).toBase64().toStdString();
}

} // namespace helio
