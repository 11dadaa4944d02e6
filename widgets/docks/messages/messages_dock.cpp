#include "widgets/docks/messages/messages_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind messagesDock;
const ViewKind messagesDock{.id = "messages",
                            .title = "Messages",
                            .area = ViewKind::Area::Header,
                            .order = 2,
                            .menuOrder = 3,
                            .shortcut = "Ctrl+3",
                            .tip = "Warnings about the traces",
                            .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new MessagesView(context, parent); },
                            .icon = "warning",
                            .listsWarnings = true};

} // namespace helio
