#include "widgets/docks/durations/ipc_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind ipcDock;
const ViewKind ipcDock{.id = "ipc",
                       .title = "IPC",
                       .area = ViewKind::Area::Bottom,
                       .order = 14,
                       .menuOrder = 17,
                       .shortcut = "",
                       .tip = "Instructions per cycle by method, RPC, thread or CPU",
                       .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new IpcView(context, parent); },
                       .hasContent = hasIpc};

} // namespace helio
