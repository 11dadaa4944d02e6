#include "core/experiment/timeline.h"
#include "core/export/export_file.h"
#include "core/export/export_format.h"
#include "core/export/samples/exported_samples.h"
#include "core/export/samples/pprof_profile.h"
#include "core/io/gzip_writer.h"
#include "core/profiling/export/speedscope.h"

namespace helio {
namespace {

Status writePprof(const ExportRequest& request, const std::filesystem::path& path)
{
    const Timeline& timeline = *request.timeline;
    const auto kind = defaultSampleKind(request);
    if (!kind)
        return kind.error();
    // Write the same kinds as in a speedscope file: all kinds of samples, or calls if there are only calls.
    std::vector<SampleKind> kinds = speedscopeKinds(timeline, {});
    if (areCalls(*kind))
        kinds.insert(kinds.begin(), *kind);
    PprofProfile profile(timeline);
    for (const SampleKind& it : kinds)
        profile.addType(it);
    std::uint64_t samples = 0;
    for (std::size_t i = 0; i < kinds.size() && !request.stop.stop_requested(); ++i) {
        const StackProfile collected = collectStacks(timeline, sampleFilterOf(request, kinds[i]), nullptr, request.stop);
        const StackNames names = nameStacks(collected, timeline, {}, nullptr, request.stop);
        tellLimits(request, collected, names);
        profile.add(collected, names);
        samples += collected.samples;
        request.report(0.8 * double(i + 1) / double(kinds.size()));
    }
    if (samples == 0)
        return makeNoSamplesError();
    ExportFile file(path, request.stop);
    GzipWriter gzip([&](std::string_view bytes) { file.write(bytes); });
    profile.write([&](std::string_view bytes) { gzip.write(bytes); });
    gzip.finish();
    return file.close();
}

} // namespace

extern const ExportFormat pprofExport;
const ExportFormat pprofExport{
    70, "pprof", "pprof profile", "All samples by stack, thread and CPU; for pprof, Grafana Pyroscope", ".pb.gz", false, {}, writePprof};

} // namespace helio
