#pragma once

#include "core/experiment/timeline.h"
#include "core/sql/engine/database.h"

#include <stop_token>
#include <string>
#include <string_view>

namespace helio {

/// Returns a line for the user about missing data, after statements that ran: if they name tables of samples but the recording has none,
/// how to record samples; if they read names of functions and frames have none, how many, and the most frequent reason. Empty if nothing is
/// missing.
/// Cost: two short queries; the second one looks up the names of all sampled functions, as the statements did.
std::string describeMissingSamples(sql::Database& database, const Timeline& timeline, std::string_view statements,
                                   const std::stop_token& stop = {});

} // namespace helio
