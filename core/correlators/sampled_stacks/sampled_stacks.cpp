#include "core/analysis/track_view.h"
#include "core/correlation/correlator.h"
#include "core/correlators/sampled_stacks/thread_rows.h"
#include "core/experiment/timeline.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/profiling/samples/stack_names.h"
#include "core/query/rows/estimated_cpu_times.h"
#include "core/query/rows/inlined_frames.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace helio {
namespace {

using sampled_stacks::SampledFrame;
using sampled_stacks::StackRows;
using sampled_stacks::ThreadRows;

constexpr std::string_view View = "sampled-stacks";

/// Maximum number of samples; the RowSample objects of more samples would need over 1 GiB.
constexpr std::size_t MostSamples = std::size_t(1) << 25;

Error stopped() { return {Error::Kind::Cancelled, "sorting the sampled stacks was cancelled"}; }

/// Kind of samples whose stacks are shown, and the time that each sample covers.
struct ShownKind {
    SampleKind kind;
    /// True if the period of a sample is the time until the thread's next sample; false if the sample covers time before it.
    bool isForward = false;
    Duration interval{}; ///< Time that each sample covers; 0 if its weight says how long it is.

    Duration periodOf(std::uint64_t weight) const
    {
        if (isForward)
            return Duration(static_cast<std::int64_t>(std::min<std::uint64_t>(weight, INT64_MAX)));
        return interval > Duration(0) ? interval : samplePeriod(kind, weight);
    }
};

/// Returns the kind of samples that measures the running time of threads, else the kind of a profile whose samples follow each other in
/// known times; nullopt if the trace has none.
std::optional<ShownKind> kindIn(const Timeline& timeline, std::uint32_t trace)
{
    const auto& source = timeline.traces[trace].trace;
    if (!source || !source->info().hasTimes)
        return {};
    const SampleSet& samples = samplesIn(timeline, storeWithSamples(timeline, trace));
    const auto kinds = samples.kinds();
    const auto hasSamples = [&](std::size_t kind) { return kind < kinds.size() && samples.countByKind()[kind] > 0; };
    if (const std::size_t kind = cpuTimeKind(samples); hasSamples(kind))
        return ShownKind{kinds[kind]};
    if (!source->samples())
        return {};
    for (const SampleEvent& event : source->samples()->events()) {
        const bool isForward = event.isTime && event.hasForwardPeriods;
        const auto kind = static_cast<std::size_t>(std::ranges::find(kinds, event.name, &SampleKind::name) - kinds.begin());
        if ((isForward || event.interval > Duration(0)) && hasSamples(kind))
            return ShownKind{kinds[kind], isForward, event.interval};
    }
    return {};
}

/// A sample: its thread, and its node in a profile.
struct RowSample {
    Timestamp at;
    Duration period{}; ///< Duration that the sample covers, see ShownKind.
    std::uint32_t node = 0;
    std::uint32_t thread : 31 = 0;
    std::uint32_t isCut : 1 = 0;
    std::int32_t cpu = -1;
};

/// Samples of one kind, from all traces that show this kind.
struct RowSamples {
    StackProfile profile; ///< Profile that contains the nodes and threads of the samples.
    std::vector<std::vector<RowSample>> byTrace; ///< Samples in time order, indexed by trace.
    std::size_t left = MostSamples; ///< Number of samples that may still be added.
    std::uint64_t leftOut = 0;
};

/// Shown kind of each trace, indexed by trace; nullopt if the trace has none.
using Kinds = std::vector<std::optional<ShownKind>>;

RowSamples takeSamples(const Timeline& timeline, const Kinds& kinds, const std::string& name, const std::stop_token& stop)
{
    RowSamples taken;
    taken.byTrace.resize(kinds.size());
    const auto take = [&](const StackProfile& soFar, const CollectedStack& sample) {
        const SampledThread& thread = soFar.threads[sample.thread];
        const auto& kind = kinds[thread.trace];
        if (!kind || kind->kind.name != name)
            return;
        if (taken.left == 0) {
            ++taken.leftOut;
            return;
        }
        --taken.left;
        taken.byTrace[thread.trace].push_back({sample.first, kind->periodOf(sample.weight), sample.node, sample.thread & 0x7fffffff,
                                               sample.end != UnwindEnd::Complete ? 1u : 0u, sample.cpu});
    };
    SampleFilter filter;
    filter.kinds = {name};
    taken.profile = visitSamples(timeline, filter, take, stop);
    return taken;
}

/// Writes the call stacks of a profile to a store.
class Stacks {
public:
    /// `trace`: the trace whose stacks are written.
    Stacks(const StackProfile& profile, const StackNames& names, const Timeline& timeline, std::uint32_t trace, StateSink& sink)
        : m_profile(profile)
        , m_names(names)
        , m_timeline(timeline)
        , m_sink(sink)
        , m_ids(profile.nodes.size())
    {
        for (std::uint32_t node = 1; node < profile.nodes.size() && !m_addsModules; ++node)
            if (const StoreIndex store = profile.nodes[node].store; traceOf(timeline, store) == trace)
                m_addsModules = names.framesOf(node).size() > 1 || !storeAt(timeline, store).modules().empty();
    }

