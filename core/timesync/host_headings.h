#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio {

struct Timeline;

/// Heading shown beside each row of a host: the host's name, a letter on a background of the host's colour, and the state of its clock.
struct HostHeading {
    std::string name;
    /// Character that stands for the host and that no other host has: the first character of the part of the name that differs from other
    /// hosts' names; if another host has it, another character of the name, or else a digit. Capitalized if it is an ASCII letter; empty if
    /// the name is empty. Hosts have the same letter only if there are more hosts than such characters.
    std::string letter;
    std::int32_t color = 0; ///< Index of a category colour of the theme.
    std::string clock; ///< State of the clock: "reference", "+4.412 s ±18 µs" or "not aligned"; empty if there is only one host.
    bool isAligned = true; ///< False if times of this host cannot be compared with times of other hosts.
    bool isDoubtful = false; ///< True if the user set a clock by which messages arrive before they were sent.
    std::string sentence; ///< Relation of the host's clock to the reference, as sentenceOf() describes it.
    bool operator==(const HostHeading&) const = default;
};

/// Returns the name of the host's colour in the themes, "cat.00" to "cat.19".
std::string colorRole(const HostHeading& host);

/// Returns the headings of all hosts, in the order of Timeline::hosts.
std::vector<HostHeading> hostHeadings(const Timeline& timeline);

/// Returns the offset as text with a sign and three decimal places, for example "+4.412 s" or "−0.387 s"; a number of ns has no decimal
/// places. Returns "0" for an offset of 0.
std::string offsetText(Duration offset);

} // namespace helio
