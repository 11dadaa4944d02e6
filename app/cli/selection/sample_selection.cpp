#include "app/cli/selection/sample_selection.h"

#include "app/cli/output/output.h"
#include "app/cli/output/redirection.h"
#include "app/cli/selection/row_selection.h"
#include "app/cli/selection/unmatched_options.h"
#include "core/profiling/samples/amount_text.h"
#include "core/profiling/samples/collect_calls.h"
#include "core/query/related/related.h"

#include <algorithm>
#include <functional>
#include <map>

namespace helio {

namespace {

/// True if the text consists of modifiers of a perf event, for example "ppp" or "u".
bool isModifiers(std::string_view text) { return text.find_first_not_of("ukhIGHpPSDWe") == std::string_view::npos; }

std::string joined(const std::vector<SampleKind>& kinds)
{
    std::string names;
    for (const SampleKind& kind : kinds)
        (names += names.empty() ? "" : ", ") += kind.name;
    return names;
}

/// Predicate that applies the command's filter to a sample's thread and time.
/// Ownership: the timeline outlives the object.
class MomentFilter {
public:
    MomentFilter(const SelectionOptions& options, const Timeline& timeline)
        : m_expression(options.filter)
        , m_rows(rows(timeline, findViewWithRole(timeline, TrackRole::Thread)))
    {
        m_unknownRow.start = timeline.range.begin;
        const RowSelection selection(options, timeline);
        for (const Row& row : m_rows)
            if (row.ref.isValid())
                m_facts.emplace(row.ref, selection.factsOf(row));
    }

