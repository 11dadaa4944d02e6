#include "core/store/segments/segment_sorter.h"

#include "core/store/segments/segment_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

namespace helio {
namespace {

/// Number of segments below which a comparison sort is faster, because a radix sort must clear the digit counts.
constexpr std::size_t Few = 256;

} // namespace

void SegmentSorter::sort(std::vector<HostSegment>& segments)
{
    if (segments.size() < Few) {
        std::sort(segments.begin(), segments.end(), segmentComesBefore);
        return;
    }
    const auto [first, last] = std::ranges::minmax_element(segments, {}, &HostSegment::begin);
    const auto earliest = static_cast<std::uint64_t>(nanoseconds(first->begin));
    const auto latest = static_cast<std::uint64_t>(nanoseconds(last->begin));
    m_keys.resize(segments.size());
    for (std::size_t i = 0; i < segments.size(); ++i)
        m_keys[i] = {static_cast<std::uint64_t>(nanoseconds(segments[i].begin)) - earliest, static_cast<std::uint32_t>(i)};
    sortKeys(static_cast<unsigned>(std::bit_width(latest - earliest)));
    m_sorted.resize(segments.size());
    for (std::size_t i = 0; i < segments.size(); ++i)
        m_sorted[i] = segments[m_keys[i].place];
    segments.swap(m_sorted);
    // Order segments with equal starts by their other members.
    for (auto at = segments.begin(); at != segments.end();) {
        auto next = at + 1;
        while (next != segments.end() && next->begin == at->begin)
            ++next;
        if (next - at > 1)
            std::sort(at, next, segmentComesBefore);
        at = next;
    }
}

/// Sorts m_keys by the lowest `bits` bits of their begins, digit by digit from the lowest digit. Uses the minimum number of digits, of
/// about equal width.
void SegmentSorter::sortKeys(unsigned bits)
{
    const unsigned digits = (bits + MostDigitBits - 1) / MostDigitBits;
    const unsigned digitBits = digits > 0 ? (bits + digits - 1) / digits : 0;
    const std::uint64_t mask = (std::uint64_t(1) << digitBits) - 1;
    std::array<std::uint32_t, std::size_t(1) << MostDigitBits> places;
    m_moved.resize(m_keys.size());
    for (unsigned shift = 0; shift < bits; shift += digitBits) {
        const auto digitOf = [&](const Key& key) { return static_cast<std::size_t>(key.begin >> shift & mask); };
        std::fill_n(places.begin(), mask + 1, 0u);
        for (const Key& key : m_keys)
            ++places[digitOf(key)];
        std::uint32_t before = 0;
        for (std::uint32_t& place : std::span(places).first(mask + 1))
            place = std::exchange(before, before + place);
        for (const Key& key : m_keys)
            m_moved[places[digitOf(key)]++] = key;
        m_keys.swap(m_moved);
    }
}

} // namespace helio
