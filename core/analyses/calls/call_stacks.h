#pragma once

#include "core/store/store.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio::calls {

/// A function as the events of one source name it.
struct Function {
    StackFrame frame;
    std::uint64_t key = 0; ///< What an exit of the same source names it by.
    std::uint16_t source = 0;
};

/// How often calls were not closed by an exit of their own.
struct CallMisses {
    std::uint64_t orphans = 0; ///< Exits of calls that are not open.
    std::uint64_t truncated = 0; ///< Calls whose exit was never seen.
    std::uint64_t open = 0; ///< Those still open at the trace's end, which are not truncated.
    std::uint64_t tooDeep = 0; ///< Entries below MostDepth: they are not in the store.
};

/// Where the stacks of all threads are written to.
struct CallOutput {
    StateSink& sink;
    StateSetId states{};
    SegmentKindId calls{};
    std::size_t rows = 0; ///< Rows of depths, of all threads together.
    CallMisses misses;
};

/// The call stack of one thread, from entries and exits in time order, whatever their sources.
///
/// An exit closes the innermost open call of its source and function; what was called from there and is still open is truncated with it.
/// Without such a call it is an orphan. Cost: some tens of ns an event; an exit looks at the calls that it closes, but for orphans.
class CallStack {
public:
    static constexpr std::size_t MostDepth = 1'000'000;
    static constexpr std::size_t MostRows = 2'000'000; ///< Calls below have no row: they are segments alone.

    /// `row`: the thread's. Depths hang below it: its key and "/1", "/2"...
    CallStack(TrackId row, std::string key, CallOutput& out)
        : m_row(row)
        , m_key(std::move(key))
        , m_out(&out)
    {
    }

    void enter(HostTimestamp at, const Function& function);
    /// `hasKey`: the exit says which function is left, by `key`.
    void leave(HostTimestamp at, std::uint16_t source, bool hasKey, std::uint64_t key);
    /// Nobody knows any more what is open.
    void truncate(HostTimestamp at);
    /// The trace ends: what is open stays so.
    void finish(HostTimestamp at);

    bool isEmpty() const { return m_open.empty(); }

private:
    struct Call {
        HostTimestamp begin;
        Duration inCallees{};
        std::uint64_t key = 0;
        StackId stack = NoStack;
        std::uint16_t source = 0;
    };
    enum class End : std::uint8_t { Exit, Truncated, Open };

    TrackId depthRow(std::size_t depth);
    void pop(HostTimestamp at, End end);
    static constexpr std::size_t Shallow = 64;

    bool mayBeDeep(std::uint16_t source, bool hasKey, std::uint64_t key) const;
    std::size_t openOf(std::uint16_t source, bool hasKey, std::uint64_t key) const;
    void countDeep(const Call& call, int change);

    TrackId m_row;
    std::string m_key;
    CallOutput* m_out;
    std::vector<Call> m_open; ///< Outermost first.
    std::vector<TrackId> m_depths; ///< Their rows.
    /// How many of the calls from Shallow on are open, by source and by function: whether an exit is an orphan, without looking through a
    /// deep stack. Of another source's function of the same number the search is longer, no worse.
    std::vector<std::uint32_t> m_deepSources;
    std::unordered_map<std::uint64_t, std::uint32_t> m_deepKeys;
    std::uint64_t m_beyond = 0; ///< Entries below MostDepth that are still open.
};

} // namespace helio::calls
