#include "widgets/docks/lock_stat/lock_stat_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind lockStatDock;
const ViewKind lockStatDock{.id = "lock_stat",
                            .title = "Lock statistics",
                            .area = ViewKind::Area::Bottom,
                            .order = 12,
                            .menuOrder = 15,
                            .shortcut = "",
                            .tip = "The kernel's own lock statistics by class: the text of /proc/lock_stat",
                            .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new LockStatView(context, parent); },
                            .hasContent = isNeverShownUnasked};

} // namespace helio
