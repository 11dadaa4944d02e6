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

/// Stacks of one trace that were unwound once, by their samples' events: unwinding takes 10 us a sample, and every selected range asks
/// again. Callers that samples share are kept once.
///
/// Threads: any at once. Memory: 40 bytes a sample and 100 a place in the tree of callers; what comes after the limits is not kept.
class UnwoundStacks {
public:
    static constexpr std::size_t MostSamples = 1u << 22;
    static constexpr std::size_t MostFrames = 1u << 20;

    std::optional<UnwoundStack> find(std::uint64_t event) const;
    void add(std::uint64_t event, const UnwoundStack& stack);

private:
    struct Frame {
        std::uint32_t caller; ///< 0: none.
        UnwoundFrame frame;
    };
    using Key = std::tuple<std::uint32_t, ModuleId, std::uint64_t, std::uint64_t, bool, bool>;

    mutable std::mutex m_mutex;
    std::vector<Frame> m_frames = std::vector<Frame>(1); ///< Number 0 stands for none.
    std::map<Key, std::uint32_t> m_numbers;
    std::unordered_map<std::uint64_t, std::pair<std::uint32_t, UnwindEnd>> m_stacks; ///< By event: the innermost frame.
};

} // namespace helio
