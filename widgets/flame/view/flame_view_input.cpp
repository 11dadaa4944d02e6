// Mouse and keyboard handling of the flame graph.

#include "widgets/flame/view/flame_view.h"
#include "widgets/flame/view/frame_text.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QScrollBar>

#include <algorithm>

namespace helio {

namespace {

/// True for keys that this view handles while it has the focus, even if they are shortcuts of the window.
bool isOwnKey(const QKeyEvent& event)
{
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Home:
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Escape:
    case Qt::Key_Backspace: return !(event.modifiers() & (Qt::AltModifier | Qt::ShiftModifier));
    case Qt::Key_Slash: return true;
    default: return false;
    }
}

} // namespace

bool FlameView::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && isOwnKey(static_cast<QKeyEvent&>(*event))) {
        event->accept();
        return true;
    }
    return QAbstractScrollArea::event(event);
}

bool FlameView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave)
        setHovered({}, {});
    return QAbstractScrollArea::viewportEvent(event);
}

void FlameView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

void FlameView::scrollContentsBy(int, int)
{
    setHovered({}, {});
    redraw();
}

void FlameView::setHovered(const std::optional<FlameFrameRef>& place, QPoint position)
{
    if (!place && !m_hovered)
        return;
    if (place != m_hovered) {
        m_hovered = place;
        viewport()->update();
    }
    emit hovered(place, position);
}

void FlameView::mouseMoveEvent(QMouseEvent* event) { setHovered(placeAt(event->position()), event->position().toPoint()); }

void FlameView::mousePressEvent(QMouseEvent* event)
{
    m_outlinesCurrent = false;
    m_pressed = event->button() == Qt::LeftButton ? placeAt(event->position()) : std::nullopt;
    if (event->button() == Qt::BackButton)
        zoomBack();
    viewport()->update();
}

void FlameView::mouseReleaseEvent(QMouseEvent* event)
{
    const auto pressed = std::exchange(m_pressed, std::nullopt);
    if (event->button() != Qt::LeftButton || !pressed || placeAt(event->position()) != pressed)
        return;
    m_current = pressed;
    if (pressed->count > 1) // For a column of several narrow frames, zoom to their caller, which makes them wider.
        zoomTo(pressed->part, treeOf(*pressed).nodes[pressed->node].parent);
    else if (event->modifiers() & Qt::ControlModifier)
        emit functionOpened(*pressed);
    else {
        zoomTo(pressed->part, pressed->node);
        emit framePicked(*pressed);
    }
}

void FlameView::contextMenuEvent(QContextMenuEvent* event)
{
    const auto place = event->reason() == QContextMenuEvent::Keyboard ? m_current : placeAt(event->pos());
    if (place && place->count == 1)
        emit menuRequested(*place,
                           event->reason() == QContextMenuEvent::Keyboard ? viewport()->mapToGlobal(rectOf(*place).bottomLeft().toPoint())
                                                                          : event->globalPos());
}

void FlameView::focusInEvent(QFocusEvent* event)
{
    m_outlinesCurrent = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void FlameView::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

void FlameView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Home: return moveCurrent(event->key());
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current && (event->modifiers() & Qt::ControlModifier))
            emit functionOpened(*m_current);
        else if (m_current) {
            zoomTo(m_current->part, m_current->node);
            emit framePicked(*m_current);
        }
        return;
    case Qt::Key_Escape:
    case Qt::Key_Backspace:
        if (!zoomBack())
            event->ignore();
        return;
    case Qt::Key_Slash: emit searchRequested(); return;
    default: QAbstractScrollArea::keyPressEvent(event);
    }
}

void FlameView::setCurrent(const FlameFrameRef& place)
{
    if (place.part >= m_parts.size() || place.node >= treeOf(place).nodes.size())
        return; // A tree without functions has no first child.
    m_current = place;
    m_outlinesCurrent = true;
    reveal(place);
    viewport()->update();
    const CallTree& tree = treeOf(place);
    const CallNode& node = tree.nodes[place.node];
    const QString plain = tr("%1, %2 of all, depth %3")
                              .arg(place.node == 0 ? tr("all") : frameLabel(tree.functionOf(place.node)),
                                   shareText(amount(node.total, m_content.by), amount(tree.whole, m_content.by)))
                              .arg(node.depth);
    setAccessibleDescription(m_content.style ? m_content.style->description(place.node) : plain);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

void FlameView::moveCurrent(int key)
{
    if (m_parts.empty())
        return;
    const FlameFrameRef top{m_parts.size() - 1, m_parts.back().layout.zoom, 1};
    if (!m_current || key == Qt::Key_Home || rectOf(*m_current).isEmpty())
        return setCurrent(rectOf(top).isEmpty() ? FlameFrameRef{top.part, m_parts.back().tree->nodes[0].firstChild, 1} : top);
    const FlamePart& part = m_parts[m_current->part];
    const int row = rowOf(*m_current);
    if (key == Qt::Key_Left || key == Qt::Key_Right) {
        std::vector<std::uint32_t> nodes;
        for (const FlameBox& box : part.layout.row(row))
            if (!box.isColumn)
                nodes.push_back(box.node);
        auto at = std::ranges::find(nodes, m_current->node) - nodes.begin() + (key == Qt::Key_Left ? -1 : 1);
        at = std::clamp<std::ptrdiff_t>(at, 0, std::ptrdiff_t(nodes.size()) - 1);
        return setCurrent({m_current->part, nodes[std::size_t(at)], 1});
    }
    const bool isOutwards = (key == Qt::Key_Up) != part.growsUp;
    if (isOutwards) {
        const std::uint32_t parent = part.tree->nodes[m_current->node].parent;
        if (row > part.skippedRows)
            setCurrent({m_current->part, parent, 1});
        else if (m_parts.size() == 2 && m_current->part == 1) // Moves from the function of a sandwich to its callers.
            goInwards(0, m_parts[0].tree->nodes[0].firstChild);
        else if (m_parts.size() == 2)
            setCurrent({1, m_parts[1].tree->nodes[0].firstChild, 1});
        return;
    }
    goInwards(m_current->part, m_current->node);
}

void FlameView::goInwards(std::size_t index, std::uint32_t parent)
{
    const FlamePart& part = m_parts[index];
    if (parent >= part.tree->nodes.size())
        return;
    const int row = int(part.tree->nodes[parent].depth) + 1;
    const FlameBox* widest = nullptr;
    if (row < part.layout.rowCount())
        for (const FlameBox& box : part.layout.row(row))
            if (!box.isColumn && part.tree->nodes[box.node].parent == parent && (!widest || box.width > widest->width))
                widest = &box;
    if (widest)
        setCurrent({index, widest->node, 1});
}

} // namespace helio
