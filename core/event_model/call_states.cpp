#include "core/event_model/call_states.h"

#include "core/event_model/frame_style.h"

namespace helio::calls {

StateSet callStates()
{
    return {"calls",
            {{"call", StateCategory::None, frameStyle("Called", "call", BarPattern::Plain, 0)},
             {"call-truncated", StateCategory::None,
              frameStyle("Called; its exit was not recorded", "exit not recorded", BarPattern::Hatched, 1)},
             {"call-open", StateCategory::None,
              frameStyle("Called; still open at the end of the trace", "still open", BarPattern::CutCorner, 2)}},
            "Calls"};
}

} // namespace helio::calls
