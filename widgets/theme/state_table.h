#pragma once

#include "widgets/theme/theme.h"

#include <string_view>

namespace helio {

/// A line of the table of look.md's section 3.
struct StateStyle {
    std::string_view set;
    std::string_view state;
    const char* role; ///< Whose colour it takes.
    int height; ///< Sixteenths.
    Drawing drawing;
    int order;
    int severity;
    bool isLabelled;
    const char* words;
    const char* legend;
};

/// Null where the table does not know the state.
const StateStyle* findStateStyle(std::string_view set, std::string_view state);

} // namespace helio
