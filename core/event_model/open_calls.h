#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace helio {

/// Open calls of one thread, reconstructed from entries and exits in time order. A thread may have events of several providers, the
/// sources of its calls (CallType::source).
///
/// An exit closes the innermost open call of its source and function, together with all deeper calls. If no open call matches, the exit is
/// an orphan.
/// Cost: tens of ns per event; an exit walks over the calls that it closes. Orphans are detected without such a walk.
class OpenCalls {
public:
    static constexpr std::size_t MostDepth = 1'000'000;

    /// Opens a call. Returns false if the stack is too deep: the call is only counted, and its exit closes nothing.
    bool enter(std::uint16_t source, std::uint64_t key);

    struct Left {
        /// Number of calls that the exit closed, innermost first; 0 for an orphan. The exit belongs to the last of them.
        std::size_t closed = 0;
        bool isOrphan = false;
    };
    /// Processes the exit of a function. `source`: number of the events' provider. `hasKey`: true if the exit identifies the function by
    /// `key`.
    Left leave(std::uint16_t source, bool hasKey, std::uint64_t key);

    void clear();

private:
    struct Call {
        std::uint64_t key = 0;
        std::uint16_t source = 0;
    };

    static constexpr std::size_t Shallow = 64;

    void pop();
    bool leaveBeyond(std::uint16_t source, bool hasKey, std::uint64_t key);
    bool mayBeDeep(std::uint16_t source, bool hasKey, std::uint64_t key) const;
    std::size_t openOf(std::uint16_t source, bool hasKey, std::uint64_t key) const;
    void countDeep(const Call& call, int change);

    std::vector<Call> m_open; ///< Open calls of the thread, outermost first.
    /// Number of open calls at depth Shallow or deeper, indexed by source (number of the events' provider). Together with m_deepKeys, it
    /// shows without a search through the whole stack that an exit belongs to no open call at these depths.
    std::vector<std::uint32_t> m_deepSources;
    /// Number of open calls at depth Shallow or deeper, keyed by a hash of the call's source (the events' provider) and of the key that
    /// identifies the function.
    std::unordered_map<std::uint64_t, std::uint32_t> m_deepKeys;
    std::map<std::pair<std::uint16_t, std::uint64_t>, std::uint64_t>
        m_beyond; ///< Number of open calls beyond MostDepth, keyed by source (number of the events' provider) and key of the function.
};

} // namespace helio
