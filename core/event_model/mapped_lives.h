#pragma once

#include "core/base/time.h"
#include "core/trace/process/module.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace helio {

/// That a module lay at addresses of one process for some time.
struct MappedLife {
    std::uint64_t begin = 0; ///< Addresses.
    std::uint64_t end = 0;
    HostRange life{};
    ModuleId module = UnknownModule;
};

/// Finds what lay at an address at a time, however often the same place was used. A value. One thread at a time writes, any read.
/// Cost: of making it n log n, in bytes some 60 for each life, more where their addresses lie across each other; of each question
/// log n * log n.
class MappedLives {
public:
    MappedLives() = default;
    explicit MappedLives(std::vector<MappedLife> all);

    /// What lay there then, of several the one that came last. `at` may be its end. Null: nothing.
    const MappedLife* at(std::uint64_t address, HostTimestamp at) const;
    /// What came there first after that. Null: nothing.
    const MappedLife* after(std::uint64_t address, HostTimestamp at) const;
    /// What was gone there last before that. Null: nothing.
    const MappedLife* before(std::uint64_t address, HostTimestamp at) const;

private:
    /// Lives that have all addresses of a stretch.
    struct Stretch {
        std::vector<std::uint32_t> byBegin; ///< Of their time, as the next.
        std::vector<std::uint32_t> byEnd;
        std::vector<HostTimestamp> latest; ///< A tree above byBegin: the latest end below each node. Node 1 is the root.
    };

    void add(std::uint32_t life);
    void finish(Stretch& stretch) const;
    static std::optional<std::size_t> lastThere(const Stretch& stretch, std::size_t count, HostTimestamp at);
    template <typename Take> void eachStretch(std::uint64_t address, const Take& take) const;

    std::vector<MappedLife> m_all;
    std::vector<std::uint64_t> m_edges; ///< Where any begins or ends.
    std::vector<Stretch>
        m_stretches; ///< A tree: the last ones lie between two edges each, those above at i are of those at 2 i and 2 i + 1.
};

} // namespace helio
