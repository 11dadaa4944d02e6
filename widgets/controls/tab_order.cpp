#include "widgets/controls/tab_order.h"

#include <QList>
#include <QScrollArea>
#include <QWidget>

#include <algorithm>
#include <tuple>

namespace helio {

namespace {

/// Sorts widgets of one container into rows from top to bottom, and each row from left to right. A row consists of the topmost widget that
/// is left and of all widgets whose middle is above the lower edge of that widget.
void sortByRows(QList<QWidget*>& parts)
{
    const auto top = [](const QWidget* it) { return std::tuple(it->y(), it->x()); };
    const auto left = [](const QWidget* it) { return std::tuple(it->x(), it->y()); };
    std::ranges::stable_sort(parts, {}, top);
    for (auto row = parts.begin(); row != parts.end();) {
        const QWidget* const first = *row;
        const auto isInRow = [first](const QWidget* it) {
            return it == first || it->geometry().center().y() <= first->geometry().bottom();
        };
        const auto end = std::stable_partition(row, parts.end(), isInRow);
        std::ranges::stable_sort(row, end, {}, left);
        row = end;
    }
}

/// Appends a widget and its visible descendants in the order of the layout.
void appendInOrder(QWidget* widget, QList<QWidget*>& all)
{
    all << widget;
    QList<QWidget*> parts;
    for (QObject* child : widget->children())
        if (auto* const part = qobject_cast<QWidget*>(child); part && part->isVisible() && !part->isWindow())
            parts << part;
    sortByRows(parts);
    for (QWidget* part : parts)
        appendInOrder(part, all);
}

bool isTabStop(const QWidget& widget)
{
    return (widget.focusPolicy() & Qt::TabFocus) && widget.isEnabled() && !widget.focusProxy() && !widget.size().isEmpty();
}

} // namespace

bool focusNextInLayout(QWidget& window, bool isForward)
{
    QList<QWidget*> all;
    appendInOrder(&window, all);
    if (!isForward)
        std::ranges::reverse(all);
    // Qt also calls this when the widget with the focus is being hidden. The search then begins at its closest visible ancestor.
    QWidget* from = window.focusWidget();
    while (from && !all.contains(from))
        from = from->parentWidget();
    std::rotate(all.begin(), std::ranges::find(all, from ? from : &window), all.end());
    const auto next = std::find_if(all.begin() + 1, all.end(), [](const QWidget* it) { return isTabStop(*it); });
    if (next == all.end())
        return false;
    (*next)->setFocus(isForward ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    // QScrollArea does this only if the focus was inside of it before.
    for (QWidget* it = (*next)->parentWidget(); it; it = it->parentWidget())
        if (auto* const area = qobject_cast<QScrollArea*>(it))
            area->ensureWidgetVisible(*next);
    return true;
}

} // namespace helio
