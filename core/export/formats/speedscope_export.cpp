#include "core/experiment/timeline.h"
#include "core/export/export_file.h"
#include "core/export/export_format.h"
#include "core/export/samples/exported_samples.h"
#include "core/profiling/export/speedscope.h"

namespace helio {
namespace {

Status writeSpeedscopeFile(const ExportRequest& request, const std::filesystem::path& path)
{
    const auto kind = defaultSampleKind(request);
    if (!kind)
        return kind.error();
    SpeedscopeOptions options;
    options.kinds = speedscopeKinds(*request.timeline, {});
    options.calls = areCalls(*kind) ? callKind(*request.timeline, kind->name) : std::nullopt;
    options.filterOf = [&](const SampleKind& it) { return sampleFilterOf(request, it); };
    options.name = recordingName(request);
    const SpeedscopeRecording recording = collectSpeedscope(*request.timeline, options, request.stop);
    if (!recording.hasSamples() && recording.calls.threads.empty())
        return makeNoSamplesError();
    for (const auto& [profile, names] : recording.samples)
        tellLimits(request, profile, names);
    request.report(0.8);
    ExportFile file(path, request.stop);
    writeSpeedscope(recording, options, sinkTo(file));
    return file.close();
}

} // namespace

extern const ExportFormat speedscopeExport;
const ExportFormat speedscopeExport{
    60,    "speedscope", "Speedscope",       "Samples or calls of each thread in time order; for speedscope", ".speedscope.json",
    false, {},           writeSpeedscopeFile};

} // namespace helio
