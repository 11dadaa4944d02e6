#include "core/profiling/samples/sample_stacks.h"

#include "core/base/flat_index.h"
#include "core/profiling/samples/collect_calls.h"
#include "core/profiling/samples/sample_nodes.h"
#include "core/profiling/samples/sampled_threads.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <tuple>

namespace helio {
namespace {

/// Limit of the sum of all samples, so that adding two profiles does not overflow. A sum that would exceed the limit is set to it.
constexpr std::uint64_t MostCounted = INT64_MAX;

/// Returns the part of an off-CPU sample's time, in ns, that lies in the range.
std::uint64_t weightIn(const HostRange& range, const HostSample& sample)
{
    const std::int64_t begin = nanoseconds(sample.time);
    std::int64_t end = 0;
    if (__builtin_add_overflow(begin, static_cast<std::int64_t>(std::min<std::uint64_t>(sample.weight, INT64_MAX)), &end))
        end = INT64_MAX;
    const std::int64_t from = std::max(begin, nanoseconds(range.begin));
    const std::int64_t to = std::min(end, nanoseconds(range.end));
    return to > from ? static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from) : 0;
}

/// Collects the samples of all traces into a profile.
class Collector {
public:
    /// If `keepsSeparate`, samples with the same stack are not merged. If `visit` is set, it is called for each sample, and no
    /// samples are stored.
    Collector(const Timeline& timeline, const SampleFilter& filter, bool keepsSeparate, QueryProgress* progress, std::stop_token stop,
              const SampleVisitor* visit = nullptr)
        : m_timeline(timeline)
        , m_filter(filter)
        , m_keepsSeparate(keepsSeparate)
        , m_progress(progress)
        , m_stop(std::move(stop))
        , m_visit(visit)
    {
        m_profile.nodes.emplace_back();
    }

    StackProfile collect()
    {
        const std::vector<std::string> kinds = m_filter.kinds.empty() ? defaultKinds() : m_filter.kinds;
        if (m_progress)
            m_progress->total = recordsOf(kinds);
        m_divisor = divisorOf(kinds);
        forEachStore(m_timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
            for (const std::string& kind : kinds)
                collect(index, store, kind);
        });
        for (const std::string& kind : kinds)
            if (const auto calls = callKind(m_timeline, kind))
                takeCalls(*calls);
        m_profile.isStopped = m_stop.stop_requested();
        // Use a stable sort, so that samples with the same time stay in the order of collection.
        std::stable_sort(m_profile.stacks.begin(), m_profile.stacks.end(),
                         [](const CollectedStack& a, const CollectedStack& b) { return a.first < b.first; });
        return std::move(m_profile);
    }

private:
    std::vector<std::string> defaultKinds() const
    {
        const std::vector<SampleKindFacts> kinds = sampleKinds(m_timeline);
        return kinds.empty() ? std::vector<std::string>() : std::vector{kinds.front().kind.name};
    }

    void takeCalls(const CallKind& kind)
    {
        if (!m_hasKind)
            m_profile.kind = kind.facts.kind;
        m_hasKind = true;
        // Leave out calls if samples stay separate (m_keepsSeparate): a view then shows each sample at one time, but calls have
        // durations.
        if (!m_keepsSeparate)
            collectCalls(m_timeline, kind, m_filter, m_nodes.nodes(), m_profile, m_progress, m_stop);
    }

