#include "core/experiment/timeline.h"
#include "core/export/export_file.h"
#include "core/export/export_format.h"
#include "core/export/samples/exported_samples.h"

namespace helio {
namespace {

Status writeFoldedStacks(const ExportRequest& request, const std::filesystem::path& path)
{
    const auto kind = defaultSampleKind(request);
    if (!kind)
        return kind.error();
    const StackProfile profile = collectStacks(*request.timeline, sampleFilterOf(request, *kind), nullptr, request.stop);
    if (profile.samples == 0)
        return makeNoSamplesError();
    request.report(0.4);
    const StackNames names = nameStacks(profile, *request.timeline, {}, nullptr, request.stop);
    tellLimits(request, profile, names);
    request.report(0.8);
    const WeightBy by = defaultWeight(profile.kind);
    CallTreeOptions options;
    options.by = by;
    ExportFile file(path, request.stop);
    writeFolded(buildCallTree(profile, names, options, request.stop), by, sinkTo(file));
    return file.close();
}

} // namespace

extern const ExportFormat foldedExport;
const ExportFormat foldedExport{
    50,    "folded", "Folded stacks",  "Call stacks of the first kind of samples; for FlameGraph, inferno", ".folded",
    false, {},       writeFoldedStacks};

} // namespace helio
