// Reader for texts with samples: the output of `perf script`, and folded stacks ("a;b;c 12"), which FlameGraph's stackcollapse scripts and
// many profilers write. Lines have two counts if difffolded.pl wrote them. Texts may be compressed with gzip, zstd, xz or bzip2.
//
// Names come from the text; addresses are not resolved. Samples without times all have time 0, and TraceInfo::hasTimes is false. Branch
// stacks and the source lines of -F srcline are not read.

#include "core/formats/stack_text/folded_reader.h"
#include "core/formats/stack_text/script_reader.h"
#include "core/formats/stack_text/text_trace.h"
#include "core/io/fingerprint.h"
#include "core/io/mapped_file.h"
#include "core/io/unpack.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <array>

namespace helio::stacktext {
namespace {

constexpr std::size_t DetectionBytes = std::size_t{64} << 10; ///< Number of bytes at the start of a text from which its format is detected.
/// Version of the reader; increment it when the same text gives other stacks or events, so that stores are rebuilt.
constexpr std::uint64_t ReaderVersion = 4;

enum class Kind { None, Script, Folded, TwoColumns };

/// Returns the bytes as a text, without the byte order mark that some editors write before UTF-8.
std::string_view textOf(std::span<const std::byte> bytes)
{
    constexpr std::string_view Mark = "\xef\xbb\xbf";
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.starts_with(Mark))
        text.remove_prefix(Mark.size());
    return text;
}

/// True for names like "samples.folded" or "samples.collapsed.gz".
bool isNamedFolded(std::filesystem::path name)
{
    constexpr std::array<std::string_view, 4> Packed{".gz", ".zst", ".xz", ".bz2"};
    if (std::ranges::find(Packed, name.extension().string()) != Packed.end())
        name = name.stem();
    return name.extension() == ".folded" || name.extension() == ".collapsed";
}

Kind kindOf(std::string_view begin, bool isWhole, const std::filesystem::path& path)
{
    if (isScript(begin, isWhole))
        return Kind::Script;
    switch (countFoldedColumns(begin, isWhole, isNamedFolded(path))) {
    case 1: return Kind::Folded;
    case 2: return Kind::TwoColumns;
    default: return Kind::None;
    }
}

/// Returns the format of a file's text, which may be compressed.
Kind kindOf(const MappedFile& file)
{
    const auto bytes = file.bytes();
    if (isCompressed(bytes)) {
        const auto begin = unpackPrefix(bytes, DetectionBytes);
        return begin ? kindOf(textOf(*begin), begin->size() < DetectionBytes, file.path()) : Kind::None;
    }
    return kindOf(textOf(bytes.first(std::min(bytes.size(), DetectionBytes))), bytes.size() <= DetectionBytes, file.path());
}

class TextOpening final : public TraceOpening {
public:
    TextOpening(TraceSource source, std::shared_ptr<const MappedFile> file, Kind kind)
        : m_source(std::move(source))
        , m_file(std::move(file))
        , m_kind(kind)
    {
    }

    std::shared_ptr<const Trace> provisionalTrace() const override { return std::make_shared<TextTrace>(makeInfo(), nullptr); }

