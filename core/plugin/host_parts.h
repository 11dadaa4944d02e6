#pragma once

#include "core/plugin/plugin_host.h"

#include <cstdint>
#include <string_view>

namespace helio {

// Each puts its functions into what plug-ins are offered.
void offerReading(heliograph_host_v1& host);
void offerRows(heliograph_host_v1& host);
void offerMeasures(heliograph_host_v1& host);

/// Empty for a null.
inline std::string_view textOf(const char* text) { return text ? std::string_view(text) : std::string_view(); }

template <typename List> bool isIn(const List& list, std::uint32_t number) { return number < list.size(); }

/// The number of what was just added to the list.
template <typename List> std::uint32_t lastOf(const List& list) { return static_cast<std::uint32_t>(list.size() - 1); }

/// The track of a row; NoTrack where there is none of that number.
inline TrackId trackOf(const heliograph_output& output, std::uint32_t row)
{
    return isIn(output.rows, row) ? output.rows[row].track : NoTrack;
}

} // namespace helio
