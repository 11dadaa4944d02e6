#include "core/io/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <memory>

namespace helio {

Result<std::vector<std::byte>> unpacked(std::span<const std::byte> bytes, std::uint64_t limit)
{
    const std::unique_ptr<archive, decltype(&archive_read_free)> reader(archive_read_new(), &archive_read_free);
    const Error broken{Error::Kind::Corrupt, "damaged compressed bytes"};
    if (!reader)
        return broken;
    archive_read_support_filter_xz(reader.get());
    archive_read_support_filter_gzip(reader.get());
    archive_read_support_filter_bzip2(reader.get());
    archive_read_support_filter_zstd(reader.get());
    archive_read_support_format_raw(reader.get());
    archive_entry* entry = nullptr;
    if (archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) != ARCHIVE_OK
        || archive_read_next_header(reader.get(), &entry) != ARCHIVE_OK || archive_filter_count(reader.get()) < 2)
        return broken;
    std::vector<std::byte> result;
    const void* part = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    int status = ARCHIVE_OK;
    while ((status = archive_read_data_block(reader.get(), &part, &size, &offset)) == ARCHIVE_OK) {
        if (size > limit - result.size())
            return Error{Error::Kind::Full, "compressed bytes that grow too large"};
        const auto* from = static_cast<const std::byte*>(part);
        result.insert(result.end(), from, from + size);
    }
    if (status != ARCHIVE_EOF)
        return broken;
    return result;
}

} // namespace helio
