#pragma once

#include "core/symbol/unwinding/unwinder.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace helio {

/// Cache of unwound stacks of one trace, by the events of their samples: unwinding takes 10 us per sample, and every selected range needs
/// it again. Callers that samples share are stored once.
///
/// Threads: any thread at once.
/// Memory: 40 bytes per sample and 100 bytes per node in the tree of callers; stacks beyond the limits are not stored.
class UnwoundStacks {
public:
    static constexpr std::size_t MostSamples = 1u << 22;
    static constexpr std::size_t MostFrames = 1u << 20;

    std::optional<UnwoundStack> find(std::uint64_t event) const;
    void add(std::uint64_t event, const UnwoundStack& stack);

private:
    struct Frame {
        std::uint32_t caller; ///< Index of the caller in m_frames; 0 if none.
        UnwoundFrame frame;
    };
    using Key = std::tuple<std::uint32_t, ModuleId, std::uint64_t, std::uint64_t, bool, bool>;

    mutable std::mutex m_mutex;
    std::vector<Frame> m_frames = std::vector<Frame>(1); ///< Tree of callers; entry 0 stands for none.
    std::map<Key, std::uint32_t> m_numbers;
    /// Index of the innermost frame and end of the stack, by event.
    std::unordered_map<std::uint64_t, std::pair<std::uint32_t, UnwindEnd>> m_stacks;
};

} // namespace helio
