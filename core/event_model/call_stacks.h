#pragma once

#include "core/event_model/called_functions.h"
#include "core/event_model/open_calls.h"
#include "core/store/store.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio::calls {

/// How often calls were not closed by an exit of their own.
struct CallMisses {
    std::uint64_t orphans = 0; ///< Exits of calls that are not open.
    std::uint64_t truncated = 0; ///< Calls whose exit was never seen.
    std::uint64_t open = 0; ///< Those still open at the trace's end, which are not truncated.
    std::uint64_t tooDeep = 0; ///< Entries below OpenCalls::MostDepth: they are not in the store.
};

/// Where the stacks of all threads are written to.
struct CallOutput {
    StateSink& sink;
    StateSetId states{};
    SegmentKindId calls{};
    std::size_t rows = 0; ///< Rows of depths, of all threads together.
    CallMisses misses;
};

/// The call stack of one thread, from entries and exits in time order, as OpenCalls matches them: written down as rows and segments.
/// What an exit closes beside its own call is truncated.
class CallStack {
public:
    static constexpr std::size_t MostRows = 200'000; ///< Of all threads: Calls below have no row: they are segments alone.

    /// `row`: the thread's. Depths hang below it: its key and "/1", "/2"...
    CallStack(TrackId row, std::string key, CallOutput& out)
        : m_row(row)
        , m_key(std::move(key))
        , m_out(&out)
    {
    }

    void enter(HostTimestamp at, const RecordedFunction& function);
    /// `hasKey`: the exit says which function is left, by `key`.
    void leave(HostTimestamp at, std::uint16_t source, bool hasKey, std::uint64_t key);
    /// Nobody knows any more what is open.
    void truncate(HostTimestamp at);
    /// The trace ends: what is open stays so.
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
    std::vector<Call> m_open; ///< The same calls, outermost first.
    std::vector<TrackId> m_depths; ///< Their rows.
};

} // namespace helio::calls
