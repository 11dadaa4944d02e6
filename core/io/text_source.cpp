#include "core/io/text_source.h"

#include "core/io/fingerprint.h"
#include "core/io/unpack.h"

#include <algorithm>

namespace helio {
namespace {

constexpr std::size_t HeadBytes = std::size_t{64} << 10;

std::string_view withoutMark(std::span<const std::byte> bytes)
{
    constexpr std::string_view Mark = "\xef\xbb\xbf";
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.starts_with(Mark))
        text.remove_prefix(Mark.size());
    return text;
}

} // namespace

TextSource::TextSource(std::shared_ptr<const MappedFile> file)
    : m_file(std::move(file))
{
    const auto bytes = m_file->bytes();
    if (!isCompressed(bytes)) {
        m_head = withoutMark(bytes.first(std::min(bytes.size(), HeadBytes)));
        m_isHeadWhole = bytes.size() <= HeadBytes;
        return;
    }
    if (auto begin = unpackPrefix(bytes, HeadBytes)) {
        m_unpackedHead = std::move(*begin);
        m_head = withoutMark(m_unpackedHead);
        m_isHeadWhole = m_unpackedHead.size() < HeadBytes;
    }
}

Result<std::unique_ptr<TextSource>> TextSource::open(const std::filesystem::path& path)
{
    auto file = MappedFile::open(path);
    if (!file)
        return file.error();
    return std::unique_ptr<TextSource>(new TextSource(std::move(*file)));
}

std::string_view TextSource::plainText() const
{
    if (!isCompressed(m_file->bytes()))
        return withoutMark(m_file->bytes());
    // In JSON and pages, the head may not show the format.
    constexpr std::size_t LongHeadBytes = std::size_t{16} << 20;
    const bool isCut = !m_isHeadWhole && (m_head.starts_with('{') || m_head.starts_with('<'));
    if (isCut && m_longHead.empty())
        if (auto begin = unpackPrefix(m_file->bytes(), LongHeadBytes))
            m_longHead = std::move(*begin);
    return isCut ? withoutMark(m_longHead) : m_head;
}

Status TextSource::load(const std::stop_token& stop)
{
    m_file->advise(MappedFile::Advice::Sequential);
    if (!isCompressed(m_file->bytes())) {
        m_text = withoutMark(m_file->bytes());
        return Done{};
    }
    Status written = Done{};
    auto unpacked = unpack(m_file->bytes(), [&](std::span<const std::byte> part) {
        written = stop.stop_requested() ? Status(Error{Error::Kind::Cancelled, "stopped"}) : m_unpacked.append(part);
        return bool(written);
    });
    if (!written)
        return written;
    const std::uint64_t size = m_unpacked.bytes().size();
    if (!unpacked && unpacked.error().kind == Error::Kind::Corrupt && size > 0)
        m_damage = Diagnostic{Diagnostic::Severity::Error,
                              "cut-compressed",
                              path().string(),
                              size,
                              1,
                              unpacked.error().what + ": all after " + std::to_string(size) + " bytes of text is missing"};
    else if (!unpacked)
        return unpacked;
    m_text = withoutMark(m_unpacked.bytes());
    return Done{};
}

std::optional<Diagnostic> TextSource::damage() const
{
    if (m_damage || !m_file->wasTruncated())
        return m_damage;
    return Diagnostic{
        Diagnostic::Severity::Error, "file-shrank", path().string(), 0, 1, "the file shrank while it was read; its rest is missing"};
}

std::string TextSource::identity(std::uint64_t readerVersion) const
{
    Fingerprint print;
    print.add(readerVersion);
    print.add(static_cast<std::uint64_t>(m_text.size()));
    print.add(std::as_bytes(std::span(m_text)));
    return print.text();
}

} // namespace helio
