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

/// Index of a text in its store's string table; 0 is the empty text.
enum class StringId : std::uint32_t {};

/// A state's number in its state set, 0 to 31.
enum class State : std::uint8_t {};

/// Index of a state set in its store.
enum class StateSetId : std::uint8_t {};

/// Limit on the states of a set: states are kept as bits of 32-bit masks.
constexpr std::size_t MostStates = 32;

/// Type and meaning of the `value` of an interval. The numbers are stored in files: append only.
enum class ValueKind : std::uint8_t {
    None,
    Text, ///< StringId of a text, e.g. the name of a system call or a handler.
    Track, ///< TrackId of a track in the same store, e.g. a thread or a process.
    Number, ///< A signed 32-bit number, e.g. kHz or a priority. The state is then always 0, and state masks carry no information.
    Integer, ///< Index of a signed 64-bit integer in the store's wide numbers.
    Real, ///< Index of a double in the store's wide numbers.
    Frame, ///< StackId of a call stack in the store; the value stands for its innermost frame.
    Any, ///< An integer, a double or a text; AnyValue tells which.
};
constexpr ValueKind LastValueKind = ValueKind::Any;

/// Maximum number of different wide numbers in a store (128 MiB).
constexpr std::size_t MostNumbers = std::size_t(1) << 24;

/// Role of a track, for code that does not know the analysis that made it. The numbers are stored in files: append only.
enum class TrackRole : std::uint8_t {
    Other,
    Thread,
    Cpu,
    Interrupt, ///< One source of interrupts, on one CPU or on all.
    // Attributes of threads and CPUs, which are their children:
    CpuThread, ///< Attribute of a CPU: the thread on it, as the value of its on-CPU states.
    Name, ///< Attribute of a thread: the names that it had.
    Priority, ///< Attribute of a thread: its priorities, as numbers.
    SamplesUser, ///< A tick for each sample; the role tells the mode in which the sample was taken.
    SamplesKernel,
    SamplesOther,
    SamplesEvents, ///< A tick for each sample of another event.
    Events, ///< Attribute of a thread: a tick for each event.
    // Tracks that samples refer to. They are not shown: their samples belong to the rows of the same threads and CPUs, which may be in
    // other stores.
    SampledThread, ///< A tid, over all threads that had it.
    SampledCpu,
    Group, ///< A row without states of its own, which exists as long as any row below it.
    Frequency, ///< Attribute of a CPU: its frequency in kHz.
    /// Attribute of a thread: its tid in a PID namespace below that of the host. `tid` is that number, `key` is "NUMBER@NAMESPACE"; there
    /// are no intervals.
    NamespaceTid,
};
constexpr TrackRole LastRole = TrackRole::NamespaceTid;

/// Form in which the intervals of a track are drawn.
enum class TrackDrawing : std::uint8_t {
    Bars, ///< Bars in a row of their own.
    Line, ///< For numbers: no row, but a line below the parent's bars, in five steps up to the largest number of the track's kind. The
          ///< colour of its only state names a ramp of the themes ("freq") or one colour.
};

/// One row on the time axis: an attribute of the traced machine that has a state at each moment of its life.
struct Track {
    std::string view; ///< View that shows the track, e.g. "control-flow" or "resources"; empty if it is an attribute of its parent and not
                      ///< drawn.
    TrackRole role = TrackRole::Other;
    std::string kind; ///< Name of the role in the analysis's terms, e.g. "thread", "irq", "softirq".
    std::string key; ///< Unique in its view and store, e.g. "tid:1234#2" or "cpu:0/irq:43".
    std::string label; ///< Label shown to the user: the latest name.
    TrackId parent = NoTrack; ///< NoTrack for a top-level track.
    StateSetId states{};
    ValueKind valueKind = ValueKind::None;
    TrackDrawing band = TrackDrawing::Bars;
    std::int32_t pid = -1; ///< -1 if none or unknown; also for tid and cpu.
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
    std::int32_t sortKey = 0; ///< Sorts the track among its siblings.
    HostRange life{}; ///< Begin of the first interval to end of the last one.
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

/// Part of a track's intervals as drawn at some resolution.
///
/// count == 1: one interval, or its visible part, with its `state` and `value`.
/// count > 1: that many intervals, folded; their range is at most one resolution wide. `state` and `value` are those of the longest
/// interval; the share of each state is exact to 2/255 of `range`.
template <typename Time> struct BasicSpan {
    Range<Time> range;
    Duration longest{}; ///< Uncut length of the interval that `state` and `value` come from.
    std::uint32_t count = 1;
    std::uint32_t value = 0;
    std::uint32_t mask = 0; ///< Bit n is set if state n is present.
    std::uint32_t firstShare = 0; ///< Index in BasicSpans::shares of the first of popcount(mask) shares, by ascending state.
    State state{};
};

/// Result of a span query: spans in time order, without overlaps. Between them the track did not exist.
template <typename Time> struct BasicSpans {
    std::vector<BasicSpan<Time>> spans;
    std::vector<std::uint8_t> shares; ///< Shares of folded spans, in 255ths of the span's range. The shares of a span sum to less than 255
                                      ///< if the track did not exist for part of its range.
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
