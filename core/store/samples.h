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
        Event, ///< Samples of a counter or tracepoint. The weights are the event's periods.
        OffCpu, ///< A wait of a thread: off-CPU from switch-out to switch-in, or a wait for a lock. The weights are ns; the kind's name
                ///< says what the thread waited for.
        Counted, ///< Samples that were aggregated before they were recorded. The weight is the number of samples.
        Called, ///< Calls of functions, recorded whole instead of sampled. Never stored.
    };
    std::string name; ///< For example "cpu-clock", "page-faults", "sched_switch", "off-cpu:blocked", "off-cpu:preempted".
    std::string unit; ///< Unit of the weights, e.g. "ns"; "1/1000" for counts in thousandths; empty for plain counts.
    Origin origin = Origin::Event;
    bool isTime = false; ///< True if the weights add up to time.
    Duration spacing{}; ///< If !isTime: approximate time that a thread runs between two of its samples; 0 if unknown.
    std::uint64_t leastWeight = UINT64_MAX; ///< Least weight of any sample of the kind. The store maintains leastWeight and mostWeight
                                            ///< itself.
    std::uint64_t mostWeight = 0;

    /// Returns the number of weight units that make one count: 1000 if the unit is thousandths. Always a power of ten.
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
    /// True if all samples have the same weight, e.g. with perf record -c; false if the kernel adapts the period to a frequency.
    bool hasConstantPeriod() const { return leastWeight >= mostWeight; }
};

struct HostSample {
    HostTimestamp time; ///< Off-CPU samples: time of the switch-out.
    std::uint64_t weight = 1;
    std::uint64_t event = 0; ///< Number of the event in merged order, for reading its other fields again from the trace.
    StackId stack = NoStack; ///< Call stack, in the stacks of the sample's store.
    TrackId thread = NoTrack; ///< Track of the sampled thread in the sample's store; NoTrack if unknown or none.
    std::int32_t cpu = -1;
    SampleKindId kind{};
    CodeMode mode = CodeMode::Unknown;
    bool isUnwound = true; ///< False if user frames are still to be unwound from the event's registers and stack copy; `stack` then holds
                           ///< only the other frames.
    bool isCut = false; ///< True if the outermost frames are missing.
    bool isIdle = false; ///< True if the sample hit the CPU's idle thread, which has no row.
    bool operator==(const HostSample&) const = default;
};

/// The samples of one trace. Immutable.
///
/// Threads: all methods may be called from any thread at once.
/// Errors: none. Damaged blocks read as if their samples were missing, and Store::isDamaged() is then true.
class SampleSet {
public:
    virtual ~SampleSet() = default;

    virtual std::span<const SampleKind> kinds() const = 0;
    virtual std::uint64_t count() const = 0;
    virtual std::span<const std::uint64_t> countByKind() const = 0;

    /// True if some samples were found to be unreadable.
    virtual bool isDamaged() const = 0;

    /// Calls `take` with the samples of a kind in the range, a few thousand at a time. Samples come in time order.
    /// Off-CPU samples come in the order of their ends; those that overlap the range are included with their whole weights. Stacks are in
    /// Store::stacks().
    /// Cost: about 20 ns per sample, plus one block at each end of the range.
    virtual void visit(SampleKindId kind, HostRange range, const std::function<void(std::span<const HostSample>)>& take,
                       std::stop_token stop = {}) const = 0;
};

/// The samples of a store without any: an empty set.
const SampleSet& noSamples();

/// Records samples into a store.
/// Threads: to be used by one thread.
class SampleSink {
public:
    virtual ~SampleSink() = default;

    virtual SampleKindId addKind(SampleKind kind) = 0;

    /// Adds a sample. Samples of a kind must come in time order, off-CPU samples in the order of their ends.
    virtual void add(const HostSample& sample) = 0;
};

/// A sink that drops all samples.
SampleSink& droppedSamples();

} // namespace helio