    /// Returns the largest divisor of the sample kinds with these names. A kind can have different divisors in two recordings if only
    /// one of them contains counts with decimals.
    std::uint64_t divisorOf(const std::vector<std::string>& names) const
    {
        std::uint64_t divisor = 1;
        forEachStore(m_timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) {
            for (const SampleKind& kind : store.samples().kinds())
                if (std::ranges::find(names, kind.name) != names.end())
                    divisor = std::max(divisor, kind.divisor());
        });
        return divisor;
    }

    /// Returns the number of stored samples of these kinds. Samples that were added up before they were recorded are stored as one.
    std::uint64_t recordsOf(const std::vector<std::string>& kinds) const
    {
        std::uint64_t all = 0;
        forEachStore(m_timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) {
            const auto counts = store.samples().countByKind();
            for (std::size_t i = 0; i < counts.size(); ++i)
                if (std::find(kinds.begin(), kinds.end(), store.samples().kinds()[i].name) != kinds.end())
                    all += counts[i];
        });
        return all;
    }

    void collect(StoreIndex index, const Store& store, const std::string& kindName)
    {
        const SampleSet& samples = store.samples();
        const auto kinds = samples.kinds();
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            if (kinds[i].name != kindName || m_stop.stop_requested())
                continue;
            if (!m_hasKind || kinds[i].divisor() > m_profile.kind.divisor())
                m_profile.kind = kinds[i];
            m_hasKind = true;
            m_factor = m_divisor / kinds[i].divisor();
            m_profile.kind.mergeWeights(kinds[i].leastWeight, kinds[i].mostWeight);
            if (&store != m_store) {
                m_store = &store;
                m_trace = traceOf(m_timeline, index);
                m_nodes.setStore(index, store, m_stop);
                m_threads.emplace(m_timeline, index, m_filter);
            }
            collect(SampleKindId(i), kinds[i].origin);
        }
    }

    void collect(SampleKindId kind, SampleKind::Origin origin)
    {
        const bool isOffCpu = origin == SampleKind::Origin::OffCpu;
        const bool isCounted = origin == SampleKind::Origin::Counted;
        const TimelineTrace& t = m_timeline.traces[m_trace];
        const SampleSet& samples = m_store->samples();
        std::uint64_t met = 0;
        // End of the filter's range that was visited last. An off-CPU sample that begins before it was already counted in an earlier range.
        HostTimestamp counted = HostTimestamp::min();
        for (const HostRange& range : hostRanges(m_filter.ranges, t.clock)) {
            samples.visit(
                kind, range,
                [&](std::span<const HostSample> part) {
                    for (const HostSample& sample : part) {
                        const std::uint64_t weight = isOffCpu && !m_filter.ranges.empty() ? weightIn(range, sample) : sample.weight;
                        const bool counts = !isOffCpu || isFirstAfter(counted, sample);
                        add(sample, weight, isCounted ? sample.weight : counts);
                    }
                    met += part.size();
                    if (m_progress)
                        m_progress->done += part.size();
                },
                m_stop);
            counted = range.end;
        }
        const std::uint64_t expected = samples.countByKind()[static_cast<std::size_t>(kind)];
        if (m_filter.ranges.empty() && !m_stop.stop_requested() && met < expected)
            m_profile.damaged += expected - met;
    }

    bool passes(const HostSample& sample, SampledThreads::Life life, Timestamp time)
    {
        if (!(m_filter.modes >> static_cast<unsigned>(sample.mode) & 1) || !m_threads->isWanted(life))
            return false;
        if (m_filter.accepts && !m_filter.accepts(m_threads->rowOf(life), time))
            return false;
        if (m_filter.cpus.empty())
            return true;
        const HostCpu cpu{m_timeline.traces[m_trace].host, sample.cpu};
        return std::find(m_filter.cpus.begin(), m_filter.cpus.end(), cpu) != m_filter.cpus.end();
    }

    /// True if no earlier range contains a part of the sample. Off-CPU samples may overlap several ranges.
    static bool isFirstAfter(HostTimestamp before, const HostSample& sample)
    {
        return before == HostTimestamp::min() || sample.time >= before;
    }

    /// Adds a sample to the profile. `count` is the number of samples that the record stands for.
    void add(const HostSample& sample, std::uint64_t weight, std::uint64_t count)
    {
        const Timestamp time = m_timeline.traces[m_trace].clock(sample.time);
        const SampledThreads::Life life = m_threads->lifeOf(sample);
        if (!passes(sample, life, time))
            return;
        CollectedStack key;
        const auto [node, end] = m_nodes.nodeOf(sample);
        key.node = node;
        key.end = end;
        key.thread = m_threads->indexOf(sample, life, m_profile.threads);
        key.cpu = sample.cpu;
        weight = std::min(std::min(weight, MostCounted / m_factor) * m_factor, MostCounted - m_profile.weight);
        count = std::min(std::min(count, MostCounted / m_factor) * m_factor, MostCounted - m_profile.samples);
        if (m_visit) {
            key.first = time;
            key.samples = count;
            key.weight = weight;
            return (*m_visit)(m_profile, key);
        }
        CollectedStack& stack = stackOf(key, time);
        stack.samples += count;
        stack.weight += weight;
        // The `count` samples were summed up in the recording: assume equal weights.
        stack.squares += double(weight) * double(weight) / double(std::max<std::uint64_t>(count, 1));
        stack.first = std::min(stack.first, time);
        m_profile.range = m_profile.samples == 0 ? TimeRange{time, time}
                                                 : TimeRange{std::min(m_profile.range.begin, time), std::max(m_profile.range.end, time)};
        m_profile.samples += count;
        m_profile.weight += weight;
    }

    CollectedStack& stackOf(CollectedStack key, Timestamp time)
    {
        if (m_keepsSeparate) {
            key.first = time;
            return m_profile.stacks.emplace_back(key);
        }
        const std::uint64_t hash = mixed(std::uint64_t(key.node) << 32 | key.thread,
                                         std::uint64_t(std::uint32_t(key.cpu)) << 8 | static_cast<std::uint64_t>(key.end));
        const std::uint32_t index = m_stacks.findOrAdd(hash, [&](std::uint32_t i) {
            const CollectedStack& other = m_profile.stacks[i];
            return other.node == key.node && other.thread == key.thread && other.cpu == key.cpu && other.end == key.end;
        });
        if (index == m_profile.stacks.size()) {
            key.first = time;
            m_profile.stacks.push_back(key);
        }
        return m_profile.stacks[index];
    }

    const Timeline& m_timeline;
    const SampleFilter& m_filter;
    const bool m_keepsSeparate;
    QueryProgress* m_progress;
    std::stop_token m_stop;
    const SampleVisitor* m_visit;
    StackProfile m_profile;
    bool m_hasKind = false;
    /// Factor, a power of ten, between counts and the numbers in the profile, so that decimals become integers. The unit of the
    /// profile is 1 / m_divisor.
    std::uint64_t m_divisor = 1;
    /// Factor that converts stored counts of the current kind to counts in the profile: m_divisor divided by SampleKind::divisor().
    std::uint64_t m_factor = 1;
    const Store* m_store = nullptr; ///< Store of the samples that are being collected; nullptr before the first store.
    std::uint32_t m_trace = ~0u; ///< Index into Timeline::traces of the trace that m_store belongs to; ~0u before the first store.
    std::optional<SampledThreads> m_threads; ///< Threads of the samples in m_store; nullopt before the first store.
    SampleNodes m_nodes{m_timeline, m_profile};
    FlatIndex m_stacks;
};

