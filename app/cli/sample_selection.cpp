#include "app/cli/sample_selection.h"

#include "app/cli/row_selection.h"

#include <algorithm>

namespace helio {

Result<SampleKind> chosenKind(const std::vector<SampleKindFacts>& kinds, const std::string& event)
{
    if (kinds.empty())
        return Error{Error::Kind::Unsupported, "there are no samples here; perf record makes some"};
    if (event.empty())
        return kinds.front().kind;
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const SampleKindFacts& k) { return k.kind.name == event; });
    if (found != kinds.end())
        return found->kind;
    std::string names;
    for (const SampleKindFacts& facts : kinds) {
        if (facts.kind.name.starts_with(event + ':'))
            return facts.kind;
        (names += names.empty() ? "" : ", ") += facts.kind.name;
    }
    return Error{Error::Kind::Usage, "--event: there are no samples of \"" + event + "\"; there are " + names};
}

SampleFilter sampleFilterOf(const CommandOptions& options, const OpenedExperiment& opened, const SampleKind& kind)
{
    SampleFilter filter;
    filter.kinds = {kind.name};
    if (options.begin || options.end)
        filter.ranges = {opened.window};
    if (options.cpu)
        for (std::uint32_t host = 0; host < opened.timeline->hosts.size(); ++host)
            filter.cpus.push_back({host, static_cast<std::int32_t>(*options.cpu)});
    if (!options.thread && options.process.empty() && options.row.empty() && options.host.empty() && !options.filter)
        return filter;
    CommandOptions ofThreads = options;
    ofThreads.cpu.reset(); // That of the samples counts, not the rows'.
    const RowSelection selection(ofThreads, *opened.timeline);
    for (const Row& row : selection.rowsOf("control-flow"))
        if (row.kind == "thread")
            filter.threads.push_back(row.ref);
    if (filter.threads.empty())
        filter.threads.push_back({}); // No thread: no samples.
    return filter;
}

} // namespace helio
