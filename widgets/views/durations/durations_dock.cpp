#include "widgets/view/view_kind.h"
#include "widgets/views/durations/call_durations_view.h"

namespace helio {

extern const ViewKind durationsDock;
const ViewKind durationsDock{"durations",
                             "Durations",
                             ViewKind::Place::Bottom,
                             4,
                             11,
                             "",
                             "How long the calls of one function lasted, as a histogram",
                             [](ViewContext& context, QWidget* parent) -> QWidget* { return new CallDurationsView(context, parent); }};

} // namespace helio
