#include "core/analysis/track_view.h"
#include "core/correlation/relation.h"
#include "core/correlators/sampled_stacks/thread_rows.h"
#include "core/experiment/timeline.h"
#include "core/profiling/samples/sample_sequence.h"
#include "core/profiling/samples/stack_names.h"
#include "core/query/rows/composed.h"
#include "core/query/rows/sampled_use.h"

#include <map>
#include <optional>
#include <set>

namespace helio {
namespace {

using sampled_stacks::SampledFrame;
using sampled_stacks::StackRows;
using sampled_stacks::ThreadRows;

constexpr std::string_view View = "sampled-stacks";

/// With more, the samples' places alone would take a GiB.
constexpr std::size_t MostSamples = std::size_t(1) << 25;

Error stopped() { return {Error::Kind::Cancelled, "the samples' stacks were not put in order to the end"}; }

/// What says how long the threads of a trace ran. Nothing: none of its samples do.
std::optional<SampleKind> kindIn(const Timeline& timeline, std::uint32_t trace)
{
    if (!timeline.traces[trace].trace || !timeline.traces[trace].trace->info().hasTimes)
        return {};
    const SampleSet& samples = samplesIn(timeline, storeWithSamples(timeline, trace));
    const std::size_t kind = cpuTimeKind(samples);
    if (kind >= samples.kinds().size() || samples.countByKind()[kind] == 0)
        return {};
    return samples.kinds()[kind];
}

/// One sample: of a thread of a profile, at a node of it.
struct TakenSample {
    Timestamp at;
    Duration period{}; ///< That it stands for.
    std::uint32_t node = 0;
    std::uint32_t thread : 31 = 0;
    std::uint32_t isCut : 1 = 0;
    std::int32_t cpu = -1;
};

/// The samples of one name, of all traces where they say how long threads ran.
struct TakenSamples {
    StackProfile profile; ///< Its nodes and threads.
    std::vector<std::vector<TakenSample>> byTrace; ///< In time order.
    std::size_t left = MostSamples; ///< That there is room for.
    std::uint64_t leftOut = 0;
};

using Kinds = std::vector<std::optional<SampleKind>>; ///< By trace.

TakenSamples takeSamples(const Timeline& timeline, const Kinds& kinds, const std::string& name, const std::stop_token& stop)
{
    TakenSamples taken;
    taken.byTrace.resize(kinds.size());
    const auto take = [&](const StackProfile& soFar, const CollectedStack& sample) {
        const SampledThread& thread = soFar.threads[sample.thread];
        const auto& kind = kinds[thread.trace];
        if (!kind || kind->name != name)
            return;
        if (taken.left == 0) {
            ++taken.leftOut;
            return;
        }
        --taken.left;
        taken.byTrace[thread.trace].push_back({sample.first, samplePeriod(*kind, sample.weight), sample.node, sample.thread & 0x7fffffff,
                                               sample.end != UnwindEnd::Complete ? 1u : 0u, sample.cpu});
    };
    SampleFilter filter;
    filter.kinds = {name};
    taken.profile = visitSamples(timeline, filter, take, stop);
    return taken;
}

/// The stacks of a profile in a store of their own.
class Stacks {
public:
    Stacks(const StackProfile& profile, const StackNames& names, const Timeline& timeline, StateSink& sink)
        : m_profile(profile)
        , m_names(names)
        , m_timeline(timeline)
        , m_sink(sink)
        , m_ids(profile.nodes.size(), NoStack)
    {
    }

    /// The frames down to a node, the outermost first; until it is asked again.
    std::span<const SampledFrame> framesOf(std::uint32_t node)
    {
        m_path.clear();
        for (; node != 0; node = m_profile.nodes[node].parent)
            m_path.push_back(node);
        m_frames.clear();
        StackId caller = NoStack;
        for (auto it = m_path.rbegin(); it != m_path.rend(); ++it) {
            StackId& id = m_ids[*it];
            if (id == NoStack)
                id = m_sink.stacks().stack(caller, frameOf(m_profile.nodes[*it]));
            caller = id;
            m_frames.push_back({functionOf(*it), id});
        }
        return m_frames;
    }

private:
    std::uint32_t functionOf(std::uint32_t node) const
    {
        const auto frames = m_names.framesOf(node);
        return frames.empty() ? 0 : static_cast<std::uint32_t>(frames.back().function);
    }

    /// Modules of the samples' own store come along; those of the trace are the same for this one.
    StackFrame frameOf(const CollectedNode& node)
    {
        StackFrame frame = node.frame;
        const auto own = storeAt(m_timeline, node.store).modules();
        if (const auto id = static_cast<std::size_t>(frame.module); id < own.size() && id > 0)
            frame.module = m_sink.modules().add(own[id]);
        return frame;
    }

