#pragma once

#include "core/store/states.h"

namespace helio {

/// How frames of call stacks look, recorded or sampled: each has the colour of what it is of, and says its function.
inline StateStyle frameStyle(const char* words, const char* legend, Drawing drawing, std::uint8_t order)
{
    StateStyle style;
    style.color = "call";
    style.words = words;
    style.legend = legend;
    style.drawing = drawing;
    style.order = order;
    style.flags = StateFlag::Labelled | StateFlag::ByValue;
    style.valueTitle = "Function";
    return style;
}

} // namespace helio
