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

/// What ran when a sample was taken.
enum class CodeMode : std::uint8_t { Unknown, User, Kernel, Hypervisor, GuestKernel, GuestUser };

/// 64-bit words where they lie in a recording, in its byte order. A view: valid as long as the event's batch.
class WordSpan {
public:
    WordSpan() = default;
    /// `step`: bytes from one to the next. Requires: step * count bytes may be read. They need not be aligned.
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

/// Numbers among a call chain's addresses that are none: they say what kind of code the next addresses are in.
namespace callchain {
constexpr std::uint64_t Hypervisor = static_cast<std::uint64_t>(-32);
constexpr std::uint64_t Kernel = static_cast<std::uint64_t>(-128);
constexpr std::uint64_t User = static_cast<std::uint64_t>(-512);
constexpr std::uint64_t UserDeferred = static_cast<std::uint64_t>(-640); ///< The user part was recorded later, elsewhere.
constexpr std::uint64_t Guest = static_cast<std::uint64_t>(-2048);
constexpr std::uint64_t GuestKernel = static_cast<std::uint64_t>(-2176);
constexpr std::uint64_t GuestUser = static_cast<std::uint64_t>(-2560);
constexpr std::uint64_t FirstMarker = static_cast<std::uint64_t>(-4095); ///< This and all above are markers.
constexpr bool isMarker(std::uint64_t word) { return word >= FirstMarker; }
} // namespace callchain

/// What a thread's user-mode state was, for unwinding its stack later.
struct UserState {
    std::uint64_t abi = 0; ///< 0: there were no user registers (a kernel thread); 1: a 32-bit process; 2: a 64-bit one.
    std::uint64_t registerMask = 0; ///< Bit n: the register that perf numbers n was recorded.
    WordSpan registers; ///< Of each bit set, from the lowest. Empty where abi is 0.
    std::span<const std::byte> stack; ///< From the stack pointer up; only what was really copied.
    bool isStackCut = false; ///< There was more stack than was asked for, or nobody knows: the copy is full.
};

/// The calls that a processor keeps of user code while it runs (perf record --call-graph lbr). They stand for the user part of the
/// callchain, whose frame pointers need not be any.
struct RecordedCalls {
    std::uint64_t callee = 0; ///< Where the innermost call led.
    WordSpan sites; ///< The call instructions, innermost first. Empty: none were recorded.
    bool isFull = false; ///< The processor keeps no more of them: there may be callers beyond.
};

/// One sample, as recorded. What was not recorded has its default.
struct SampleView {
    std::uint64_t ip = 0;
    std::uint64_t period = 1; ///< What it stands for: events, or ns of a clock event.
    std::uint64_t address = 0; ///< Of the data that was touched.
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
    CodeMode mode = CodeMode::Unknown;
    bool hasIp = false;
    WordSpan callchain; ///< Innermost first, markers included. Empty: none was recorded, or none was found.
    UserState user;
    RecordedCalls calls;
    std::string_view command; ///< Name of the thread, of samples without a time or a tid. Empty: process records have it by time and tid.
    std::uint32_t stack = 0; ///< Instead of a callchain: index in SampleReader::stacks(). 0: none.
};

/// A frame of the stacks that a recording holds whole: its caller's index, which is lower, and where it is.
struct RecordedFrame {
    std::uint32_t caller = 0;
    ModuleId module = UnknownModule;
    std::uint64_t address = 0; ///< As Module::kind says.
};

/// An event type whose events are samples.
struct SampleEvent {
    EventTypeId type{};
    std::string name; ///< The type's; where several events of a recording have it, with a number from the second on: "cpu-clock#2".
    bool isTime = false; ///< Periods are ns on a CPU.
    bool hasCallchain = false; ///< Callchains were asked for; else the ip is all there is.
    bool hasUserState = false; ///< Registers and stack were: the user frames are not in the callchain.
    bool isCounted = false; ///< Each event stands for as many samples as its period says: they were added up before they were recorded.
    std::uint64_t counted = 0; ///< All of those.
    std::uint64_t divisor = 1; ///< Power of ten by which such counts and periods are multiplied to keep their decimals.
    /// A period is what is counted from its sample to the next one of the same counter, which has what comes after that: so it is with the
    /// kernel's software events at a frequency, where all others say what was counted up to their sample.
    bool areOfNext = false;
    /// Of counters that are read together: the event whose samples they are read with, of all of a group the same. A sample of each that
    /// went on since the last read is among the events; the others stayed where they were.
    std::optional<EventTypeId> readWith{};
    Duration spacing{}; ///< About how long a thread runs from one of its samples to the next; 0: not known.
    /// A tracepoint of which only some were recorded: at a frequency, or one of so many. No states follow from them.
    bool isSampled = false;
};

/// SampleEvent::name without its number.
inline std::string_view withoutNumber(std::string_view name)
{
    const std::size_t mark = name.rfind('#');
    const bool isNumbered = mark != std::string_view::npos && mark + 1 < name.size()
        && name.find_first_not_of("0123456789", mark + 1) == std::string_view::npos;
    return isNumbered ? name.substr(0, mark) : name;
}

/// "sched:sched_switch"; but "cpu-clock:ppp" has modifiers behind its name.
inline bool isTracepoint(std::string_view name)
{
    name = withoutNumber(name);
    const std::size_t colon = name.find(':');
    return colon != std::string_view::npos && name.find_first_not_of("ukhGHpPSDIWeb", colon + 1) != std::string_view::npos;
}

/// The typed door to a trace's samples: what FieldRef would find by name, at once and without copying.
///
/// Owner:   the trace. Threads: any at once.
/// Cost:    read() is about 20 ns: it finds the parts of variable size by walking over them.
class SampleReader {
public:
    virtual ~SampleReader() = default;

    /// By type, ascending.
    virtual std::span<const SampleEvent> events() const = 0;

    /// Whose registers were recorded, as uname -m says: "x86_64", "aarch64". Empty: not known.
    virtual const std::string& machine() const = 0;

    /// Call stacks that the recording holds with their modules; the first stands for none. Empty: samples have callchains.
    virtual std::span<const RecordedFrame> stacks() const { return {}; }

    /// False where the event is no sample. The view's spans are valid as long as the event's batch.
    virtual bool read(const EventView& event, SampleView& sample) const = 0;
};

} // namespace helio
