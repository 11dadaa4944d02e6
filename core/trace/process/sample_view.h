#pragma once

#include "core/base/time.h"
#include "core/trace/event.h"
#include "core/trace/fields/bits.h"
#include "core/trace/fields/event_type.h"
#include "core/trace/process/module.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace helio {

/// Execution mode of the CPU when a sample was taken.
enum class CodeMode : std::uint8_t { Unknown, User, Kernel, Hypervisor, GuestKernel, GuestUser };

/// Array of 64-bit words in a recording, in the recording's byte order. A view: valid as long as the event's batch.
class WordSpan {
public:
    WordSpan() = default;
    /// `step`: distance between the starts of two words in bytes. Words may be unaligned. Requires: step * count bytes may be read.
    WordSpan(const std::byte* data, std::size_t count, ByteOrder order, std::size_t step = 8)
        : m_data(data)
        , m_count(count)
        , m_step(step)
        , m_order(order)
    {
    }

    std::size_t size() const { return m_count; }
    bool empty() const { return m_count == 0; }
    std::uint64_t operator[](std::size_t i) const { return loadWord<std::uint64_t>(m_data + m_step * i, m_order); }

private:
    const std::byte* m_data = nullptr;
    std::size_t m_count = 0;
    std::size_t m_step = 8;
    ByteOrder m_order = ByteOrder::Little;
};

/// Markers among the addresses of a callchain: each marker gives the kind of code (user, kernel, …) of the addresses after it
/// (PERF_CONTEXT_*).
namespace callchain {
constexpr std::uint64_t Hypervisor = static_cast<std::uint64_t>(-32);
constexpr std::uint64_t Kernel = static_cast<std::uint64_t>(-128);
constexpr std::uint64_t User = static_cast<std::uint64_t>(-512);
constexpr std::uint64_t UserDeferred = static_cast<std::uint64_t>(-640); ///< The user part of the callchain follows in a later record.
constexpr std::uint64_t Guest = static_cast<std::uint64_t>(-2048);
constexpr std::uint64_t GuestKernel = static_cast<std::uint64_t>(-2176);
constexpr std::uint64_t GuestUser = static_cast<std::uint64_t>(-2560);
constexpr std::uint64_t FirstMarker = static_cast<std::uint64_t>(-4095); ///< Smallest marker; all values from here on are markers.
constexpr bool isMarker(std::uint64_t word) { return word >= FirstMarker; }
} // namespace callchain

/// Registers and stack of a thread in user mode, from which the user frames are unwound later.
struct UserState {
    std::uint64_t abi = 0; ///< ABI of the process: 0 for a kernel thread without user registers, 1 for 32 bits, 2 for 64 bits.
    std::uint64_t registerMask = 0; ///< Recorded registers: bit n is set if the register with perf's number n was recorded.
    WordSpan registers; ///< Register values by ascending bit of registerMask; empty if abi is 0.
    std::span<const std::byte> stack; ///< Bytes of the stack from the stack pointer upwards; only the bytes that perf really copied.
    bool isStackTruncated = false; ///< True if the copy has its maximum size, so that the real stack may be longer.
};

/// Calls in user code, recorded by the processor (perf record --call-graph lbr). They replace the user part of the callchain, because they
/// are correct even for code without frame pointers.
struct LastBranchRecord {
    std::uint64_t callee = 0; ///< Target address of the innermost call.
    WordSpan sites; ///< Addresses of the call instructions, innermost first; empty if no calls were recorded.
    bool isFull = false; ///< True if the processor's branch record was full: it has no room for outer callers, which may be missing.
};

/// One sample as recorded. Members without a recorded value have their defaults.
struct SampleView {
    std::uint64_t ip = 0;
    std::uint64_t period = 1; ///< Weight of the sample: the number of events, or ns for a clock event.
    std::uint64_t address = 0; ///< Address of the data that the sampled instruction accessed.
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
    std::int32_t guest = NoGuest; ///< Number of the guest whose code ran, if `mode` is GuestKernel or GuestUser.
    CodeMode mode = CodeMode::Unknown;
    bool hasIp = false;
    WordSpan callchain; ///< Addresses, innermost first, markers included; empty if no callchain was recorded.
    UserState user;
    LastBranchRecord calls;
    /// Name of the thread, for samples that have no time or no tid. Otherwise empty: process records then give the name by time and tid.
    std::string_view command;
    /// Index of the call stack in SampleReader::stacks(), for recordings without callchains; 0 if the sample has no stack.
    std::uint32_t stack = 0;
};

