#include "app/gui/common/view_popup.h"

#include "app/gui/common/window_frame.h"

#include <QVBoxLayout>

#include <algorithm>

namespace helio {

ViewPopup::ViewPopup(QWidget* view, QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_view(view)
{
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(view->accessibleName());
    makeVerticalLayout(this)->addWidget(view);
}

void ViewPopup::open(const QWidget* anchor)
{
    constexpr int LeastHeight = 160;
    const QWidget* const window = parentWidget()->window();
    const int height =
        std::clamp(m_view->sizeHint().height() + 2 * frameWidth(), LeastHeight, std::max(LeastHeight, window->height() * 6 / 10));
    const bool isAnchored = anchor && anchor->isVisible();
    const QPoint corner = isAnchored ? anchor->mapToGlobal(QPoint(anchor->width(), anchor->height()))
                                     : parentWidget()->mapToGlobal(QPoint(parentWidget()->width(), 0));
    const int width = std::min(Width, window->width());
    const int left = std::max(window->mapToGlobal(QPoint()).x(), corner.x() - width);
    setGeometry(left, corner.y() + 2, width, height);
    show();
    m_view->setFocus(Qt::PopupFocusReason);
}

} // namespace helio
