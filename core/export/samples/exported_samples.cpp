#include "core/export/samples/exported_samples.h"

#include "core/experiment/timeline.h"
#include "core/export/export_file.h"
#include "core/profiling/samples/sample_messages.h"
#include "core/query/rows/rows.h"

namespace helio {

SampleFilter sampleFilterOf(const ExportRequest& request, const SampleKind& kind)
{
    const Timeline& timeline = *request.timeline;
    SampleFilter filter;
    filter.kinds = {kind.name};
    if (!request.selection.isWholeTime())
        filter.ranges = {request.selection.range};
    if (request.selection.cpu)
        for (std::uint32_t host = 0; host < timeline.hosts.size(); ++host)
            filter.cpus.push_back({host, static_cast<std::int32_t>(*request.selection.cpu)});
    if (!request.selection.selectsThreads() && request.selection.host.empty())
        return filter;
    ExportSelection ofThreads = request.selection;
    ofThreads.cpu.reset(); // filter.cpus selects the samples by their CPU.
    const SelectedThings selected(ofThreads, timeline);
    for (const Row& row : rows(timeline, findViewWithRole(timeline, TrackRole::Thread)))
        if (row.role == TrackRole::Thread && selected.hasRow(row))
            filter.threads.push_back(row.ref);
    if (filter.threads.empty())
        filter.threads.push_back({}); // An invalid thread matches no sample; an empty list would match all samples.
    return filter;
}

Result<SampleKind> defaultSampleKind(const ExportRequest& request)
{
    const auto kinds = sampleKinds(*request.timeline);
    if (kinds.empty())
        return Error{Error::Kind::Unsupported, "The recording has neither samples nor calls"};
    if (areCalls(kinds.front().kind) && request.selection.cpu)
        return Error{Error::Kind::Usage, "--cpu: calls belong to threads, not to CPUs; use --thread"};
    return kinds.front().kind;
}

Error makeNoSamplesError() { return {Error::Kind::NotFound, "No samples are selected"}; }

void tellLimits(const ExportRequest& request, const StackProfile& profile, const StackNames& names)
{
    for (const std::string& limit : describeLimits(profile, names, *request.timeline))
        request.tell(limit);
}

std::string recordingName(const ExportRequest& request)
{
    if (!request.inputs.empty())
        return request.inputs.front().filename().string();
    return request.timeline->traces.empty() ? std::string() : request.timeline->traces.front().trace->info().name;
}

TextSink sinkTo(ExportFile& file)
{
    return [&file](std::string_view text) {
        file.write(text);
        return file.isWritable();
    };
}

} // namespace helio
