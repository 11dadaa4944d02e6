// Trace format "profiles": profiles of pprof, V8 (.cpuprofile), speedscope, Firefox, samply and Callgrind. Files may be compressed.

#include "core/formats/profiles/callgrind_reader.h"
#include "core/formats/profiles/cpuprofile_reader.h"
#include "core/formats/profiles/gecko_reader.h"
#include "core/formats/profiles/pprof_reader.h"
#include "core/formats/profiles/speedscope_reader.h"
#include "core/trace/stored/sample_recording.h"
#include "core/trace/stored/text_recording_files.h"

#include <algorithm>
#include <array>

namespace helio::profiles {
namespace {

/// Version of the profile readers. Increment it when a change of a reader gives other stacks or events for the same profile: stores are
/// then rebuilt.
constexpr std::uint64_t ReaderVersion = 5;

/// Reader of one profile format.
struct ProfileReader {
    const char* name; ///< Name of the profile format, for TraceInfo::format.
    bool (*accepts)(const TextSource& text);
    Status (*read)(std::string_view text, SampleRecording& recording, const std::stop_token& stop);
};

constexpr std::array<ProfileReader, 5> Readers{{
    {"pprof", [](const TextSource& text) { return isPprof(text.head()); }, readPprof},
    {"cpuprofile", [](const TextSource& text) { return isCpuProfile(text.head()); }, readCpuProfile},
    {"speedscope", [](const TextSource& text) { return isSpeedscope(text.plainText()); }, readSpeedscope},
    {"Firefox profile", [](const TextSource& text) { return isGecko(text.plainText()); }, readGecko},
    {"callgrind", [](const TextSource& text) { return isCallgrind(text.head()); }, readCallgrind},
}};

const ProfileReader* readerOf(const TextSource& text)
{
    const auto found = std::ranges::find_if(Readers, [&](const ProfileReader& reader) { return reader.accepts(text); });
    return found == Readers.end() ? nullptr : &*found;
}

bool isProfile(const TextSource& text) { return readerOf(text) != nullptr; }

Result<std::unique_ptr<TraceOpening>> beginProfile(const TraceSource& source, const std::stop_token& stop)
{
    auto text = loadText(source, stop);
    if (!text)
        return text.error();
    const ProfileReader* reader = readerOf(**text);
    if (!reader)
        return Error{Error::Kind::Unsupported, source.path.string() + ": no profile of a known tool"};
    auto recording = std::make_unique<SampleRecording>(source.path.string());
    if (auto done = reader->read((*text)->text(), *recording, stop); !done)
        return Error{done.error().kind, source.path.string() + ": " + done.error().what};
    if (auto damage = (*text)->damage())
        recording->events.diagnostics().push_back(std::move(*damage));
    recording->finish();
    TraceInfo info = makeTextInfo(source, **text, reader->name, ReaderVersion);
    info.environment = recording->facts;
    info.hasTimes = recording->hasTimes;
    if (info.hasTimes && recording->end != INT64_MIN)
        info.end = hostTime(recording->end);
    info.clock.name = info.hasTimes ? reader->name : "none";
    info.clock.isAbsolute = info.hasTimes && recording->isAbsolute;
    info.clock.description = info.hasTimes ? "as written by the profiler" : "no times recorded";
    return makeFinishedOpening(std::make_shared<StoredTrace>(std::move(info), std::move(recording)));
}

} // namespace
} // namespace helio::profiles

namespace helio {

extern const TraceFormat profilesFormat{
    "profiles", [](const std::filesystem::path& path) { return findText(path, profiles::isProfile); },
    [](const TraceSource& source, std::stop_token stop) { return profiles::beginProfile(source, stop); }};

} // namespace helio
