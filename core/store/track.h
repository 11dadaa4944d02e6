#pragma once

#include "core/base/time.h"
#include "core/store/states.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Index of a track in its store; dense.
enum class TrackId : std::uint32_t {};
constexpr TrackId NoTrack{0xffffffff};

/// Index of a text in its store's string table. 0 is the empty text.
enum class StringId : std::uint32_t {};

/// A state's number in its state set, 0 to 31.
enum class State : std::uint8_t {};

/// Index of a state set in its store.
enum class StateSetId : std::uint8_t {};

/// State masks are 32-bit words.
constexpr std::size_t MostStates = 32;

/// What the `value` of an interval means. Stored: only ever added to.
enum class ValueKind : std::uint8_t {
    None,
    Text, ///< A StringId: system call, handler name...
    Track, ///< The TrackId of a track of the same store: a thread, a process.
    Number, ///< A plain number (kHz, priority), signed in its 32 bits; for these the state is 0 and the mask says nothing.
    Integer, ///< An index of the store's wide numbers, a signed 64-bit one.
    Real, ///< The same of a double.
    Frame, ///< The StackId of a call stack of the store: the function that it ends with.
    Any, ///< An integer, a double or a text, as the value itself says: AnyValue.
};
constexpr ValueKind LastValueKind = ValueKind::Any;

/// A store holds at most so many different wide numbers: 128 MiB.
constexpr std::size_t MostNumbers = std::size_t(1) << 24;

/// What a track is, for whoever asks without knowing the analysis that made it. Stored: only ever added to.
enum class TrackRole : std::uint8_t {
    Other,
    Thread,
    Cpu,
    Interrupt, ///< One source of interrupts, on one CPU or over all.
    // Attributes of those, their children:
    CpuThread, ///< Of a CPU: the thread that it has, by value, in the states that are on a CPU.
    Name, ///< Of a thread: the names that it had.
    Priority, ///< Of a thread: numbers.
    SamplesUser, ///< A tick for each sample, by what it was taken in.
    SamplesKernel,
    SamplesOther,
    SamplesEvents, ///< Of other events.
    Events, ///< Of a thread: a tick for each event.
    // What samples are of. Not shown themselves: samples belong to the rows of the same threads and CPUs, which other stores may have.
    SampledThread, ///< All lives of a tid.
    SampledCpu,
    Group, ///< A row without states of its own: it is there as long as any below it.
    Frequency, ///< Of a CPU: how fast it runs, in kHz.
    /// Attribute of a thread: its number in a PID namespace below the host's. `tid` is that number, `key` "NUMBER@NAMESPACE"; no intervals.
    NumberInNamespace,
};
constexpr TrackRole LastRole = TrackRole::NumberInNamespace;

/// How the intervals of a track are drawn.
enum class Band : std::uint8_t {
    Bars, ///< In a row of its own.
    Line, ///< Numbers: no row, but a line below the bars of its parent, in five steps up to the largest of its kind. Its only state's
          ///< colour names a ramp of the themes ("freq") or one colour.
};

/// One row of time: an attribute of the traced machine that has a state at each moment of its life.
struct Track {
    std::string view; ///< "control-flow", "resources"...; empty: attribute of its parent, not drawn.
    TrackRole role = TrackRole::Other;
    std::string kind; ///< The role in the analysis's words: "thread", "irq", "softirq".
    std::string key; ///< Unique in its view in its store: "tid:1234#2", "cpu:0/irq:43".
    std::string label; ///< As shown: the last name.
    TrackId parent = NoTrack; ///< NoTrack: top level.
    StateSetId states{};
    ValueKind valueKind = ValueKind::None;
    Band band = Band::Bars;
    std::int32_t pid = -1; ///< -1: none or unknown.
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
    std::int32_t sortKey = 0; ///< Order among siblings.
    HostRange life{}; ///< First interval's begin, last interval's end.
    std::uint64_t intervals = 0;
    bool isKernelThread = false;
};

/// One state interval, as recorded.
template <typename Time> struct BasicInterval {
    Range<Time> range;
    State state{};
    std::uint32_t value = 0;
    bool operator==(const BasicInterval&) const = default;
};
using HostInterval = BasicInterval<HostTimestamp>;
using Interval = BasicInterval<Timestamp>;

/// What one track did over one stretch of screen.
///
/// count == 1: one interval, or the visible part of it; `state` and `value` are its own.
/// count > 1:  that many intervals, folded, in a stretch never wider than the asked resolution. `state` and `value` are those of
///             the longest of them; the shares of each state are right for `range` to 2/255.
template <typename Time> struct BasicSpan {
    Range<Time> range;
    Duration longest{}; ///< Length of the longest interval (whole, not cut) that state and value are of.
    std::uint32_t count = 1;
    std::uint32_t value = 0;
    std::uint32_t mask = 0; ///< Bit n: state n is present.
    std::uint32_t firstShare = 0; ///< Index of the first of popcount(mask) shares, by ascending state.
    State state{};
};

/// The answer to a query: spans in time order that do not overlap. Gaps are stretches where the track did not exist.
template <typename Time> struct BasicSpans {
    std::vector<BasicSpan<Time>> spans;
    std::vector<std::uint8_t> shares; ///< In 255ths of the span's range; folded spans only. May sum to less than 255
                                      ///< where the track did not exist for part of the range.
    void clear()
    {
        spans.clear();
        shares.clear();
    }
};
using HostSpan = BasicSpan<HostTimestamp>;
using HostSpans = BasicSpans<HostTimestamp>;
using Span = BasicSpan<Timestamp>;
using Spans = BasicSpans<Timestamp>;

} // namespace helio
