#include "widgets/docks/why/why_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind whyDock;
const ViewKind whyDock{"why",
                       "Why it waited",
                       ViewKind::Place::RightTop,
                       2,
                       3,
                       "",
                       "What the wait of the selected thread at the cursor was for: step by step, over threads, devices and hosts",
                       [](ViewContext& context, QWidget* parent) -> QWidget* { return new WhyView(context, parent); }};

} // namespace helio
