#pragma once

#include "core/base/time.h"
#include "core/store/stacks.h"
#include "core/store/track.h"
#include "core/trace/process/sample_view.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Index of a kind of samples in its store.
enum class SampleKindId : std::uint8_t {};

/// Description of the samples of one kind: their origin and what their weights count.
struct SampleKind {
    enum class Origin : std::uint8_t {
        Event, ///< Samples of a counter or tracepoint; their weights are periods.
        /// Waits of threads: off-CPU from switch-out to switch-in, or waits for a lock. The weights are ns; the name of the kind says what
        /// the thread waited for.
        OffCpu,
        Counted, ///< Samples that were aggregated before they were recorded. The weight is the number of samples.
        /// Samples whose weights are sums of amounts that were added up before they were recorded, e.g. the bytes of all allocations with
        /// one call stack. The number of added amounts is unknown.
        Summed,
        Called, ///< Recorded function calls instead of samples. Samples of this origin are never stored.
    };
    std::string name; ///< Name of the kind, for example "cpu-clock", "page-faults", "sched_switch", "off-cpu:blocked", "off-cpu:preempted".
    std::string unit; ///< Unit of the weights, for example "ns"; "1/1000" for counts in thousandths; empty for plain counts.
    Origin origin = Origin::Event;
    bool isTime = false; ///< True if the weights are times, so that their sum is a time.
    /// Approximate running time of a thread between two samples of this kind; 0 if unknown. Not used if `isTime` is true.
    Duration spacing{};
    /// Smallest weight of all samples of the kind. The store itself updates leastWeight and mostWeight.
    std::uint64_t leastWeight = UINT64_MAX;
    std::uint64_t mostWeight = 0;

    /// Returns the number of weight units per count: 1000 if the unit is thousandths. Always a power of ten.
    std::uint64_t divisor() const
    {
        std::uint64_t divisor = 1;
        if (unit.starts_with("1/10"))
            for (std::size_t i = 3; i < unit.size() && i < 3 + MostDecimals; ++i)
                divisor *= 10;
        return divisor;
    }
    static constexpr unsigned MostDecimals = 9;

    void mergeWeights(std::uint64_t least, std::uint64_t most)
    {
        leastWeight = std::min(leastWeight, least);
        mostWeight = std::max(mostWeight, most);
    }
    /// True if each sample stands for several samples that were added up before they were recorded.
    bool isAggregated() const { return origin == Origin::Counted || origin == Origin::Summed; }

    /// True if all samples have the same weight, for example with perf record -c; false if the kernel adapts the period to reach a
    /// frequency.
    bool hasConstantPeriod() const { return leastWeight >= mostWeight; }
};

struct HostSample {
    HostTimestamp time; ///< Time of the sample; for off-CPU samples, the time of the switch-out.
    std::uint64_t weight = 1;
    /// Number of the sample's event in the merged order of all streams; with it, more fields can be read from the trace.
    std::uint64_t event = 0;
    StackId stack = NoStack; ///< Call stack of the sample in Store::stacks().
    TrackId thread = NoTrack; ///< Track of the sampled thread in the sample's store; NoTrack if the thread is unknown or has no track.
    std::int32_t cpu = -1;
    SampleKindId kind{};
    CodeMode mode = CodeMode::Unknown;
    /// False if the user frames are not unwound yet from the event's registers and stack copy; `stack` then has no user frames.
    bool isUnwound = true;
    bool isCut = false; ///< True if the outermost frames are missing.
    bool isIdle = false; ///< True if the CPU's idle thread was sampled; it has no track.
    bool operator==(const HostSample&) const = default;
};

/// The samples of one trace. Immutable.
///
/// Threads: all methods may be called from any thread at once.
/// Errors: none. The samples of damaged blocks are missing, and Store::isDamaged() is then true.
class SampleSet {
public:
    virtual ~SampleSet() = default;

    virtual std::span<const SampleKind> kinds() const = 0;
    virtual std::uint64_t count() const = 0;
    virtual std::span<const std::uint64_t> countByKind() const = 0;

    /// True if some samples could not be read.
    virtual bool isDamaged() const = 0;

    /// Calls `take` with the samples of a kind in the range, in time order, a few thousand per call. Off-CPU samples come in the order of
    /// their ends; all that overlap the range are included, with their whole weights. Stacks refer to Store::stacks().
    /// Cost: about 20 ns per sample, plus one block at each end of the range.
    virtual void visit(SampleKindId kind, HostRange range, const std::function<void(std::span<const HostSample>)>& take,
                       std::stop_token stop = {}) const = 0;
};

/// Empty sample set, for stores without samples.
const SampleSet& noSamples();

/// Records samples into a store.
/// Threads: to be used by one thread.
class SampleSink {
public:
    virtual ~SampleSink() = default;

    virtual SampleKindId addKind(SampleKind kind) = 0;

    /// Adds a sample. The samples of a kind must come in time order; off-CPU samples in the order of their ends.
    virtual void add(const HostSample& sample) = 0;
};

/// Sink that discards all samples.
SampleSink& droppedSamples();

} // namespace helio
