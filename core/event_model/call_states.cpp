#include "core/event_model/call_states.h"

#include "core/event_model/frame_style.h"

namespace helio::calls {

StateSet callStates()
{
    return {"calls",
            {{"call", Meaning::None, frameStyle("Called", "call", Drawing::Plain, 0)},
             {"call-truncated", Meaning::None, frameStyle("Called; its exit was not recorded", "exit not recorded", Drawing::Hatched, 1)},
             {"call-open", Meaning::None, frameStyle("Called; still open at the end of the trace", "still open", Drawing::CutCorner, 2)}},
            "Calls"};
}

} // namespace helio::calls