    /// Returns the frames from the root to a node, outermost first, with inlined functions as frames of their own; valid until the next
    /// call.
    std::span<const SampledFrame> framesOf(std::uint32_t node)
    {
        m_path.clear();
        for (; node != 0; node = m_profile.nodes[node].parent)
            m_path.push_back(node);
        m_frames.clear();
        for (auto it = m_path.rbegin(); it != m_path.rend(); ++it) {
            if (m_ids[*it].empty())
                addStacks(*it, m_frames.empty() ? NoStack : m_frames.back().stack);
            const auto names = m_names.framesOf(*it);
            for (std::size_t i = 0; i < m_ids[*it].size(); ++i) {
                const NamedFrame name = names.empty() ? NamedFrame() : names[names.size() - 1 - i];
                m_frames.push_back({static_cast<std::uint32_t>(name.function), name.isInlined, m_ids[*it][i]});
            }
        }
        return m_frames;
    }

private:
    /// Adds the stacks of a node's frames: its function, and the functions that were inlined at its address.
    void addStacks(std::uint32_t node, StackId caller)
    {
        const CollectedNode& it = m_profile.nodes[node];
        m_ids[node].push_back(m_sink.stacks().stack(caller, frameOf(it)));
        const auto names = m_names.framesOf(node);
        for (std::size_t i = names.size(); i-- > 1;)
            m_ids[node].push_back(m_sink.stacks().stack(m_ids[node].back(), inlinedFrame(it, names[i - 1].function)));
    }

    /// Returns a node's frame for the new store. If the new store has modules of its own, adds the frame's module to them; otherwise, the
    /// frame refers to a module of the trace.
    StackFrame frameOf(const CollectedNode& node)
    {
        StackFrame frame = node.frame;
        if (!m_addsModules || frame.module == UnknownModule)
            return frame;
        ModuleId& module = m_modules.try_emplace({node.store, node.frame.module}, UnknownModule).first->second;
        if (const Module* const own = moduleAt(m_timeline, node.store, node.frame.module); own && module == UnknownModule)
            module = m_sink.modules().add(*own);
        frame.module = module;
        return frame;
    }

    /// Returns the frame of a function that was inlined at a node's address.
    StackFrame inlinedFrame(const CollectedNode& node, FunctionId function)
    {
        const auto [known, isNew] = m_inlined.try_emplace({node.store, node.frame.module, function});
        if (isNew) {
            const ModuleId module = m_sink.modules().add(makeInlinedPart(*moduleAt(m_timeline, node.store, node.frame.module)));
            const std::string& name = m_names.functions[static_cast<std::size_t>(function)].name;
            known->second = {module, false, m_sink.modules().addPlace(module, {.function = name, .offset = {}, .isInlined = true})};
        }
        return known->second;
    }

