#pragma once

#include "core/base/time.h"
#include "core/store/track.h"
#include "core/trace/process/module.h"
#include "core/trace/process/sample_view.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <type_traits>
#include <vector>

namespace helio {

/// Index of a kind of sample in its store.
enum class SampleKindId : std::uint8_t {};

/// A call stack in its store: the frame that it ends with, and through its parent the callers. 0: no frames.
enum class StackId : std::uint32_t {};
constexpr StackId NoStack{0};

/// What samples of one kind were taken of, and what their weights count.
struct SampleKind {
    enum class Origin : std::uint8_t {
        Event, ///< A counter or a tracepoint; weights are its periods.
        OffCpu, ///< A thread without a CPU, from switch-out to switch-in; weights are ns. Its state says whether it was blocked or
                ///< preempted.
        Counted, ///< Samples that were added up before they were recorded: each stands for as many as its weight says.
    };
    std::string name;             ///< "cpu-clock", "page-faults", "sched_switch", "off-cpu:blocked", "off-cpu:preempted".
    std::string unit;             ///< Of the weights: "ns", or empty for a plain count.
    Origin origin = Origin::Event;
    bool isTime = false;          ///< Weights add up to time.
    Duration spacing{}; ///< Else about how long a thread runs from one of its samples to the next; 0: not known.
    std::uint64_t leastWeight = UINT64_MAX; ///< Of any sample. The store keeps it, and the next, by itself.
    std::uint64_t mostWeight = 0;

    void takeWeights(std::uint64_t least, std::uint64_t most)
    {
        leastWeight = std::min(leastWeight, least);
        mostWeight = std::max(mostWeight, most);
    }
    /// Each sample stands for as much as any other, as with perf record -c; not so where the kernel adapts the period to a frequency.
    bool hasConstantPeriod() const { return leastWeight >= mostWeight; }
};

/// One frame of a call stack: an address in a module. Return addresses are kept as they are recorded.
struct StackFrame {
    ModuleId module = UnknownModule;
    bool isReturnAddress = false; ///< The call is the instruction before `address`. False: what was executed itself.
    std::uint64_t address = 0;    ///< As Module::kind says.
    bool operator==(const StackFrame&) const = default;
};

/// A frame in the tree of all stacks. As in the file.
class StackNode {
public:
    StackNode() = default;
    StackNode(StackId parent, StackFrame frame)
        : m_parent(static_cast<std::uint32_t>(parent))
        , m_module(static_cast<std::uint32_t>(frame.module) << 1 | (frame.isReturnAddress ? 1u : 0u))
        , m_address(frame.address)
    {
    }
    StackId parent() const { return StackId{m_parent}; } ///< The caller's; always a lower number.
    StackFrame frame() const { return {ModuleId{m_module >> 1}, (m_module & 1) != 0, m_address}; }
    bool operator==(const StackNode&) const = default;

private:
    std::uint32_t m_parent = 0;
    std::uint32_t m_module = 0;   ///< And in the lowest bit: a return address.
    std::uint64_t m_address = 0;
};
static_assert(sizeof(StackNode) == 16 && std::is_trivially_copyable_v<StackNode>);

struct HostSample {
    HostTimestamp time;           ///< Off-CPU samples: when the thread left the CPU.
    std::uint64_t weight = 1;
    std::uint64_t event = 0;      ///< Its number in merged order: where what is not kept here is read again.
    StackId stack = NoStack;
    TrackId thread = NoTrack;     ///< NoTrack: none, or not known.
    std::int32_t cpu = -1;
    SampleKindId kind{};
    CodeMode mode = CodeMode::Unknown;
    bool isUnwound = true;        ///< False: user frames are still in the event's registers and stack copy; `stack` is the rest.
    bool isCut = false;           ///< The outermost frames are missing.
    bool isIdle = false;          ///< The CPU's idle thread, which has no row.
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

    /// Stacks are a tree; nodes 1 to nodes().size() - 1, node 0 is NoStack. A node's parent is a lower number.
    virtual std::span<const StackNode> nodes() const = 0;

    /// Hands over the samples of a kind that lie in the range (off-CPU: that overlap it; their weights are whole), some thousands at a time:
    /// in time order, off-CPU samples in the order they end. Their stacks are in nodes(). Cost: about 20 ns a sample, and a block at either end.
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

    /// The stack that has `frame` on top of `caller`: the same for the same two. `caller` itself where there are too many (2^26).
    virtual StackId stack(StackId caller, StackFrame frame) = 0;

    /// In time order within a kind; off-CPU samples in the order they end.
    virtual void add(const HostSample& sample) = 0;
};

/// Takes samples and keeps none.
SampleSink& droppedSamples();

} // namespace helio
