#pragma once

#include "core/query/filters/state_search.h"

#include <functional>
#include <span>
#include <stop_token>
#include <string>

namespace helio {

/// Whether a search is one for functions: one that is called matches by its name, and would not without it.
/// Threads: any but the UI's: reads symbols. Cost: as readFrameNames(), then some 100 ns for each different call stack.
bool namesCalledFunctions(const Timeline& timeline, const Expression& expression, std::span<const std::string> views,
                          std::stop_token stop = {});

/// Finds every call that matches: as findStates(), but of names the function's alone counts, not those of its thread. Groups are by
/// function and thread, whose track is what the rows of its calls hang from.
StateFindings findCalls(const Timeline& timeline, const Expression& expression, std::span<const std::string> views, TimeRange window,
                        const std::function<void(double, std::uint64_t)>& onProgress = {}, std::stop_token stop = {},
                        std::size_t limit = MostStateHits);

} // namespace helio