    const StackProfile& m_profile;
    const StackNames& m_names;
    const Timeline& m_timeline;
    StateSink& m_sink;
    /// Stack ids in the sink of a node's frames, outermost first, indexed by node; empty if not written yet.
    std::vector<std::vector<StackId>> m_ids;
    std::map<std::tuple<StoreIndex, ModuleId, FunctionId>, StackFrame> m_inlined; ///< Frames of inlined functions.
    /// Modules in the sink's store, keyed by store and module of the samples.
    std::map<std::pair<StoreIndex, ModuleId>, ModuleId> m_modules;
    bool m_addsModules = false; ///< True if the new store has modules: for inlined functions, or copied from the store of the samples.
    std::vector<std::uint32_t> m_path;
    std::vector<SampledFrame> m_frames;
};

Result<std::shared_ptr<const Store>> makeRows(const Timeline& timeline, std::uint32_t trace, const RowSamples& taken,
                                              const StackNames& names, bool isForward, const std::stop_token& stop)
{
    const std::vector<RowSample>& samples = taken.byTrace[trace];
    const auto builder = makeUnnamedStoreBuilder(onAxis(timeline.range.begin), stop);
    Stacks stacks(taken.profile, names, timeline, trace, *builder);
    ThreadRows rows(View, onAxis(timeline.range.begin), *builder);
    std::map<std::int32_t, StackRows*> onCpu; // Stacks of the thread that was sampled last on each CPU, keyed by CPU.
    for (const RowSample& sample : samples) {
        if (stop.stop_requested())
            return stopped();
        const SampledThread& thread = taken.profile.threads[sample.thread];
        // Show no stacks for TID 0, which is the idle thread of each CPU, and for unknown threads.
        StackRows* const stack = thread.tid > 0 || (thread.tid < 0 && !thread.comm.empty()) ? &rows.of(sample.thread, thread) : nullptr;
        if (StackRows*& before = onCpu[sample.cpu]; sample.cpu >= 0 && before != stack) {
            if (before)
                before->leaveCpu();
            before = stack;
        }
        if (stack && isForward)
            stack->takeForward(onAxis(sample.at), stacks.framesOf(sample.node), sample.period, sample.isCut);
        else if (stack)
            stack->take(onAxis(sample.at), stacks.framesOf(sample.node), sample.period, sample.isCut);
    }
    rows.finish();
    StoreSummary summary;
    summary.range = {onAxis(timeline.range.begin), onAxis(timeline.range.end)};
    return builder->finish(std::move(summary));
}

const TrackView Views[] = {{.id = std::string(View),
                            .title = "Sampled stacks",
                            .tip = "Functions of each thread over time, from sampled call stacks",
                            .areCalls = true,
                            .order = 16,
                            .one = "thread",
                            .many = "threads",
                            .share = "CPU %",
                            .number = "TID",
                            .nothing =
                                "The sampled stacks are being sorted. Stack copies (--call-graph dwarf) must be unwound first, which "
                                "takes a while; the flame graph counts the same samples."}};

/// Shows sampled call stacks as rows over time (a flame chart): consecutive samples in the same functions form one bar. The rows are
/// created in memory when they are first shown, because samples are not stored as states, and because function names are known only after
/// symbols were read.
class SampledStacks final : public Correlator {
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

    Result<Correlation> make(const Timeline& timeline, const CorrelatorRequest&, std::stop_token stop) const override
    {
        Kinds kinds;
        std::set<std::string> names;
        for (std::uint32_t trace = 0; trace < timeline.traces.size(); ++trace)
            if (const auto& kind = kinds.emplace_back(kindIn(timeline, trace)))
                names.insert(kind->kind.name);
        Correlation found;
        for (const std::string& name : names)
            if (const Status done = addRows(timeline, kinds, name, stop, found); !done)
                return done.error();
        return found;
    }

private:
    static Status addRows(const Timeline& timeline, const Kinds& kinds, const std::string& name, const std::stop_token& stop,
                          Correlation& found)
    {
        const RowSamples taken = takeSamples(timeline, kinds, name, stop);
        const StackNames names = nameStacks(taken.profile, timeline, {}, nullptr, stop);
        for (std::uint32_t trace = 0; trace < taken.byTrace.size(); ++trace) {
            if (taken.byTrace[trace].empty())
                continue;
            auto store = makeRows(timeline, trace, taken, names, kinds[trace]->isForward, stop);
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
                                             + " are missing from Sampled stacks: there are more samples than fit"});
        return Done{};
    }
};

} // namespace

extern const BuiltinCorrelator sampledStacksRelation{
    []() -> std::shared_ptr<const Correlator> { return std::make_shared<SampledStacks>(); }};

} // namespace helio
