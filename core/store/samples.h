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

/// Index of a kind of sample in its store.
enum class SampleKindId : std::uint8_t {};

/// What samples of one kind were taken of, and what their weights count.
struct SampleKind {
    enum class Origin : std::uint8_t {
        Event, ///< A counter or a tracepoint; weights are its periods.
        OffCpu, ///< What a thread waited for something: without a CPU, from switch-out to switch-in, or for a lock; weights are ns. Its
                ///< kind says what of.
        Counted, ///< Samples that were added up before they were recorded: each stands for as many as its weight says.
        Called, ///< No samples: calls of functions that were recorded whole. Never stored.
    };
    std::string name; ///< "cpu-clock", "page-faults", "sched_switch", "off-cpu:blocked", "off-cpu:preempted".
    std::string unit; ///< Unit of the weights: "ns"; "1/1000" for counts in thousandths; empty for plain counts.
    Origin origin = Origin::Event;
    bool isTime = false; ///< Weights add up to time.
    Duration spacing{}; ///< Else about how long a thread runs from one of its samples to the next; 0: not known.
    std::uint64_t leastWeight = UINT64_MAX; ///< Of any sample. The store keeps it, and the next, by itself.
    std::uint64_t mostWeight = 0;

    /// How many counts make one: 1000 where they are thousandths. A power of ten.
    std::uint64_t divisor() const
    {
        std::uint64_t divisor = 1;
        if (unit.starts_with("1/10"))
            for (std::size_t i = 3; i < unit.size() && i < 3 + MostDecimals; ++i)
                divisor *= 10;
        return divisor;
    }
    static constexpr unsigned MostDecimals = 9;

    void takeWeights(std::uint64_t least, std::uint64_t most)
    {
        leastWeight = std::min(leastWeight, least);
        mostWeight = std::max(mostWeight, most);
    }
    /// Each sample stands for as much as any other, as with perf record -c; not so where the kernel adapts the period to a frequency.
    bool hasConstantPeriod() const { return leastWeight >= mostWeight; }
};

struct HostSample {
    HostTimestamp time; ///< Off-CPU samples: when the thread left the CPU.
    std::uint64_t weight = 1;
    std::uint64_t event = 0; ///< Its number in merged order: where what is not kept here is read again.
    StackId stack = NoStack; ///< In the store's stacks.
    TrackId thread = NoTrack; ///< Who was sampled: a thread's track of the samples' own store. NoTrack: none, or not known.
    std::int32_t cpu = -1;
    SampleKindId kind{};
    CodeMode mode = CodeMode::Unknown;
    bool isUnwound = true; ///< False: user frames are still in the event's registers and stack copy; `stack` is the rest.
    bool isCut = false; ///< The outermost frames are missing.
    bool isIdle = false; ///< The CPU's idle thread, which has no row.
    bool operator==(const HostSample&) const = default;
};

/// The samples of one trace. Immutable.
///
/// Threads: any at once. Errors: none; damage reads as fewer samples, and its store says isDamaged().
class SampleSet {
public:
    virtual ~SampleSet() = default;

    virtual std::span<const SampleKind> kinds() const = 0;
    virtual std::uint64_t count() const = 0;
    virtual std::span<const std::uint64_t> countByKind() const = 0;

    /// Some samples turned out to be unreadable.
    virtual bool isDamaged() const = 0;

    /// Hands over the samples of a kind in the range (off-CPU: that overlap it; their weights are whole), some thousands at a time: in time
    /// order, off-CPU samples in the order they end. Their stacks are in Store::stacks(). Cost: about 20 ns a sample, and a block at each
    /// end.
    virtual void visit(SampleKindId kind, HostRange range, const std::function<void(std::span<const HostSample>)>& take,
                       std::stop_token stop = {}) const = 0;
};

/// Of a store without samples.
const SampleSet& noSamples();

/// The write side. One thread.
class SampleSink {
public:
    virtual ~SampleSink() = default;

    virtual SampleKindId addKind(SampleKind kind) = 0;

    /// In time order within a kind; off-CPU samples in the order they end.
    virtual void add(const HostSample& sample) = 0;
};

/// Takes samples and keeps none.
SampleSink& droppedSamples();

} // namespace helio
