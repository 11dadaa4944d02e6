#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace helio {

/// Maximum number of items kept for sorting: about 100 MB for pairs of events.
constexpr std::size_t MostKeptInOrder = 1'000'000;

/// Calls `take` for all items in order of their start times (Item::range.begin); items with equal start times keep their order.
/// `scan(take)` must call its argument for all items, in the same order each time. Returns early once `stop` is requested.
/// Memory: `most` items.
/// Cost: one call of `scan` for every `most` items.
template <typename Item, typename Scan, typename Take>
void forEachByBegin(const Scan& scan, const Take& take, const std::stop_token& stop = {}, std::size_t most = MostKeptInOrder)
{
    using Key = std::pair<Timestamp, std::uint64_t>;
    struct Kept {
        Key key;
        Item item;
    };
    std::vector<Kept> kept; // Items kept in this pass; a heap with the latest item on top, once there are `most` items.
    std::optional<Key> last; // Key of the last item passed to `take`.
    bool areMore = true;
    while (areMore && !stop.stop_requested()) {
        kept.clear();
        areMore = false;
        std::uint64_t number = 0;
        scan([&](const Item& item) {
            const Key key{item.range.begin, number++};
            if (last && key <= *last)
                return;
            if (kept.size() < most) {
                kept.push_back({key, item});
                if (kept.size() == most)
                    std::ranges::make_heap(kept, {}, &Kept::key);
                return;
            }
            areMore = true;
            if (key >= kept.front().key)
                return;
            std::ranges::pop_heap(kept, {}, &Kept::key);
            kept.back() = {key, item};
            std::ranges::push_heap(kept, {}, &Kept::key);
        });
        std::ranges::sort(kept, {}, &Kept::key);
        for (const Kept& it : kept) {
            if (stop.stop_requested())
                return;
            take(it.item);
        }
        if (!kept.empty())
            last = kept.back().key;
    }
}

} // namespace helio
