#include "widgets/views/messages/messages_view.h"
#include "widgets/views/view_kind.h"

namespace helio {

extern const ViewKind messagesDock;
const ViewKind messagesDock{"messages", "Messages", ViewKind::Place::RightTop, 3,
                            [](ViewContext& context, QWidget* parent) -> QWidget* { return new MessagesView(context, parent); }};

} // namespace helio
