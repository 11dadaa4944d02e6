// Reader for texts with samples: the output of `perf script`, and folded stacks ("a;b;c 12"), which FlameGraph's stackcollapse scripts and
// many profilers write. Lines have two counts if difffolded.pl wrote them. Texts may be compressed with gzip, zstd, xz or bzip2.
//
// Names come from the text; addresses are not resolved. Samples without times all have time 0, and TraceInfo::hasTimes is false. Branch
// stacks and the source lines of -F srcline are not read.

#include "core/formats/stack_text/folded_reader.h"
#include "core/formats/stack_text/script_reader.h"
#include "core/trace/stored/sample_recording.h"
#include "core/trace/stored/text_recording_files.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <array>

namespace helio::stacktext {
namespace {

/// Version of the reader; increment it when the same text gives other stacks or events, so that stores are rebuilt.
constexpr std::uint64_t ReaderVersion = 8;

enum class Kind { None, Script, Folded, TwoColumns };

/// True for names like "samples.folded" or "samples.collapsed.gz".
bool isNamedFolded(std::filesystem::path name)
{
    constexpr std::array<std::string_view, 4> Packed{".gz", ".zst", ".xz", ".bz2"};
    if (std::ranges::find(Packed, name.extension().string()) != Packed.end())
        name = name.stem();
    return name.extension() == ".folded" || name.extension() == ".collapsed";
}

Kind kindOf(const TextSource& text)
{
    if (isScript(text.head(), text.isHeadWhole()))
        return Kind::Script;
    switch (countFoldedColumns(text.head(), text.isHeadWhole(), isNamedFolded(text.path()))) {
    case 1: return Kind::Folded;
    case 2: return Kind::TwoColumns;
    default: return Kind::None;
    }
}

bool isRecording(const TextSource& text) { return kindOf(text) != Kind::None; }

/// Returns `path` if it is a text with stacks. The result is only a guess (Recognition::Guess) for samples without times, and for folded
/// stacks whose file name does not end with ".folded" or ".collapsed": other texts may have similar lines.
std::vector<TraceSource> findStacks(const std::filesystem::path& path)
{
    std::vector<TraceSource> found = findText(path, isRecording);
    for (TraceSource& source : found) {
        const auto text = TextSource::open(source.path);
        if (text && !beginsWithTimedSample((*text)->head()) && !isNamedFolded(source.path))
            source.recognition = Recognition::Guess;
    }
    return found;
}

class TextOpening final : public TraceOpening {
public:
    TextOpening(TraceSource source, std::unique_ptr<TextSource> text, Kind kind)
        : m_source(std::move(source))
        , m_text(std::move(text))
        , m_kind(kind)
    {
    }

    std::shared_ptr<const Trace> provisionalTrace() const override
    {
        return std::make_shared<StoredTrace>(makeInfo(), std::make_unique<SampleRecording>(m_source.path.string()));
    }

    Result<std::shared_ptr<const Trace>> finish(const Publish&, std::stop_token stop) override
    {
        if (auto loaded = m_text->load(stop); !loaded)
            return Error{loaded.error().kind, m_source.path.string() + ": " + loaded.error().what};
        const std::string_view text = m_text->text();
        auto recording = std::make_unique<SampleRecording>(m_source.path.string());
        const auto read = m_kind == Kind::Script ? readScript(text, *recording, stop)
                                                 : readFolded(text, m_kind == Kind::Folded ? 1 : 2, *recording, stop);
        if (!read)
            return Error{read.error().kind, m_source.path.string() + ": " + read.error().what};
        if (auto damage = m_text->damage())
            recording->events.diagnostics().push_back(std::move(*damage));
        recording->finish();
        TraceInfo info = makeInfo();
        info.identity = m_text->identity(ReaderVersion);
        setFacts(*recording, info);
        return std::shared_ptr<const Trace>(std::make_shared<StoredTrace>(std::move(info), std::move(recording)));
    }

private:
    TraceInfo makeInfo() const
    {
        TraceInfo info;
        info.path = m_source.path;
        info.name = m_source.path.filename().string();
        info.format = m_kind == Kind::Script ? "perf script text" : m_kind == Kind::Folded ? "folded stacks" : "folded stacks, two columns";
        info.reader = "heliograph";
        info.recognition = m_source.recognition;
        info.clock.name = "perf";
        info.clock.description = "as printed";
        info.bytes = m_text->fileSize();
        info.hasTimes = m_kind == Kind::Script;
        return info;
    }

    /// Sets the environment from lines such as "# hostname : vm" at the start of the text.
    static void setFacts(const SampleRecording& recording, TraceInfo& info)
    {
        info.environment = recording.facts;
        info.hostname = info.text("hostname");
        info.hasTimes = recording.hasTimes;
        info.part.threads = recording.recordedThreads;
        if (!info.hasTimes) {
            info.clock.name = "none";
            info.clock.description = "no times recorded";
        }
    }

    const TraceSource m_source;
    const std::unique_ptr<TextSource> m_text;
    const Kind m_kind;
};

/// Opens a text; TraceOpening::finish() reads it.
Result<std::unique_ptr<TraceOpening>> beginText(const TraceSource& source)
{
    auto text = TextSource::open(source.parts.empty() ? source.path : source.parts.front());
    if (!text)
        return text.error();
    const Kind kind = kindOf(**text);
    if (kind == Kind::None)
        return Error{Error::Kind::Unsupported, source.path.string() + ": neither perf script text nor folded stacks"};
    return std::unique_ptr<TraceOpening>(std::make_unique<TextOpening>(source, std::move(*text), kind));
}

} // namespace
} // namespace helio::stacktext

namespace helio {

extern const TraceFormat stackTextFormat{"stack text", stacktext::findStacks,
                                         [](const TraceSource& source, std::stop_token) { return stacktext::beginText(source); },
                                         "perf.data"};

} // namespace helio
