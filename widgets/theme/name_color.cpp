#include "widgets/theme/name_color.h"

#include <cstdint>
#include <iterator>

namespace helio {
namespace {

constexpr std::uint8_t Categories[] = {0, 2, 3, 4, 5, 6, 7, 8, 10, 12, 13, 14, 15, 16, 17, 18};

} // namespace

std::uint32_t hashName(std::string_view name)
{
    std::uint32_t hash = 2166136261; // FNV-1a.
    for (const char c : name)
        hash = (hash ^ std::uint8_t(c)) * 16777619;
    return hash ^ hash >> 16;
}

int categoryOfName(std::string_view name) { return Categories[hashName(name) % std::size(Categories)]; }

} // namespace helio
