#include "widgets/paint/focus_ring.h"

#include "widgets/theme/themes.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QPointer>

namespace helio {

namespace {

bool movesFocus(int key) { return key == Qt::Key_Tab || key == Qt::Key_Backtab || (key >= Qt::Key_Left && key <= Qt::Key_Down); }

/// Event filter that watches every key and mouse button of the program.
class InputWatch : public QObject {
public:
    explicit InputWatch(QObject* program)
        : QObject(program)
    {
        program->installEventFilter(this);
    }
    bool isKeyboardNavigationActive() const { return m_isKeyboardUsed; }

private:
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() == QEvent::MouseButtonPress)
            m_isKeyboardUsed = false;
        else if (event->type() == QEvent::KeyPress && movesFocus(static_cast<QKeyEvent*>(event)->key()))
            m_isKeyboardUsed = true;
        return false;
    }

    bool m_isKeyboardUsed = false;
};

} // namespace

bool isKeyboardNavigationActive()
{
    static QPointer<InputWatch> watch;
    if (!watch && QCoreApplication::instance())
        watch = new InputWatch(QCoreApplication::instance());
    return watch && watch->isKeyboardNavigationActive();
}

void paintFocusRing(QPainter& painter, const QRectF& box, qreal radius, const char* role)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().color(role), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), radius, radius);
    painter.restore();
}

} // namespace helio