/// Frame of a recorded call tree, an element of SampleReader::stacks(). A caller comes before the frames that it calls.
struct RecordedFrame {
    std::uint32_t caller = 0;
    ModuleId module = UnknownModule;
    std::uint64_t address = 0; ///< Address of the frame, as Module::kind defines.
};

/// Description of an event type whose events are samples.
struct SampleEvent {
    EventTypeId type{};
    /// Name of the type. If several types of a recording have the same name, the second and later ones get a number: "cpu-clock#2".
    std::string name;
    bool isTime = false; ///< True if periods are CPU time in ns.
    /// True if registers and stack were requested, so that the user frames must be unwound and are not in the callchain.
    bool hasUserState = false;
    /// True if each event stands for as many samples as its period says, because the samples were aggregated before they were recorded.
    bool isCounted = false;
    /// Number of samples of this type in the whole recording, i.e. the sum of the periods of its events; set only if `isCounted`.
    std::uint64_t counted = 0;
    /// Factor, a power of ten, by which counts and periods are multiplied so that their decimals are kept in integers. Divide by it to get
    /// the recorded numbers.
    std::uint64_t divisor = 1;
    /// True if a sample's period counts the events from this sample to the next sample of the same counter; in perf, this is so for
    /// software events (except clocks) that are sampled at a frequency. In profiles with times, the period is then the time until the
    /// thread's next sample. False if it counts the events since the previous sample.
    bool hasForwardPeriods = false;
    /// For counters that perf reads together as a group: the leader; each sample of the leader also records the other counters of the
    /// group. nullopt if the counter is read alone. A counter without a change since the leader's previous sample is left out, so a missing
    /// sample means a difference of 0.
    std::optional<EventTypeId> groupLeader{};
    /// Time between two samples of this type of one thread, whether the thread was running or not; 0 if unknown.
    Duration interval{};
    Duration spacing{}; ///< Approximate running time of a thread between two samples of this type; 0 if unknown.
    /// True for a tracepoint if perf recorded only some of its events: at a frequency, or only every n-th event. No states are derived
    /// from such events.
    bool isSampled = false;
    /// True if the period of each event is a sum over an unknown number of samples, which were added up before they were recorded.
    bool isSummed = false;
    std::string unit{}; ///< Unit of the periods, e.g. "bytes". If empty: ns if `isTime` is true, else a number of events named `name`.
};

/// Returns `name` (see SampleEvent::name) without the number at its end.
inline std::string_view withoutNumber(std::string_view name)
{
    const std::size_t mark = name.rfind('#');
    const bool isNumbered = mark != std::string_view::npos && mark + 1 < name.size()
        && name.find_first_not_of("0123456789", mark + 1) == std::string_view::npos;
    return isNumbered ? name.substr(0, mark) : name;
}

/// True if `name` is a tracepoint, for example "sched:sched_switch"; false for "cpu-clock:ppp", whose suffix is a list of modifiers.
inline bool isTracepoint(std::string_view name)
{
    name = withoutNumber(name);
    const std::size_t colon = name.find(':');
    return colon != std::string_view::npos && name.find_first_not_of("ukhGHpPSDIWeb", colon + 1) != std::string_view::npos;
}

/// Reads the samples of a trace. Returns the values that FieldRef finds by name, but all at once and without copying.
///
/// Ownership: owned by the trace.
/// Threads: any thread at once.
/// Cost: read() needs about 20 ns, because it walks over members of variable size.
class SampleReader {
public:
    virtual ~SampleReader() = default;

    /// Event types of the trace that are samples, in ascending order of EventTypeId.
    virtual std::span<const SampleEvent> events() const = 0;

    /// Processor architecture of the recorded registers, as `uname -m` prints it: "x86_64", "aarch64"; empty if unknown.
    virtual const std::string& machine() const = 0;

    /// Call tree of the recording: frames with their callers. The first entry stands for "no frame". Empty if the samples have callchains.
    virtual std::span<const RecordedFrame> stacks() const { return {}; }

    /// Reads a sample into `sample`. Returns false if the event is not a sample. Spans in `sample` are valid as long as the event's batch.
    virtual bool read(const EventView& event, SampleView& sample) const = 0;
};

} // namespace helio
