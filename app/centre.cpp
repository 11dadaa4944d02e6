#include "app/centre.h"

namespace helio {

Centre::Centre(ViewContext&, QWidget* parent)
    : QWidget(parent)
{
    setMinimumSize(300, 120);
    setFocusPolicy(Qt::StrongFocus);
}

} // namespace helio
