#include "widgets/docks/why/why_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind whyDock;
const ViewKind whyDock{.id = "why",
                       .title = "Why it waited",
                       .place = ViewKind::Place::RightTop,
                       .order = 2,
                       .menuOrder = 3,
                       .shortcut = "",
                       .tip = "Explanation of the selected wait, step by step, across threads, devices and hosts",
                       .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new WhyView(context, parent); },
                       .icon = "question"};

} // namespace helio
