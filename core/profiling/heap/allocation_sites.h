#pragma once

#include "core/profiling/calls/call_names.h"
#include "core/profiling/heap/heap_use.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace helio {

/// Code that uses memory: a function or a source line, depending on HeapGrouping.
struct AllocationSite {
    std::string function;
    std::string module;
    std::string file;
    std::uint32_t line = 0;
    auto operator<=>(const AllocationSite&) const = default;
};

/// Numbers the functions or source lines of allocation stacks.
/// Threads: one thread, not the UI thread: reads symbols.
class AllocationSites {
public:
    AllocationSites(const Timeline& timeline, HeapGrouping grouping);

    /// Returns the number of a stack's code; equal in all stores for the same code.
    /// Cost: a look-up; more for stacks not met before.
    std::uint32_t indexOf(StoreIndex store, StackId stack);
    const AllocationSite& at(std::uint32_t index) const { return *m_places[index]; }

private:
    AllocationSite placeOf(StoreIndex store, StackId stack) const;
    AllocationSite functionOf(StoreIndex store, StackId stack) const;
    AllocationSite lineOf(StoreIndex store, StackId stack) const;

    const Timeline& m_timeline;
    HeapGrouping m_grouping;
    std::optional<CallNames> m_names; ///< Set if functions are needed.
    std::map<AllocationSite, std::uint32_t> m_indices;
    std::vector<const AllocationSite*> m_places; ///< Keys of m_indices, by number.
    std::map<std::pair<StoreIndex, StackId>, std::uint32_t> m_byStack;
};

} // namespace helio
