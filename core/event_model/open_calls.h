#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace helio {

/// Which calls of one thread are open, from entries and exits in time order, whatever their sources.
///
/// An exit closes the innermost open call of its source and function, and with it what was called from there and is still open. Without
/// such a call it is an orphan. Cost: some tens of ns an event; an exit looks at the calls that it closes, but for orphans.
class OpenCalls {
public:
    static constexpr std::size_t MostDepth = 1'000'000;

    /// False: it is too deep and not kept; its exit closes nothing.
    bool enter(std::uint16_t source, std::uint64_t key);

    struct Left {
        std::size_t closed = 0; ///< So many calls, the innermost ones; the outermost of them by its own exit.
        bool isOrphan = false;
    };
    /// `hasKey`: the exit says which function is left, by `key`.
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

    std::vector<Call> m_open; ///< Outermost first.
    /// How many of the calls from Shallow on are open, by source and by function: whether an exit is an orphan, without looking through a
    /// deep stack.
    std::vector<std::uint32_t> m_deepSources;
    std::unordered_map<std::uint64_t, std::uint32_t> m_deepKeys; ///< By source and key, mixed.
    std::map<std::pair<std::uint16_t, std::uint64_t>, std::uint64_t>
        m_beyond; ///< Entries below MostDepth that are still open, by source and key.
};

} // namespace helio
