#pragma once

#include "core/base/time.h"
#include "core/store/track.h"
#include "core/trace/module.h"

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
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
        Event,      ///< A counter or a tracepoint; weights are its periods.
        OffCpu,     ///< A thread without a CPU, from switch-out to switch-in; weights are ns. The state tells blocked from preempted.
    };
    std::string name;             ///< "cpu-clock", "page-faults", "sched_switch", "off-cpu:blocked", "off-cpu:preempted".
    std::string unit;             ///< Of the weights: "ns", or empty for a plain count.
    Origin origin = Origin::Event;
    bool isTime = false;          ///< Weights add up to time.
};

/// What ran when a sample was taken.
enum class CodeMode : std::uint8_t { Unknown, User, Kernel, Hypervisor, GuestKernel, GuestUser };

/// One frame of a call stack: an address in a module. Return addresses are kept as they are recorded.
struct StackFrame {
    ModuleId module = UnknownModule;
    std::uint64_t address = 0;    ///< As Module::kind says.
    bool operator==(const StackFrame&) const = default;
};

struct StackNode {
    StackId parent = NoStack;     ///< The caller's; always a lower number.
    StackFrame frame;
};

struct HostSample {
    HostTimestamp time;
    std::uint64_t weight = 1;
    std::uint64_t event = 0;      ///< Its number in merged order: where what is not kept here is read again.
    StackId stack = NoStack;
    TrackId thread = NoTrack;     ///< NoTrack: idle, or not known.
    std::int32_t cpu = -1;
    SampleKindId kind{};
    CodeMode mode = CodeMode::Unknown;
    bool isUnwound = true;        ///< False: user frames are still in the event's registers and stack copy; `stack` is the rest.
    bool isCut = false;           ///< The outermost frames are missing.
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

    /// Stacks are a tree; nodes 1 to nodes().size() - 1, node 0 is NoStack.
    virtual std::span<const StackNode> nodes() const = 0;

    /// Hands over all samples in the range, in time order, some thousands at a time.
    /// Cost: about 10 ns a sample, and a block at either end.
    virtual void visit(HostRange range, const std::function<void(std::span<const HostSample>)>& take, std::stop_token stop = {}) const = 0;
};

/// The write side. One thread.
class SampleSink {
public:
    virtual ~SampleSink() = default;

    virtual SampleKindId addKind(SampleKind kind) = 0;

    /// The stack that has `frame` on top of `caller`: the same for the same two.
    virtual StackId stack(StackId caller, StackFrame frame) = 0;

    /// In time order, but for off-CPU samples, which are told when they end; the store sorts.
    virtual void add(const HostSample& sample) = 0;
};

} // namespace helio