    bool holds(TrackRef thread, Timestamp time)
    {
        const auto known = m_facts.find(thread);
        RowFacts& facts = known == m_facts.end() ? m_unknownRow : known->second;
        if (!facts.row)
            facts.row = &m_noRow;
        facts.time = time;
        return matches(*m_expression, facts);
    }

private:
    std::shared_ptr<const Expression> m_expression;
    std::vector<Row> m_rows;
    std::map<TrackRef, RowFacts> m_facts;
    Row m_noRow; ///< Empty row, used for the idle thread and for unknown threads.
    RowFacts m_unknownRow;
};

} // namespace

Result<SampleKind> findSampleKind(const std::vector<SampleKindFacts>& kinds, const std::string& event)
{
    if (kinds.empty())
        return Error{Error::Kind::Unsupported,
                     "no samples or calls in this trace; perf record records samples, LTTng records calls of programs "
                     "compiled with -finstrument-functions"};
    if (event.empty())
        return kinds.front().kind;
    std::vector<SampleKind> all, meant, modified;
    for (const SampleKindFacts& facts : kinds) {
        if (facts.kind.name == event)
            return facts.kind;
        all.push_back(facts.kind);
        if (!facts.kind.name.starts_with(event + ':'))
            continue;
        meant.push_back(facts.kind);
        if (isModifiers(std::string_view(facts.kind.name).substr(event.size() + 1)))
            modified.push_back(facts.kind);
    }
    if (modified.size() == 1 || meant.size() == 1)
        return modified.size() == 1 ? modified.front() : meant.front();
    if (meant.empty())
        return Error{Error::Kind::Usage, "--event: no samples of \"" + event + "\"; available: " + joined(all)};
    if (event != AllOffCpu)
        return Error{Error::Kind::Usage, "--event: \"" + event + "\" is ambiguous: " + joined(meant)};
    meant.front().name = event;
    return meant.front();
}

Cell countCell(std::uint64_t count, const SampleKind& kind)
{
    const std::uint64_t divisor = kind.divisor();
    return divisor == 1 ? Cell::count(count) : Cell::real(double(count) / double(divisor), exactCount(count, divisor));
}

Result<SampleKind> findSampleKind(const Timeline& timeline, const SampleOptions& options)
{
    if (!options.calls)
        return findSampleKind(sampleKinds(timeline), options.event);
    const std::vector<CallKind> kinds = callKinds(timeline);
    if (kinds.empty())
        return Error{Error::Kind::Usage,
                     "--by: no calls in this trace; LTTng records them for programs compiled with -finstrument-functions"};
    const auto weighs = options.calls == CallsBy::Cpu ? CallKind::WeighedTime::OnCpu : CallKind::WeighedTime::Length;
    const auto isMeant = [&](const CallKind& it) { return it.weighs == weighs; };
    const auto found = std::ranges::find_if(kinds, isMeant);
    if (found == kinds.end())
        return Error{Error::Kind::Usage, "--by: the CPU times of threads are unknown; open the kernel trace of the same time, too"};
    return found->facts.kind;
}

Status checkSampleFilter(const SelectionOptions& options)
{
    if (options.filter && options.filter->needsDurations())
        return Error{Error::Kind::Usage, "--filter: state and duration do not apply to samples; use heliograph states"};
    return Done{};
}

SampleFilter sampleFilterOf(const SelectionOptions& options, const OpenedExperiment& opened, const SampleKind& kind)
{
    SampleFilter filter;
    filter.kinds = kind.name == AllOffCpu ? offCpuKinds(sampleKinds(*opened.timeline)) : std::vector{kind.name};
    if (options.begin || options.end)
        filter.ranges = {opened.window};
    if (options.cpu)
        for (std::uint32_t host = 0; host < opened.timeline->hosts.size(); ++host)
            filter.cpus.push_back({host, static_cast<std::int32_t>(*options.cpu)});
    SelectionOptions ofThreads = options;
    ofThreads.cpu.reset(); // Do not select threads by --cpu: filter.cpus selects the samples by their CPU.
    // The filter uses times, so evaluate it for each sample instead of for each thread.
    if (options.filter && options.filter->needsIntervals()) {
        filter.accepts = [moments = std::make_shared<MomentFilter>(options, *opened.timeline)](TrackRef thread, Timestamp time) {
            return moments->holds(thread, time);
        };
        ofThreads.filter.reset();
    }
    if (!options.thread && options.process.empty() && options.row.empty() && options.host.empty() && !ofThreads.filter)
        return filter;
    const RowSelection selection(ofThreads, *opened.timeline);
    for (const Row& row : selection.rowsOf(findViewWithRole(*opened.timeline, TrackRole::Thread)))
        if (row.role == TrackRole::Thread)
            filter.threads.push_back(row.ref);
    if (filter.threads.empty())
        filter.threads.push_back({}); // Add an invalid thread, which matches no sample, because an empty list would match all samples.
    return filter;
}

Result<SelectedSamples> selectSamples(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading,
                                      const SelectionOptions& selection, const SampleOptions& asked, const CallTreeOptions& tree)
{
    if (const auto done = checkSampleFilter(selection); !done)
        return done.error();
    SelectedSamples samples;
    auto opened = openExperiment(traces, reading, selection);
    if (!opened)
        return opened.error();
    samples.opened = std::move(*opened);
    if (mayExcludeStealTime(asked.event)) {
        auto with = withRowsOfStates(samples.opened.timeline, {}, commandStop());
        if (!with)
            return with.error();
        samples.opened.timeline = std::move(*with);
    }
    const Timeline& timeline = *samples.opened.timeline;
    const auto kind = findSampleKind(timeline, asked);
    if (!kind)
        return kind.error();
    if (areCalls(*kind) && selection.filter && selection.filter->needsNames())
        return Error{Error::Kind::Usage,
                     "--filter: the name of a call is its function; select functions with --focus and threads with thread "
                     "== \"NAME\""};
    if (areCalls(*kind) && selection.cpu)
        return Error{Error::Kind::Usage, "--cpu: calls belong to threads, not to CPUs; use --thread"};
    const SampleFilter filter = sampleFilterOf(selection, samples.opened, *kind);
    samples.kinds = filter.kinds;
    samples.profile = collectStacks(timeline, filter, nullptr, commandStop());
    if (samples.profile.isStopped)
        return Error{Error::Kind::Cancelled, "collecting the samples was cancelled"};
    if (const Status named = samples.profile.samples > 0 ? Status(Done{}) : checkThreadNames(selection, timeline); !named)
        return named.error();
    samples.profile.kind.name = kind->name;
    samples.names = nameStacks(samples.profile, timeline, {asked.expandsInlined}, nullptr, commandStop());
    report(reading, describeUnmatchedOptions(selection, tree, samples));
    return samples;
}

void report(const ReadingOptions& reading, const std::vector<std::string>& limits)
{
    if (!reading.isQuiet)
        for (const std::string& limit : limits)
            warn(limit);
}

} // namespace helio
