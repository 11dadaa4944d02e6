#pragma once

#include "core/query/filters/state_search.h"

#include <functional>
#include <span>
#include <stop_token>
#include <string>

namespace helio {

/// True if the expression searches for functions: some called function matches by its name, and would not match without it.
/// Threads: any but the UI thread: reads symbols.
/// Cost: as readFrameNames(), then about 100 ns for each different call stack.
bool searchesFunctions(const Timeline& timeline, const Expression& expression, std::span<const std::string> views,
                       std::stop_token stop = {});

/// Finds every call that matches. Works like findStates(), but only the name of the function counts, not the names of its thread. Groups
/// are by function and thread; the track of a group is the parent of the thread's rows of calls.
StateFindings findCalls(const Timeline& timeline, const Expression& expression, std::span<const std::string> views, TimeRange window,
                        const std::function<void(double, std::uint64_t)>& onProgress = {}, std::stop_token stop = {},
                        std::size_t limit = MaxStateHits);

} // namespace helio