    const StackProfile& m_profile;
    const StackNames& m_names;
    const Timeline& m_timeline;
    StateSink& m_sink;
    std::vector<StackId> m_ids; ///< By node. None: not there yet.
    std::vector<std::uint32_t> m_path;
    std::vector<SampledFrame> m_frames;
};

/// The rows of one trace.
Result<std::shared_ptr<const Store>> makeRows(const Timeline& timeline, const TakenSamples& taken, const StackNames& names,
                                              const std::vector<TakenSample>& samples, const std::stop_token& stop)
{
    const auto builder = makeUnnamedStoreBuilder(onAxis(timeline.range.begin), stop);
    Stacks stacks(taken.profile, names, timeline, *builder);
    ThreadRows rows(View, onAxis(timeline.range.begin), *builder);
    std::map<std::int32_t, StackRows*> onCpu; // Who was sampled there last.
    for (const TakenSample& sample : samples) {
        if (stop.stop_requested())
            return stopped();
        const SampledThread& thread = taken.profile.threads[sample.thread];
        StackRows* const stack = thread.tid > 0 ? &rows.of(sample.thread, thread) : nullptr; // 0 is the idle thread of each CPU.
        if (StackRows*& before = onCpu[sample.cpu]; sample.cpu >= 0 && before != stack) {
            if (before)
                before->leaveCpu();
            before = stack;
        }
        if (stack)
            stack->take(onAxis(sample.at), stacks.framesOf(sample.node), sample.period, sample.isCut);
    }
    rows.finish();
    StoreSummary summary;
    summary.range = {onAxis(timeline.range.begin), onAxis(timeline.range.end)};
    return builder->finish(std::move(summary));
}

const TrackView Views[] = {
    {.id = std::string(View),
     .title = "Sampled stacks",
     .tip = "Which functions each thread was in when samples were taken, over time",
     .areCalls = true,
     .order = 16,
     .one = "thread",
     .many = "threads",
     .share = "CPU %",
     .number = "TID",
     .nothing = "The stacks of the samples are being put in order. With register copies they are unwound first, which takes "
                "a while: the flame graph counts the same."}};

/// The stacks of samples as rows over time, a flame chart: what follows each other in the same functions is one bar. In memory alone, made
/// for who shows it: samples are no states (so decided), and their functions are only known once their symbols were read.
class SampledStacks final : public RelationKind {
public:
    std::string_view id() const override { return View; }
    When when() const override { return When::Shown; }
    std::span<const TrackView> views() const override { return Views; }

    bool appliesTo(const Timeline& timeline) const override
    {
        for (std::uint32_t trace = 0; trace < timeline.traces.size(); ++trace)
            if (kindIn(timeline, trace))
                return true;
        return false;
    }

    Result<Relation> make(const Timeline& timeline, const RelationQuestion&, std::stop_token stop) const override
    {
        Kinds kinds;
        std::set<std::string> names;
        for (std::uint32_t trace = 0; trace < timeline.traces.size(); ++trace)
            if (const auto& kind = kinds.emplace_back(kindIn(timeline, trace)))
                names.insert(kind->name);
        Relation found;
        for (const std::string& name : names)
            if (const Status done = addRows(timeline, kinds, name, stop, found); !done)
                return done.error();
        return found;
    }

private:
    static Status addRows(const Timeline& timeline, const Kinds& kinds, const std::string& name, const std::stop_token& stop,
                          Relation& found)
    {
        const TakenSamples taken = takeSamples(timeline, kinds, name, stop);
        const StackNames names = nameStacks(taken.profile, timeline, {.expandsInlined = false}, nullptr, stop);
        for (std::uint32_t trace = 0; trace < taken.byTrace.size(); ++trace) {
            if (taken.byTrace[trace].empty())
                continue;
            auto store = makeRows(timeline, taken, names, taken.byTrace[trace], stop);
            if (!store)
                return store.error();
            found.rows.push_back({trace, std::move(*store)});
        }
        if (stop.stop_requested())
            return stopped();
        if (taken.leftOut > 0)
            found.diagnostics.push_back({Diagnostic::Severity::Warning,
                                         "stacks-left-out",
                                         {},
                                         0,
                                         taken.leftOut,
                                         std::to_string(taken.leftOut) + " samples of " + name
                                             + " are in no row of Sampled stacks: there are more than it has room for"});
        return Done{};
    }
};

} // namespace

extern const BuiltinRelation sampledStacksRelation{
    []() -> std::shared_ptr<const RelationKind> { return std::make_shared<SampledStacks>(); }};

} // namespace helio
