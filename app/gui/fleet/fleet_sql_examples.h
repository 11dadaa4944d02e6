#pragma once

#include <span>

namespace helio {

/// A query that the SQL page of the window of a fleet offers.
struct FleetSqlExample {
    const char* title; ///< Menu item; translated in the context "FleetSqlExamples".
    const char* query;
};

/// Returns queries that every catalogue can answer; the first one is run from the empty page.
std::span<const FleetSqlExample> fleetSqlExamples();

} // namespace helio
