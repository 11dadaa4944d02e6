#pragma once

#include <string_view>

namespace helio {

struct Timeline;

/// Whether a panel without rows or curves keeps its place and says why: an analysis that runs here makes its view, and describes what it
/// would take. Those that are there for every trace, or whose rows are made when they are seen, give their place to others.
bool saysWhyEmpty(const Timeline& timeline, std::string_view view);

} // namespace helio
