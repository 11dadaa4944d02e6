#pragma once

#include "core/plugin/plugin_host.h"

#include <cstdint>
#include <string_view>

namespace helio {

// Each function sets its part of the functions that plug-ins may call.
void setReadingFunctions(heliograph_host_v1& host);
void setRowFunctions(heliograph_host_v1& host);
void setMeasurementFunctions(heliograph_host_v1& host);

/// Returns an empty text for nullptr.
inline std::string_view textOf(const char* text) { return text ? std::string_view(text) : std::string_view(); }

template <typename List> bool isIn(const List& list, std::uint32_t number) { return number < list.size(); }

/// Returns the index of the last element of a list.
template <typename List> std::uint32_t lastOf(const List& list) { return static_cast<std::uint32_t>(list.size() - 1); }

/// Returns the track of a row; NoTrack if there is no such row.
inline TrackId trackOf(const heliograph_output& output, std::uint32_t row)
{
    return isIn(output.rows, row) ? output.rows[row].track : NoTrack;
}

} // namespace helio
