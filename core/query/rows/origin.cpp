#include "core/query/rows/origin.h"

#include "core/query/rows/composed.h"

namespace helio {

bool isOfAllTraces(const Timeline& timeline, StoreIndex store)
{
    const auto place = static_cast<std::size_t>(store);
    return place < timeline.stores.size() && timeline.stores[place].isOfAll;
}

} // namespace helio
