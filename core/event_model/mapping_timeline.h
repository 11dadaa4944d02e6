#pragma once

#include "core/base/time.h"
#include "core/trace/process/module.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace helio {

/// A mapping: a module at an address range of one process, with the time range for which it was mapped.
struct ModuleMapping {
    std::uint64_t begin = 0; ///< First address; `end` is the address past the last one.
    std::uint64_t end = 0;
    HostRange life{};
    ModuleId module = UnknownModule;
};

/// Finds the mapping at an address and a time, however often the addresses were reused. A value type.
///
/// Threads: one at a time writes, any read.
/// Cost: construction n log n, and about 60 bytes for each mapping, more if address ranges overlap partly; each query log n * log n.
class MappingTimeline {
public:
    MappingTimeline() = default;
    explicit MappingTimeline(std::vector<ModuleMapping> all);

    /// Returns the mapping at that address and time; of several, the one that began last. The end of a mapping counts as part of it.
    /// nullptr if none.
    const ModuleMapping* at(std::uint64_t address, HostTimestamp at) const;
    /// Returns the mapping that begins first after that time at that address; nullptr if none.
    const ModuleMapping* after(std::uint64_t address, HostTimestamp at) const;
    /// Returns the mapping that ended last before that time at that address; nullptr if none.
    const ModuleMapping* before(std::uint64_t address, HostTimestamp at) const;

private:
    /// A node of the segment tree over addresses: the mappings that cover all addresses of the node.
    struct Node {
        std::vector<std::uint32_t> byBegin; ///< Indices into m_all, sorted by the beginning of the time range; byEnd by its end.
        std::vector<std::uint32_t> byEnd;
        /// A binary tree over byBegin with the latest end of the time range below each node; node 1 is the root.
        std::vector<HostTimestamp> latest;
    };

    void add(std::uint32_t life);
    void finish(Node& stretch) const;
    static std::optional<std::size_t> findLastReaching(const Node& stretch, std::size_t count, HostTimestamp at);
    template <typename Take> void forEachNode(std::uint64_t address, const Take& take) const;

    std::vector<ModuleMapping> m_all;
    std::vector<std::uint64_t> m_edges; ///< Addresses where mappings begin or end, ascending.
    /// A segment tree in an array: a leaf lies between two neighbouring edges; node i covers its children 2 i and 2 i + 1.
    std::vector<Node> m_nodes;
};

} // namespace helio
