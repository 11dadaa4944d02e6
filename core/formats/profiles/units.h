#pragma once

#include <cstdint>
#include <string_view>

namespace helio::profiles {

/// Unit of the weights in a profile, converted to a standard unit.
struct WeightUnit {
    std::string_view name; ///< Standard unit, for NewSample::unit: "ns" for times; empty for "count" and "none"; else the profile's unit.
    std::uint64_t factor = 1; ///< Number of standard units in one unit of the profile, e.g. 1000 for "microseconds".

    bool isTime() const { return name == "ns"; }
};

/// Returns the unit that a profile calls `name`, for example "milliseconds" or "bytes".
/// Ownership: the result may contain a view of `name`.
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
