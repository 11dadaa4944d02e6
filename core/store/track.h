#pragma once

#include "core/base/time.h"
#include "core/store/states.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Index of a track in its store; indices are dense.
enum class TrackId : std::uint32_t {};
constexpr TrackId NoTrack{0xffffffff};

/// Index of a text in its store's string table; 0 is the empty text.
enum class StringId : std::uint32_t {};

/// Number of a state in its state set, 0 to 31.
enum class State : std::uint8_t {};

/// Index of a state set in its store.
enum class StateSetId : std::uint8_t {};

/// Maximum number of states in a set: subsets are 32-bit masks.
constexpr std::size_t MostStates = 32;

/// Type and meaning of the `value` of an interval. The numbers are stored in files: only append.
enum class ValueKind : std::uint8_t {
    None,
    Text, ///< StringId of a text, for example the name of a system call or a handler.
    Track, ///< TrackId of a track in the same store, for example a thread or a process.
    Number, ///< Signed 32-bit number, for example kHz or a priority. The state is then always 0, and state masks contain no information.
    Integer, ///< Index of a signed 64-bit integer in the store's table of 64-bit numbers.
    Real, ///< Index of a double in the store's table of 64-bit numbers.
    Frame, ///< StackId of a call stack in the store; the value represents its innermost frame.
    Any, ///< An integer, a double or a text; AnyValue says which.
};
constexpr ValueKind LastValueKind = ValueKind::Any;

/// Maximum number of different 64-bit numbers in a store (128 MiB).
constexpr std::size_t MostNumbers = std::size_t(1) << 24;

/// Role of a track, for code that is independent of the analysis that created the track. The numbers are stored in files: only append.
enum class TrackRole : std::uint8_t {
    Other,
    Thread,
    Cpu,
    Interrupt, ///< One interrupt source, on one CPU or on all CPUs.
    // Child tracks of threads and CPUs. Each of them shows one attribute of its parent. An attribute may consist of ticks:
    // intervals of 1 ns that mark one sample or event each.
    CpuThread, ///< Attribute of a CPU: the current thread, as the value of the on-CPU states.
    Name, ///< Attribute of a thread: its names over time.
    Priority, ///< Attribute of a thread: its priorities over time, as numbers.
    SamplesUser, ///< Ticks of the samples that were taken in user mode (SamplesKernel: in kernel mode; SamplesOther: in other modes).
    SamplesKernel,
    SamplesOther,
    /// Ticks of the samples of event types that do not measure CPU time. The event type that measures CPU time has the roles
    /// SamplesUser, SamplesKernel and SamplesOther.
    SamplesEvents,
    Events, ///< Attribute of a thread: one tick for each of its events.
    // Tracks to which samples refer. No view shows these tracks: the samples are shown on the rows of the same threads and CPUs,
    // which may be in other stores.
    SampledThread, ///< A tid. If several threads had this tid one after the other, one track stands for all of them.
    SampledCpu,
    Group, ///< A row without states of its own, which exists while any of its child rows exists.
    Frequency, ///< Attribute of a CPU: its frequency in kHz.
    /// Attribute of a thread: its tid in a PID namespace below the host's. The track has no intervals; `tid` is the tid in the namespace,
    /// `key` is "NUMBER@NAMESPACE".
    NamespaceTid,
};
constexpr TrackRole LastRole = TrackRole::NamespaceTid;

/// Form in which a view draws the intervals of a track.
enum class TrackDrawing : std::uint8_t {
    Bars, ///< Bars in a row of their own.
    /// For tracks of numbers: the track has no row of its own. A line below the bars of its parent row shows the numbers in five colours;
    /// the last colour is for the largest number of all tracks of this kind. The colour of the track's only state names a colour ramp of
    /// the themes ("freq") or a single colour.
    Line,
};

/// A row on the time axis: an attribute of the traced machine that has one state at a time.
struct Track {
    /// Id of the view that shows the track, for example "control-flow" or "resources". Empty if no view shows the track as a row, because
    /// it is an attribute of its parent.
    std::string view;
    TrackRole role = TrackRole::Other;
    std::string kind; ///< Name of the role in terms of the analysis, for example "thread", "irq", "softirq".
    std::string key; ///< Stable identifier, unique in its view and store, for example "tid:1234#2" or "cpu:0/irq:43".
    std::string label; ///< Label for the user: the latest name.
    TrackId parent = NoTrack; ///< Parent track; NoTrack for a top-level track.
    StateSetId states{};
    ValueKind valueKind = ValueKind::None;
    TrackDrawing band = TrackDrawing::Bars;
    std::int32_t pid = -1; ///< Process id; pid, tid and cpu are -1 if unknown or not applicable.
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
    std::int32_t sortKey = 0; ///< Sort key of the track among its siblings, ascending.
    HostRange life{}; ///< Lifetime: begin of the first interval to end of the last one.
    std::uint64_t intervals = 0;
    bool isKernelThread = false;
};

/// A state interval as recorded.
template <typename Time> struct BasicInterval {
    Range<Time> range;
    State state{};
    std::uint32_t value = 0;
    bool operator==(const BasicInterval&) const = default;
};
using HostInterval = BasicInterval<HostTimestamp>;
using Interval = BasicInterval<Timestamp>;

/// Drawn interval of a track at some resolution: a single interval, or several short ones folded together.
///
/// count == 1: one interval, or its part in the time range, with its `state` and `value`. count > 1: `count` folded intervals in a range of
/// at most one resolution. `state` and `value` are those of the longest interval; the share of each state is exact to 2/255 of `range`.
template <typename Time> struct BasicSpan {
    Range<Time> range;
    Duration longest{}; ///< Length of the interval that `state` and `value` come from, not cut at the time range.
    std::uint32_t count = 1;
    std::uint32_t value = 0;
    std::uint32_t mask = 0; ///< State mask: bit n is set if state n occurs in the span.
    /// Index into BasicSpans::shares of the span's first share. The span has popcount(mask) shares, by ascending state.
    std::uint32_t firstShare = 0;
    State state{};
};

/// Result of a span query: spans in time order, without overlaps. The track did not exist between spans that do not touch.
template <typename Time> struct BasicSpans {
    std::vector<BasicSpan<Time>> spans;
    /// Shares of folded spans, in 255ths of the span's range. The shares of a span sum to less than 255 if the track did not exist for
    /// part of its range.
    std::vector<std::uint8_t> shares;
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
