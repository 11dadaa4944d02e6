#include "core/export/pack/index_pack.h"

#include "core/io/mapped_file.h"
#include "core/io/tar_writer.h"
#include "core/io/zstd_writer.h"
#include "core/store/file/temporary_file.h"
#include "core/trace/packed/index_description.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace helio {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t PieceBytes = std::size_t{1} << 20; ///< Number of bytes after which a stop is noticed.
constexpr std::size_t MostNameBytes = 50; ///< Maximum length of a folder's name: a name in the archive has at most 100 bytes.

std::string_view textOf(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// Returns a name for a trace's folder in the archive: the last part of the trace's path, made unique in `taken`.
std::string folderName(const Trace& trace, std::set<std::string>& taken)
{
    std::string name = trace.info().path.filename().string();
    std::size_t size = std::min(MostNameBytes, name.size());
    while (size < name.size() && size > 0 && (static_cast<unsigned char>(name[size]) & 0xc0) == 0x80)
        --size; // Do not cut a character of UTF-8.
    name.resize(size);
    if (name.empty() || name == "." || name == "..")
        name = "trace";
    std::string unique = name;
    for (int number = 2; !taken.insert(unique).second; ++number)
        unique = name + '-' + std::to_string(number);
    return unique;
}

class PackWriter {
public:
    PackWriter(const PackRequest& request, TemporaryFile& file)
        : m_request(request)
        , m_file(file)
        , m_zstd([&file](std::string_view bytes) { file.append(std::as_bytes(std::span(bytes))); })
        , m_tar([this](std::string_view bytes) { m_zstd.write(bytes); })
    {
        for (const PackedTrace& it : request.traces)
            for (const fs::path& store : it.stores) {
                std::error_code error;
                const auto size = fs::file_size(store, error);
                m_total += error ? 0 : size;
            }
    }

    Status write()
    {
        std::set<std::string> taken;
        for (const PackedTrace& it : m_request.traces) {
            const std::string folder = folderName(*it.trace, taken);
            const std::vector<std::byte> description = describeIndex(*it.trace);
            if (!m_tar.begin(folder + "/index", description.size()))
                return tooLong(folder);
            m_tar.write(textOf(description));
            for (const fs::path& store : it.stores)
                if (Status added = addStore(folder, store); !added)
                    return added;
        }
        m_tar.finish();
        m_zstd.finish();
        return m_file.flush();
    }
    std::uint64_t storeBytes() const { return m_done; }

private:
    static Error tooLong(const fs::path& path)
    {
        return {Error::Kind::Unsupported, path.string() + ": the name is too long for an archive"};
    }

    Status addStore(const std::string& folder, const fs::path& path)
    {
        const auto store = MappedFile::open(path);
        if (!store)
            return Error{store.error().kind, "A part of the index is not on the disk: " + store.error().what};
        (*store)->advise(MappedFile::Advice::Sequential);
        auto left = (*store)->bytes();
        if (!m_tar.begin(folder + '/' + path.filename().string(), left.size()))
            return tooLong(path);
        while (!left.empty()) {
            if (m_request.stop.stop_requested())
                return Error{Error::Kind::Cancelled, "Packing was cancelled"};
            const auto piece = left.first(std::min(PieceBytes, left.size()));
            m_tar.write(textOf(piece));
            left = left.subspan(piece.size());
            m_done += piece.size();
            if (m_request.progress && m_total > 0)
                m_request.progress(static_cast<double>(m_done) / static_cast<double>(m_total));
            if (!m_file.status())
                return m_file.status();
        }
        if ((*store)->wasTruncated())
            return Error{Error::Kind::Unreadable, path.string() + ": another program has truncated the file"};
        return Done{};
    }

    const PackRequest& m_request;
    TemporaryFile& m_file;
    ZstdWriter m_zstd;
    TarWriter m_tar;
    std::uint64_t m_total = 0; ///< Size of all stores in bytes.
    std::uint64_t m_done = 0; ///< Number of bytes of stores that were written.
};

} // namespace

Result<PackSummary> writeIndexPack(const PackRequest& request)
{
    std::error_code error;
    const bool isLink = fs::is_symlink(request.output, error) && fs::exists(request.output, error);
    auto file = TemporaryFile::make(isLink ? fs::canonical(request.output, error) : request.output, request.stop);
    if (!file)
        return Error{file.error().kind, "Cannot write " + request.output.string() + ": " + file.error().what};
    (*file)->setKept();
    PackWriter writer(request, **file);
    if (Status written = writer.write(); !written)
        return written.error();
    const std::uint64_t bytes = (*file)->size();
    if (Status committed = (*file)->commit(); !committed)
        return Error{committed.error().kind, "Cannot write " + request.output.string() + ": " + committed.error().what};
    return PackSummary{writer.storeBytes(), bytes};
}

} // namespace helio