    Result<std::shared_ptr<const Trace>> finish(const Publish&, std::stop_token stop) override
    {
        m_file->advise(MappedFile::Advice::Sequential);
        SpillBuffer unpacked;
        std::string_view text = textOf(m_file->bytes());
        auto recording = std::make_unique<TextRecording>(m_source.path.string());
        if (isCompressed(m_file->bytes())) {
            const auto done = unpackInto(unpacked, m_file->bytes(), stop);
            const std::uint64_t size = unpacked.bytes().size();
            if (!done && done.error().kind == Error::Kind::Corrupt && size > 0)
                recording->diagnostics.push_back({Diagnostic::Severity::Error, "cut-compressed", m_source.path.string(), size, 1,
                                                  done.error().what + ": all after " + std::to_string(size) + " bytes of text is missing"});
            else if (!done)
                return Error{done.error().kind, m_source.path.string() + ": " + done.error().what};
            text = textOf(unpacked.bytes());
        }
        const auto read = m_kind == Kind::Script ? readScript(text, *recording, stop)
                                                 : readFolded(text, m_kind == Kind::Folded ? 1 : 2, *recording, stop);
        if (!read)
            return Error{read.error().kind, m_source.path.string() + ": " + read.error().what};
        if (m_file->wasTruncated())
            recording->diagnostics.push_back({Diagnostic::Severity::Error, "file-shrank", m_source.path.string(), 0, 1,
                                              "the file shrank while it was read; its rest is missing"});
        recording->finish();
        TraceInfo info = makeInfo();
        info.identity = identityOf(text);
        setFacts(*recording, info);
        m_file->advise(MappedFile::Advice::Normal);
        return std::shared_ptr<const Trace>(std::make_shared<TextTrace>(std::move(info), std::move(recording)));
    }

private:
    static Status unpackInto(SpillBuffer& buffer, std::span<const std::byte> bytes, const std::stop_token& stop)
    {
        Status written = Done{};
        const auto unpacked = unpack(bytes, [&](std::span<const std::byte> part) {
            written = stop.stop_requested() ? Status(Error{Error::Kind::Cancelled, "stopped"}) : buffer.append(part);
            return bool(written);
        });
        return written ? unpacked : written;
    }

    TraceInfo makeInfo() const
    {
        TraceInfo info;
        info.path = m_source.path;
        info.name = m_source.path.filename().string();
        info.format = m_kind == Kind::Script ? "perf script text" : m_kind == Kind::Folded ? "folded stacks" : "folded stacks, two columns";
        info.reader = "heliograph";
        info.clock.name = "perf";
        info.clock.description = "as printed";
        info.bytes = m_file->bytes().size();
        info.hasTimes = m_kind == Kind::Script;
        return info;
    }

    /// Sets the environment from lines such as "# hostname : vm" at the start of the text.
    static void setFacts(const TextRecording& recording, TraceInfo& info)
    {
        info.environment = recording.facts;
        info.hostname = info.text("hostname");
        info.hasTimes = recording.hasTimes;
        if (!info.hasTimes) {
            info.clock.name = "none";
            info.clock.description = "no times recorded";
        }
    }

    static std::string identityOf(std::string_view text)
    {
        Fingerprint print;
        const auto bytes = std::as_bytes(std::span(text));
        print.add(ReaderVersion);
        print.add(static_cast<std::uint64_t>(bytes.size()));
        // Hash the whole text, because a user may have edited it anywhere. This costs little, because the text was read just before.
        print.add(bytes);
        return print.text();
    }

    const TraceSource m_source;
    const std::shared_ptr<const MappedFile> m_file;
    const Kind m_kind;
};

/// Returns `path` if it is a text with samples. Folders are not searched, because a text beside a recording is usually the printed
/// recording.
std::vector<TraceSource> findText(const std::filesystem::path& path)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return {};
    const auto file = MappedFile::open(path);
    if (!file || kindOf(**file) == Kind::None)
        return {};
    return {{path, {path}}};
}

/// Opens a text; TraceOpening::finish() reads it.
Result<std::unique_ptr<TraceOpening>> beginText(const TraceSource& source)
{
    auto file = MappedFile::open(source.parts.empty() ? source.path : source.parts.front());
    if (!file)
        return file.error();
    const Kind kind = kindOf(**file);
    if (kind == Kind::None)
        return Error{Error::Kind::Unsupported, source.path.string() + ": neither perf script text nor folded stacks"};
    return std::unique_ptr<TraceOpening>(std::make_unique<TextOpening>(source, std::move(*file), kind));
}

} // namespace
} // namespace helio::stacktext

namespace helio {

extern const TraceFormat stackTextFormat{"stack text", stacktext::findText,
                                         [](const TraceSource& source, std::stop_token) { return stacktext::beginText(source); }};

} // namespace helio
