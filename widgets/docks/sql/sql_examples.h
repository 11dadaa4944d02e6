#pragma once

#include <span>

namespace helio {

/// A query that the SQL dock offers.
struct SqlExample {
    const char* title; ///< Menu item; translated in the context "SqlExamples".
    const char* query;
    const char* probe; ///< Query that returns a row if the recording has data for the example. Cost: small for every recording.
};

std::span<const SqlExample> sqlExamples();

} // namespace helio
