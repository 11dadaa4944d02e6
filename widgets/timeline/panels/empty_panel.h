#pragma once

#include <string_view>

namespace helio {

struct Timeline;

/// True if a panel without rows or curves stays visible and explains why it is empty. This is so if an analysis that is active makes the
/// view and describes what it needs; not for basic views, nor for views whose rows are made on demand.
bool explainsEmptyPanel(const Timeline& timeline, std::string_view view);

} // namespace helio
