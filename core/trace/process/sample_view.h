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

/// Kind of code that ran when a sample was taken.
enum class CodeMode : std::uint8_t { Unknown, User, Kernel, Hypervisor, GuestKernel, GuestUser };

/// Array of 64-bit words in a recording, in its byte order. A view: valid as long as the event's batch.
class WordSpan {
public:
    WordSpan() = default;
    /// `step`: distance of two words in bytes. Requires: step * count bytes may be read. The words may be unaligned.
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

/// Markers among the addresses of a callchain: each tells the kind of code of the addresses after it (PERF_CONTEXT_*).
namespace callchain {
constexpr std::uint64_t Hypervisor = static_cast<std::uint64_t>(-32);
constexpr std::uint64_t Kernel = static_cast<std::uint64_t>(-128);
constexpr std::uint64_t User = static_cast<std::uint64_t>(-512);
constexpr std::uint64_t UserDeferred = static_cast<std::uint64_t>(-640); ///< The user part was recorded later, in another record.
constexpr std::uint64_t Guest = static_cast<std::uint64_t>(-2048);
constexpr std::uint64_t GuestKernel = static_cast<std::uint64_t>(-2176);
constexpr std::uint64_t GuestUser = static_cast<std::uint64_t>(-2560);
constexpr std::uint64_t FirstMarker = static_cast<std::uint64_t>(-4095); ///< Smallest marker; all values from here on are markers.
constexpr bool isMarker(std::uint64_t word) { return word >= FirstMarker; }
} // namespace callchain

/// User-mode state of a thread, from which its stack is unwound later.
struct UserState {
    std::uint64_t abi = 0; ///< 0: no user registers (a kernel thread); 1: a 32-bit process; 2: a 64-bit process.
    std::uint64_t registerMask = 0; ///< Bit n is set if the register with perf's number n was recorded.
    WordSpan registers; ///< Register values by ascending bit of registerMask; empty if abi is 0.
    std::span<const std::byte> stack; ///< Bytes from the stack pointer up; only those that were really copied.
    bool isStackTruncated = false; ///< True if the copy is full, so that the stack may be longer than the copy.
};

/// Calls in user code that the processor recorded while it ran (perf record --call-graph lbr). They replace the user part of the callchain,
/// because the code need not have frame pointers.
struct LastBranchRecord {
    std::uint64_t callee = 0; ///< Address that the innermost call led to.
    WordSpan sites; ///< Addresses of the call instructions, innermost first; empty if none were recorded.
    bool isFull = false; ///< True if the processor's record is full: there may be further callers.
};

/// One sample as recorded. Members that were not recorded have their defaults.
struct SampleView {
    std::uint64_t ip = 0;
    std::uint64_t period = 1; ///< Weight of the sample: a count of events, or ns of a clock event.
    std::uint64_t address = 0; ///< Address of the data that was accessed.
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
    CodeMode mode = CodeMode::Unknown;
    bool hasIp = false;
    WordSpan callchain; ///< Addresses, innermost first, markers included; empty if no callchain was recorded.
    UserState user;
    LastBranchRecord calls;
    /// Name of the thread, for samples without a time or a tid; empty if process records give it by time and tid.
    std::string_view command;
    std::uint32_t stack = 0; ///< Index into SampleReader::stacks() in place of a callchain; 0 if none.
};

/// A frame of the call stacks that a recording holds whole: the index of its caller, which is lower, and its address.
struct RecordedFrame {
    std::uint32_t caller = 0;
    ModuleId module = UnknownModule;
    std::uint64_t address = 0; ///< Address in the terms of Module::kind.
};

/// An event type with samples as events.
struct SampleEvent {
    EventTypeId type{};
    std::string name; ///< Name of the type; if several events of a recording share it, with a number from the second on: "cpu-clock#2".
    bool isTime = false; ///< True if periods are ns on a CPU.
    bool hasUserState = false; ///< True if registers and stack were requested: the user frames are not in the callchain.
    /// True if each event stands for as many samples as its period says: the samples were summed up before they were recorded.
    bool isCounted = false;
    std::uint64_t counted = 0; ///< Sum of these sample counts.
    std::uint64_t divisor = 1; ///< Power of ten by which counts and periods are multiplied to keep their decimals.
    /// True if a period is what the counter counts from its sample to the counter's next sample, as with the kernel's software events at a
    /// frequency. False if it is what was counted up to the sample.
    bool hasForwardPeriods = false;
    /// For counters that are read together: the event at whose samples they are read, which is the same for the whole group; nullopt if the
    /// counter is read alone. A read records a sample for each counter that advanced since the last read; a counter without a sample did
    /// not advance.
    std::optional<EventTypeId> groupLeader{};
    Duration spacing{}; ///< Approximate running time of a thread between two of its samples; 0 if unknown.
    /// True for a tracepoint of which only some events were recorded: at a frequency, or one of every n. No states follow from such events.
    bool isSampled = false;
};

/// Returns SampleEvent::name without its number.
inline std::string_view withoutNumber(std::string_view name)
{
    const std::size_t mark = name.rfind('#');
    const bool isNumbered = mark != std::string_view::npos && mark + 1 < name.size()
        && name.find_first_not_of("0123456789", mark + 1) == std::string_view::npos;
    return isNumbered ? name.substr(0, mark) : name;
}

/// True for a tracepoint, for example "sched:sched_switch"; false for "cpu-clock:ppp", whose suffix is a list of modifiers.
inline bool isTracepoint(std::string_view name)
{
    name = withoutNumber(name);
    const std::size_t colon = name.find(':');
    return colon != std::string_view::npos && name.find_first_not_of("ukhGHpPSDIWeb", colon + 1) != std::string_view::npos;
}

/// Typed access to a trace's samples: finds what FieldRef would find by name, at once and without copying.
///
/// Ownership: owned by the trace.
/// Threads: any thread at once.
/// Cost: read() takes about 20 ns: it walks over the members of variable size.
class SampleReader {
public:
    virtual ~SampleReader() = default;

    /// Sample events by ascending type.
    virtual std::span<const SampleEvent> events() const = 0;

    /// Processor of the recorded registers, as `uname -m` prints it: "x86_64", "aarch64"; empty if unknown.
    virtual const std::string& machine() const = 0;

    /// Call stacks that the recording holds with their modules; the first entry stands for none. Empty if samples have callchains.
    virtual std::span<const RecordedFrame> stacks() const { return {}; }

    /// Reads a sample; returns false if the event is no sample. The view's spans are valid as long as the event's batch.
    virtual bool read(const EventView& event, SampleView& sample) const = 0;
};

} // namespace helio
