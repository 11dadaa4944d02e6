#pragma once

#include "core/event_model/called_functions.h"
#include "core/event_model/open_calls.h"
#include "core/store/states.h"
#include "core/store/store.h"
#include "core/store/track.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio::calls {

/// Counts of calls and exits that could not be matched.
struct UnmatchedCalls {
    std::uint64_t orphans = 0; ///< Exits without an open call to close.
    std::uint64_t truncated = 0; ///< Calls closed without an exit of their own, e.g. because their caller was left.
    std::uint64_t open = 0; ///< Calls that are still open at the end of the trace; not counted as truncated.
    std::uint64_t tooDeep = 0; ///< Entries deeper than OpenCalls::MostDepth; the store does not contain them.
};

/// The output of the call stacks of all threads.
struct CallOutput {
    StateSink& sink;
    StateSetId states{};
    SegmentKindId calls{};
    std::size_t rows = 0; ///< Count of depth rows of all threads together.
    UnmatchedCalls misses;
};

/// The call stack of one thread, reconstructed by OpenCalls from entries and exits in time order, and written as rows and segments. An exit
/// closes its own call; calls below it that are still open are truncated.
class CallStack {
public:
    /// Upper limit of depth rows, over all threads. Calls at further depths have no row of their own; their segments are kept.
    static constexpr std::size_t MostRows = 200'000;

    /// `row`: the thread's row. Rows of depths are its children; their keys are `key` followed by "/1", "/2"...
    CallStack(TrackId row, std::string key, CallOutput& out)
        : m_row(row)
        , m_key(std::move(key))
        , m_out(&out)
    {
    }

    void enter(HostTimestamp at, const RecordedFunction& function);
    /// Takes the exit of a function. `hasKey`: true if the exit identifies the function, by `key`.
    void leave(HostTimestamp at, std::uint16_t source, bool hasKey, std::uint64_t key);
    /// Closes all open calls as truncated, e.g. because events were lost.
    void truncate(HostTimestamp at);
    /// Ends the trace: open calls are marked as still open.
    void finish(HostTimestamp at);

private:
    struct Call {
        HostTimestamp begin;
        Duration inCallees{};
        StackId stack = NoStack;
    };
    enum class End : std::uint8_t { Exit, Truncated, Open };

    TrackId depthRow(std::size_t depth);
    void pop(HostTimestamp at, End end);

    TrackId m_row;
    std::string m_key;
    CallOutput* m_out;
    OpenCalls m_calls;
    std::vector<Call> m_open; ///< The calls of m_calls with what is needed to write them, outermost first.
    std::vector<TrackId> m_depths; ///< Rows of the depths, outermost first.
};

constexpr State Called{0};
constexpr State Truncated{1}; ///< Call that was closed without an exit of its own.
constexpr State StillOpen{2}; ///< Call that is still open at the end of the trace.

/// Returns the state set of the rows of depths.
StateSet callStates();

} // namespace helio::calls
