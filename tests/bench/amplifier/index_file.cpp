#include "tests/bench/amplifier/index_file.h"

namespace helio::bench {
namespace {

constexpr std::uint32_t Magic = 0xC1F1DCC1;
constexpr std::uint64_t HeaderBytes = 16;
constexpr std::uint64_t EntryBytes = 72;

template <typename T> void append(std::string& bytes, T number) // Index files are big-endian, independently of the trace's byte order.
{
    for (int shift = 8 * (sizeof number - 1); shift >= 0; shift -= 8)
        bytes += static_cast<char>(number >> shift);
}

} // namespace

Result<IndexFile> IndexFile::create(const std::filesystem::path& path)
{
    auto file = OutputFile::create(path);
    if (!file)
        return file.error();
    std::string header;
    for (const std::uint32_t number : {Magic, std::uint32_t(1), std::uint32_t(1), std::uint32_t(EntryBytes)})
        append(header, number);
    if (auto written = file->write(0, std::as_bytes(std::span(header))); !written)
        return written.error();
    return IndexFile(std::move(*file));
}

Status IndexFile::write(std::uint64_t packet, const IndexEntry& entry)
{
    std::string bytes;
    for (const std::uint64_t number : {entry.offset, entry.packetBits, entry.contentBits, entry.begin, entry.end, entry.discarded,
                                       entry.streamClass, entry.instance, entry.sequence})
        append(bytes, number);
    return m_file.write(HeaderBytes + packet * EntryBytes, std::as_bytes(std::span(bytes)));
}

} // namespace helio::bench
