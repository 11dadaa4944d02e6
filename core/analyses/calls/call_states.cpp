#include "core/analyses/calls/call_states.h"

namespace helio::calls {
namespace {

StateStyle styleOf(const char* words, const char* legend, Drawing drawing, std::uint8_t order)
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

} // namespace

StateSet callStates()
{
    return {"calls",
            {{"call", Meaning::None, styleOf("Called", "call", Drawing::Plain, 0)},
             {"call-truncated", Meaning::None, styleOf("Called; its exit was not recorded", "exit not recorded", Drawing::Hatched, 1)},
             {"call-open", Meaning::None, styleOf("Called; still open at the end of the trace", "still open", Drawing::CutCorner, 2)}},
            "Calls"};
}

} // namespace helio::calls
