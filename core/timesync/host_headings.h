#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio {

struct Timeline;

/// What views show of a host wherever one of its rows is: a letter on a ground of its colour, what it is called, and how its clock is
/// related to the reference's.
struct HostHeading {
    std::string name;
    std::string letter; ///< The name's first, as a capital. Empty: it has none.
    std::int32_t color = 0; ///< The number of a category's.
    std::string clock; ///< "reference", "+4.412 s ±18 µs", "not aligned". Empty: there is one host.
    bool isAligned = true; ///< False: times beside other hosts' mean nothing.
    bool isDoubtful = false; ///< Messages come in before they were sent, by a clock that a person set.
    std::string sentence; ///< sentenceOf() its clock.
    bool operator==(const HostHeading&) const = default;
};

/// The role of the themes that a host's colour has.
std::string colorRole(const HostHeading& host);

/// Of all hosts, by their place in Timeline::hosts.
std::vector<HostHeading> hostHeadings(const Timeline& timeline);

/// "+4.412 s", "−387 ms": three digits behind a clock's offset; what is below a nanosecond's sign is "0".
std::string offsetText(Duration offset);

} // namespace helio
