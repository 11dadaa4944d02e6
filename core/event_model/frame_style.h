#pragma once

#include "core/store/states.h"

namespace helio {

/// Returns the style of call stack frames, whether recorded or sampled: colour by function, label with the function's name.
inline StateStyle frameStyle(const char* words, const char* legend, BarPattern drawing, std::uint8_t order)
{
    StateStyle style;
    style.color = "call";
    style.words = words;
    style.legend = legend;
    style.drawing = drawing;
    style.order = order;
    style.flags = StateFlag::Labelled | StateFlag::ColoredByValue;
    style.valueTitle = "Function";
    return style;
}

} // namespace helio
