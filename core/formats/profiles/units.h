#pragma once

#include <cstdint>
#include <string_view>

namespace helio::profiles {

/// A unit of weights as the formats of profilers name it.
struct WeightUnit {
    std::string_view name; ///< NewSample::unit: "ns" for times, otherwise the name as written; empty for "count" and "none".
    std::uint64_t factor = 1; ///< Number of units `name` in one unit as written: 1000 for "microseconds".

    bool isTime() const { return name == "ns"; }
};

/// Returns the unit with this name, for example "milliseconds" or "bytes".
/// Ownership: a view of `name` may be in the result.
inline WeightUnit weightUnit(std::string_view name)
{
    if (name == "nanoseconds" || name == "ns")
        return {"ns", 1};
    if (name == "microseconds" || name == "us")
        return {"ns", 1000};
    if (name == "milliseconds" || name == "ms")
        return {"ns", 1'000'000};
    if (name == "seconds" || name == "s")
        return {"ns", 1'000'000'000};
    return {name == "count" || name == "none" ? std::string_view() : name, 1};
}

} // namespace helio::profiles
