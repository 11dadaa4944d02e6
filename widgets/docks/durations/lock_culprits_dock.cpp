#include "widgets/docks/durations/lock_culprits_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind lockCulpritsDock;
const ViewKind lockCulpritsDock{
    .id = "lock_culprits",
    .title = "Lock culprits",
    .area = ViewKind::Area::Bottom,
    .order = 13,
    .menuOrder = 16,
    .shortcut = "",
    .tip = "The threads that made others wait for locks, and for how long",
    .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new LockCulpritsView(context, parent); },
    .hasContent = isNeverShownUnasked};

} // namespace helio
