#pragma once

#include "core/event_model/called_functions.h"
#include "core/event_model/open_calls.h"
#include "core/store/states.h"
#include "core/store/store.h"
#include "core/store/track.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace helio::calls {

/// Statistics of calls and exits that could not be matched.
struct UnmatchedCalls {
    std::uint64_t orphans = 0; ///< Number of function exits without an open call that they could close.
    /// Number of calls that were closed without an exit of their own, for example because their caller returned.
    std::uint64_t truncated = 0;
    std::uint64_t open = 0; ///< Number of calls that are still open at the end of the trace; not included in `truncated`.
    std::uint64_t tooDeep = 0; ///< Number of entries deeper than OpenCalls::MostDepth; the store does not contain these calls.
};

/// Output that the call stacks of all threads share.
struct CallOutput {
    StateSink& sink;
    StateSetId states{};
    SegmentKindId calls{};
    std::size_t rows = 0; ///< Number of depth rows of all threads together.
    UnmatchedCalls misses{};
    std::optional<SegmentKindId> cpuTimes{}; ///< Kind CallCpuTimes; nullopt if the trace records no CPU times of calls.
    /// End of the last tick of each row that has ticks, keyed by the row's TrackId; see writeCallEnd().
    std::unordered_map<std::uint32_t, HostTimestamp> tickEnds{};
};

/// Maximum number of depth rows of all threads together. A call at a depth beyond this limit is stored as a segment, but has no row.
constexpr std::size_t MostDepthRows = 200'000;

/// Maximum distance of a tick from its call of duration 0, see writeCallEnd().
constexpr Duration TickReach{1000};

/// A call that has begun and not yet ended. Its segment is written when it ends.
struct BegunCall {
    HostTimestamp begin;
    Duration inCallees{};
    StackId stack = NoStack;
    std::int64_t cpuTime = -1; ///< Recorded CPU time of the thread during the call in ns; -1 if unknown.
};

enum class CallEnding : std::uint8_t { Exit, Truncated, Open };

/// Adds the row for calls at `depth` (0 is the outermost call) below the row `parent`. Its key is `key` followed by "/1" for depth 0, "/2"
/// for depth 1... Returns NoTrack if all threads together already have MostDepthRows rows.
TrackId addDepthRow(CallOutput& out, TrackId parent, const std::string& key, std::size_t depth);

/// Ends the interval of a call on `row`, and writes the call's segment. If `row` is NoTrack, only writes the segment, which then belongs to
/// the row `parent`.
///
/// A call of duration 0 with an exit becomes a tick: an interval of 1 ns in the state WithoutDuration. If calls on the row have the same
/// time, each tick begins where the preceding one ends, and the interval of a longer call begins after the ticks. A tick begins less than
/// TickReach after its call; further calls are not shown.
void writeCallEnd(CallOutput& out, const BegunCall& call, TrackId row, TrackId parent, HostTimestamp at, CallEnding ending);

/// Call stack of one thread. OpenCalls reconstructs it from entries and exits in time order; this class writes it as rows and segments. An
/// exit closes its own call; deeper calls that are still open are truncated.
class CallStack {
public:
    /// `row`: the thread's row. The depth rows are children of `row`; their keys are `key` followed by "/1", "/2"...
    CallStack(TrackId row, std::string key, CallOutput& out)
        : m_row(row)
        , m_key(std::move(key))
        , m_out(&out)
    {
    }

    /// `cpuTime`: BegunCall::cpuTime.
    void enter(HostTimestamp at, const RecordedFunction& function, std::int64_t cpuTime = -1);
    /// Processes the exit of a function. `source`: number of the events' provider (CallType::source). `hasKey`: true if the exit identifies
    /// the function by `key`. `cpuTime`: BegunCall::cpuTime if only the exit tells it.
    void leave(HostTimestamp at, std::uint16_t source, bool hasKey, std::uint64_t key, std::int64_t cpuTime = -1);
    /// Closes all open calls as truncated, for example because events were lost.
    void truncate(HostTimestamp at);
    /// Closes all open calls at the end of the trace. Their rows show that the calls are still open.
    void finish(HostTimestamp at);
    /// Returns the row of the innermost open call; the thread's row if no call is open or the innermost one has no row.
    TrackId innermostRow() const { return m_open.empty() || m_open.size() > m_depths.size() ? m_row : m_depths[m_open.size() - 1]; }

private:
    TrackId depthRow(std::size_t depth);
    void pop(HostTimestamp at, CallEnding ending);

    TrackId m_row;
    std::string m_key;
    CallOutput* m_out;
    OpenCalls m_calls;
    /// Begin, stack and time in callees of each call in m_calls, outermost first. They are written when the call ends.
    std::vector<BegunCall> m_open;
    std::vector<TrackId> m_depths; ///< Rows of the call depths, outermost first.
};

constexpr State Called{0};
constexpr State Truncated{1}; ///< State of a call that was closed without an exit of its own.
constexpr State StillOpen{2}; ///< State of a call that is still open at the end of the trace.

constexpr State WithoutDuration{3}; ///< State of a call that returned at the time at which it was entered.

constexpr std::string_view CallStates = "calls"; ///< Id of the state set of the depth rows.

/// Returns the state set of the depth rows.
StateSet callStates();

} // namespace helio::calls
