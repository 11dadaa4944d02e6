#pragma once

#include "core/store/states.h"
#include "core/store/track_ref.h"

#include <memory>

namespace helio {

struct Timeline;
class Store;

/// Identifies the states of a row, for callers that cache something about them. A store never changes its sets: if two RowStates are
/// equal, so are the states, even after their timeline is gone. Unequal ones may still have the same states.
struct RowStates {
    const StateSet* set = nullptr; ///< Valid as long as the store; valid forever if there is no such row.
    std::weak_ptr<const Store> store;

    bool operator==(const RowStates& other) const
    {
        return set == other.set && !store.owner_before(other.store) && !other.store.owner_before(store);
    }
};
RowStates rowStates(const Timeline& timeline, TrackRef row);

} // namespace helio
