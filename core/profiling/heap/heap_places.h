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

/// A place in code that uses memory.
struct HeapPlace {
    std::string function;
    std::string module;
    std::string file;
    std::uint32_t line = 0;
    auto operator<=>(const HeapPlace&) const = default;
};

/// The places that stacks of allocations stand for, numbered. One thread, but the UI's: reads symbols.
class HeapPlaces {
public:
    HeapPlaces(const Timeline& timeline, HeapGrouping grouping);

    /// The same place has the same number, in all stores. Cost: a look-up, but for stacks not met before.
    std::uint32_t indexOf(StoreIndex store, StackId stack);
    const HeapPlace& at(std::uint32_t index) const { return *m_places[index]; }

private:
    HeapPlace placeOf(StoreIndex store, StackId stack) const;
    HeapPlace functionOf(StoreIndex store, StackId stack) const;
    HeapPlace lineOf(StoreIndex store, StackId stack) const;

    const Timeline& m_timeline;
    HeapGrouping m_grouping;
    std::optional<CallNames> m_names; ///< Where functions are asked for.
    std::map<HeapPlace, std::uint32_t> m_indices;
    std::vector<const HeapPlace*> m_places; ///< Those, by number.
    std::map<std::pair<StoreIndex, StackId>, std::uint32_t> m_byStack;
};

} // namespace helio
