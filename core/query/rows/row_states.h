#pragma once

#include "core/store/states.h"
#include "core/store/track_ref.h"

#include <memory>

namespace helio {

struct Timeline;
class Store;

/// The states of a row, and whose they are: for who keeps something about them. A store never changes its sets, so that equal ones are the
/// same without a look at what they have, even when their timeline is gone; unequal ones may have the same states.
struct RowStates {
    const StateSet* set = nullptr; ///< Valid as long as the store; for ever where there is no such row.
    std::weak_ptr<const Store> store;

    bool operator==(const RowStates& other) const
    {
        return set == other.set && !store.owner_before(other.store) && !other.store.owner_before(store);
    }
};
RowStates rowStates(const Timeline& timeline, TrackRef row);

} // namespace helio
