#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/io/mapped_file.h"
#include "core/io/spill_buffer.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// A text in a file, which may be compressed with gzip, zstd, xz or bzip2. A byte order mark of UTF-8 is not part of the text.
///
/// Ownership: views of the text live as long as the source.
/// Threads: to be used by one thread at a time until load() returns; then by any thread at once.
class TextSource {
public:
    /// Errors: those of MappedFile::open().
    static Result<std::unique_ptr<TextSource>> open(const std::filesystem::path& path);

    /// The start of the text, from which its format can be detected: up to 64 KiB.
    std::string_view head() const { return m_head; }
    /// The text as far as it is read to recognize its format: the whole text of a plain file, head() of a compressed one. In a compressed
    /// file with JSON or a page ('{' or '<' first), up to 16 MiB, because the head may not show the format.
    /// Cost: for such a file, the first call unpacks this part.
    std::string_view plainText() const;
    bool isHeadWhole() const { return m_isHeadWhole; } ///< True if head() is the whole text.
    std::uint64_t fileSize() const { return m_file->bytes().size(); } ///< Size of the file in bytes, compressed or not.
    const std::filesystem::path& path() const { return m_file->path(); }
    bool hasChanged() const { return m_file->hasChanged(); }

    /// Makes text() complete. If the compressed data is damaged, the text ends there, and damage() says so.
    /// Errors: Cancelled soon after `stop` is requested; Full if the text is too large to unpack; Corrupt if nothing can be unpacked.
    Status load(const std::stop_token& stop);

    /// The whole text. Requires: load() succeeded.
    std::string_view text() const { return m_text; }
    /// Returns what is missing from the text: the compressed data is damaged, or the file became shorter while it was read. nullopt if
    /// nothing is missing.
    std::optional<Diagnostic> damage() const;

    /// Returns a hash of the whole text and of `readerVersion`, for TraceInfo::identity. Requires: load() succeeded.
    /// Cost: reads the whole text, because a user may have edited it anywhere.
    std::string identity(std::uint64_t readerVersion) const;

private:
    explicit TextSource(std::shared_ptr<const MappedFile> file);

    std::shared_ptr<const MappedFile> m_file;
    std::vector<std::byte> m_unpackedHead; ///< Memory of m_head if the file is compressed.
    mutable std::vector<std::byte> m_longHead; ///< Memory of plainText() if it is longer than head(); empty before the first call.
    SpillBuffer m_unpacked; ///< The text if the file is compressed.
    std::string_view m_head;
    std::string_view m_text;
    bool m_isHeadWhole = false;
    std::optional<Diagnostic> m_damage;
};

} // namespace helio
