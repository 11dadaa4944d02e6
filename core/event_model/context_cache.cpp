#include "core/event_model/context_cache.h"

namespace helio {

ContextBytes::ContextBytes(const ThreadFields& fields)
{
    const std::span<const ThreadFields::BitRange> places = fields.places();
    std::uint64_t begin = UINT64_MAX;
    std::uint64_t end = 0;
    for (const ThreadFields::BitRange& place : places) {
        if (place.begin == place.end)
            continue;
        begin = std::min(begin, place.begin / 8);
        end = std::max(end, (place.end + 7) / 8);
    }
    if (begin >= end || end - begin > Most || end > UINT32_MAX)
        return;
    m_bit = begin * 8;
    m_bytes = end - begin;
    m_places.assign(places.begin(), places.end());
}

} // namespace helio
