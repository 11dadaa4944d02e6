#pragma once

#include "core/fleet/fleet_table.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace helio {

/// True if the recording of a catalogued trace is at its path on this machine; the path may lead into an archive.
/// Cost: asks the file system.
bool isHere(const fleet::FleetTrace& trace);

/// Returns a message that says why a trace cannot be opened here, and what helps; empty if it can be opened.
QString openProblem(const fleet::FleetTrace& trace);

/// Returns the trace on this machine that is nearest to the middle of `order`, other than `except`; nullopt if there is none among the
/// nearest few hundred. `order`: orderByLatency().
/// Cost: asks the file system for each trace that is looked at.
std::optional<std::uint32_t> findTypicalHere(const fleet::FleetTable& table, const std::vector<std::uint32_t>& order, std::uint32_t except,
                                             const std::stop_token& stop);

} // namespace helio
