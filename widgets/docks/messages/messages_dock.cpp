#include "widgets/docks/messages/messages_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind messagesDock;
const ViewKind messagesDock{"messages",
                            "Messages",
                            ViewKind::Place::RightTop,
                            3,
                            3,
                            "Ctrl+3",
                            "Every warning about the traces, in plain words",
                            [](ViewContext& context, QWidget* parent) -> QWidget* { return new MessagesView(context, parent); },
                            true};

} // namespace helio
