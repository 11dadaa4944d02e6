#pragma once

#include <string>
#include <vector>

namespace helio {

/// Returns the ids of the views that finders read and whose analyses run only on request. Traces are opened with these analyses before
/// collectFindings().
std::vector<std::string> viewsOfFinders();

} // namespace helio