/// Returns the number of samples of a kind. `recorded` is the number of stored samples. For samples that were added up before they were
/// recorded, the trace tells how many they were.
std::uint64_t samplesOf(const TimelineTrace& t, const SampleKind& kind, std::uint64_t recorded)
{
    const SampleReader* reader = t.trace ? t.trace->samples() : nullptr;
    if (kind.origin != SampleKind::Origin::Counted || !reader)
        return recorded;
    std::uint64_t counted = 0;
    for (const SampleEvent& event : reader->events()) // Event types with the same name differ by their fields.
        if (event.name == kind.name)
            counted += event.counted;
    return counted;
}

/// Returns the product, saturated at the largest 64-bit number. Requires: `factor` > 0.
std::uint64_t clampedProduct(std::uint64_t number, std::uint64_t factor)
{
    constexpr std::uint64_t Most = std::numeric_limits<std::uint64_t>::max();
    return number > Most / factor ? Most : number * factor;
}

} // namespace

std::vector<SampleKindFacts> sampleKinds(const Timeline& timeline)
{
    std::vector<SampleKindFacts> all;
    forEachStore(timeline, [&](StoreIndex, const Store& store, const TimelineTrace& t) {
        const auto kinds = store.samples().kinds();
        const auto counts = store.samples().countByKind();
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            const auto same = std::find_if(all.begin(), all.end(), [&](const SampleKindFacts& f) { return f.kind.name == kinds[i].name; });
            if (same == all.end())
                all.push_back({kinds[i], samplesOf(t, kinds[i], counts[i])});
            else {
                const std::uint64_t divisor = std::max(same->kind.divisor(), kinds[i].divisor());
                const std::uint64_t before = clampedProduct(same->samples, divisor / same->kind.divisor());
                const std::uint64_t more = clampedProduct(samplesOf(t, kinds[i], counts[i]), divisor / kinds[i].divisor());
                same->samples = before + std::min(more, std::numeric_limits<std::uint64_t>::max() - before);
                if (divisor > same->kind.divisor())
                    same->kind.unit = kinds[i].unit;
                same->kind.mergeWeights(kinds[i].leastWeight, kinds[i].mostWeight);
            }
        }
    });
    for (CallKind& calls : callKinds(timeline))
        all.push_back(std::move(calls.facts));
    // Kinds without samples come last. Among kinds of one origin, those with times as weights come first, because they show
    // best where time is spent.
    std::stable_sort(all.begin(), all.end(), [](const SampleKindFacts& a, const SampleKindFacts& b) {
        const auto rank = [](const SampleKindFacts& f) {
            const SampleKind::Origin origin = f.kind.isAggregated() ? SampleKind::Origin::Counted : f.kind.origin;
            return std::tuple(f.samples == 0, origin, !f.kind.isTime);
        };
        if (rank(a) != rank(b))
            return rank(a) < rank(b);
        // Kinds with samples that were aggregated before recording keep the order of the recording's columns. All other kinds are
        // sorted by number of samples, the largest first.
        return !a.kind.isAggregated() && a.samples > b.samples;
    });
    return all;
}

std::vector<std::string> offCpuKinds(const std::vector<SampleKindFacts>& kinds)
{
    std::vector<std::string> names;
    for (const SampleKindFacts& facts : kinds)
        if (facts.kind.origin == SampleKind::Origin::OffCpu && facts.kind.name.starts_with(AllOffCpu)
            && facts.kind.name != "off-cpu:woken-by")
            names.push_back(facts.kind.name);
    return names;
}

StackProfile collectStacks(const Timeline& timeline, const SampleFilter& filter, QueryProgress* progress, std::stop_token stop)
{
    return Collector(timeline, filter, false, progress, std::move(stop)).collect();
}

StackProfile collectSingleSamples(const Timeline& timeline, const SampleFilter& filter, QueryProgress* progress, std::stop_token stop)
{
    return Collector(timeline, filter, true, progress, std::move(stop)).collect();
}

StackProfile visitSamples(const Timeline& timeline, const SampleFilter& filter, const SampleVisitor& visit, std::stop_token stop)
{
    return Collector(timeline, filter, true, nullptr, std::move(stop), &visit).collect();
}

} // namespace helio
