#include "widgets/flame/view/flame_view.h"

#include "widgets/theme/themes.h"

#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace helio {

FlameView::FlameView(QWidget* parent)
    : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    setAccessibleName(tr("Flame graph"));
    connect(&Themes::instance(), &Themes::changed, this, [this] {
        for (FlamePart& part : m_parts)
            part.resolve(theme());
        redraw();
    });
}

void FlameView::setContent(FlameContent content, const std::function<FlamePath(const FlamePath&)>& renamed)
{
    const auto rename = [&](FlamePath& path) {
        if (renamed)
            path = renamed(path);
    };
    std::vector<FlamePath> zooms;
    for (const FlamePart& part : m_parts) {
        zooms.push_back(pathOf(*part.tree, part.layout.zoom));
        rename(zooms.back());
    }
    for (ZoomStep& step : m_history)
        rename(step.path);
    std::optional<FlamePath> current;
    if (m_current) {
        current = pathOf(*m_parts[m_current->part].tree, m_current->node);
        rename(*current);
    }
    const bool isSameShape = !content.callers == !m_content.callers;
    m_content = std::move(content);
    setHovered({}, {});
    m_pressed.reset();
    makeParts();
    if (!isSameShape || zooms.size() != m_parts.size())
        m_history.clear();
    const bool keepsZoom = isSameShape && zooms.size() == m_parts.size();
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        layOut(m_parts[i], keepsZoom ? findPath(*m_parts[i].tree, zooms[i]) : 0);
    if (current && keepsZoom)
        m_current->node = findPath(*m_parts[m_current->part].tree, *current);
    else
        m_current.reset();
    placeParts();
    // If the graph newly shows the callers and the callees of a function, it is scrolled so that the function is in the middle.
    if (!isSameShape && m_parts.size() == 2)
        verticalScrollBar()->setValue(m_parts[1].top - viewport()->height() / 2);
    emit zoomChanged();
}

void FlameView::makeParts()
{
    m_parts.clear();
    if (!m_content.tree)
        return;
    if (m_content.callers) {
        FlamePart& callers = m_parts.emplace_back();
        callers.tree = m_content.callers;
        callers.growsUp = true;
        // Two rows are skipped: the row of "all", and the row of the function itself, which is shown as the root of the callees.
        callers.skippedRows = 2;
    }
    FlamePart& part = m_parts.emplace_back();
    part.tree = m_content.tree;
    part.growsUp = m_areRootsBelow && !m_content.callers;
    part.skippedRows = m_content.callers ? 1 : 0;
    colour();
    m_matchCount = 0;
    for (FlamePart& it : m_parts)
        findMatches(it);
}

void FlameView::colour()
{
    for (FlamePart& part : m_parts) {
        part.style = m_content.style;
        if (!part.style)
            part.colors = FlameColors(*part.tree, m_content.by, m_coloring, m_content.modules.get());
        part.resolve(theme());
    }
}

const FlameColors& FlameView::colors() const
{
    static const FlameColors none;
    return m_parts.empty() ? none : m_parts.back().colors;
}

void FlameView::layOut(FlamePart& part, std::uint32_t zoom)
{
    part.layout = layOutFlame(*part.tree, m_content.by, zoom, viewport()->width());
}

void FlameView::layOut()
{
    for (FlamePart& part : m_parts)
        layOut(part, part.layout.zoom);
    placeParts();
}

void FlameView::placeParts()
{
    m_height = 0;
    for (FlamePart& part : m_parts) {
        part.top = m_height;
        m_height += part.height();
    }
    const int spare = viewport()->height() - m_height;
    if (m_parts.size() == 1 && m_parts[0].growsUp && spare > 0)
        // The graph is lower than the view. Its root is at the lower edge of the view, so the unused height is above the graph.
        m_parts[0].top = spare;
    verticalScrollBar()->setRange(0, std::max(0, -spare));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(FlameRowHeight);
    redraw();
}

void FlameView::redraw()
{
    m_picture = QPixmap();
    viewport()->update();
}

void FlameView::setRootsBelow(bool areBelow)
{
    if (m_areRootsBelow == areBelow)
        return;
    m_areRootsBelow = areBelow;
    if (m_parts.size() == 1)
        m_parts[0].growsUp = areBelow;
    placeParts();
    verticalScrollBar()->setValue(areBelow ? verticalScrollBar()->maximum() : 0);
}

void FlameView::setColoring(FlameColoring coloring)
{
    if (m_coloring == coloring)
        return;
    m_coloring = coloring;
    colour();
    redraw();
}

SampleSum FlameView::setMatcher(std::function<bool(const SampledFunction&)> matches)
{
    m_matcher = std::move(matches);
    m_matchCount = 0;
    for (FlamePart& part : m_parts)
        findMatches(part);
    redraw();
    return m_matcher && !m_parts.empty() ? sumOfMatches(*m_parts.back().tree, m_parts.back().matches) : SampleSum();
}

void FlameView::findMatches(FlamePart& part)
{
    part.matches.clear();
    if (!m_matcher)
        return;
    for (const SampledFunction& function : part.tree->functions)
        part.matches.push_back(m_matcher(function));
    for (std::size_t node = 1; node < part.tree->nodes.size(); ++node)
        m_matchCount += part.matches[static_cast<std::size_t>(part.tree->nodes[node].function)] ? 1 : 0;
}

void FlameView::selectFunction(const std::optional<FrameKey>& key)
{
    m_selected = key;
    viewport()->update();
    if (!key)
        return;
    std::optional<FlameFrameRef> widest;
    double width = 0;
    for (std::size_t p = 0; p < m_parts.size(); ++p)
        for (const FlameBox& box : m_parts[p].layout.boxes)
            if (!box.isColumn && box.node != 0 && box.width > width && keyOf(m_parts[p].tree->functionOf(box.node)) == *key) {
                widest = FlameFrameRef{p, box.node, 1};
                width = box.width;
            }
    if (widest)
        reveal(*widest);
}

std::uint32_t FlameView::zoom() const { return m_parts.empty() ? 0 : m_parts.back().layout.zoom; }

void FlameView::zoomTo(std::size_t index, std::uint32_t node)
{
    if (index >= m_parts.size() || m_parts[index].layout.zoom == node)
        return;
    FlamePart& part = m_parts[index];
    m_history.push_back({index, pathOf(*part.tree, part.layout.zoom)});
    setHovered({}, {});
    layOut(part, node);
    placeParts();
    reveal({index, node, 1});
    emit zoomChanged();
}

bool FlameView::zoomBack()
{
    if (m_history.empty())
        return false;
    const ZoomStep step = std::move(m_history.back());
    m_history.pop_back();
    if (step.part >= m_parts.size())
        return false;
    const std::uint32_t node = findPath(*m_parts[step.part].tree, step.path);
    layOut(m_parts[step.part], node);
    placeParts();
    reveal({step.part, node, 1});
    emit zoomChanged();
    return true;
}

double FlameView::offset() const { return -verticalScrollBar()->value(); }

int FlameView::rowOf(const FlameFrameRef& place) const { return int(treeOf(place).nodes[place.node].depth); }

std::optional<FlameFrameRef> FlameView::placeAt(QPointF position) const
{
    const double y = position.y() - offset();
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const int row = m_parts[i].rowAt(y);
        if (row < 0)
            continue;
        if (const FlameBox* box = m_parts[i].layout.at(row, position.x()))
            return FlameFrameRef{i, box->node, box->isColumn ? std::max(2u, box->count) : 1};
    }
    return std::nullopt;
}

QRectF FlameView::rectOf(const FlameFrameRef& place) const
{
    if (place.part >= m_parts.size())
        return {};
    const FlamePart& part = m_parts[place.part];
    const FlameBox* box = part.layout.find(*part.tree, place.node);
    return box && rowOf(place) >= part.skippedRows ? part.rectOf(*box, rowOf(place)).translated(0, offset()) : QRectF();
}

void FlameView::reveal(const FlameFrameRef& place)
{
    const QRectF rect = rectOf(place);
    QScrollBar* bar = verticalScrollBar();
    if (rect.isEmpty())
        return;
    if (rect.top() < 0)
        bar->setValue(bar->value() + int(rect.top()));
    else if (rect.bottom() >= viewport()->height())
        bar->setValue(bar->value() + int(rect.bottom()) + 1 - viewport()->height());
}

QImage FlameView::image(int width, qreal ratio) const
{
    int height = 0;
    std::vector<FlamePart> parts = m_parts;
    for (FlamePart& part : parts) {
        part.layout = layOutFlame(*part.tree, m_content.by, part.layout.zoom, width);
        part.top = height;
        height += part.height();
    }
    constexpr int Most = 16'000; // Maximum height of a picture in pixels, a limit of QImage and of programs that read pictures.
    height = std::clamp(height, 1, Most);
    QImage image(QSizeF(width * ratio, height * ratio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(theme().color("surface.panel"));
    QPainter painter(&image);
    for (const FlamePart& part : parts)
        paintFlame(painter, part, m_content.by, 0, height);
    return image;
}

void FlameView::paintEvent(QPaintEvent*)
{
    const qreal ratio = devicePixelRatioF();
    const QSize size = (QSizeF(viewport()->size()) * ratio).toSize();
    if (m_picture.isNull() || m_picture.size() != size) {
        m_picture = QPixmap(size);
        m_picture.setDevicePixelRatio(ratio);
        m_picture.fill(theme().color("surface.panel"));
        QPainter painter(&m_picture);
        painter.translate(0, offset());
        for (const FlamePart& part : m_parts)
            paintFlame(painter, part, m_content.by, -offset(), -offset() + viewport()->height());
    }
    QPainter painter(viewport());
    painter.drawPixmap(0, 0, m_picture);
    const QColor outline = theme().color("select.outline");
    if (m_selected)
        outlineFunction(painter, *m_selected, outline);
    if (m_hovered && m_hovered->count == 1 && m_hovered->node != 0)
        outlineFunction(painter, keyOf(treeOf(*m_hovered).functionOf(m_hovered->node)), outline);
    if (m_current && m_outlinesCurrent && hasFocus()) {
        painter.setPen(QPen(theme().color("accent.line"), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rectOf(*m_current).adjusted(1, 1, -1, -1));
    }
}

void FlameView::outlineFunction(QPainter& painter, const FrameKey& key, const QColor& color) const
{
    painter.setPen(color);
    painter.setBrush(Qt::NoBrush);
    for (const FlamePart& part : m_parts) {
        std::vector<bool> isSame(part.tree->functions.size());
        for (std::size_t i = 0; i < isSame.size(); ++i)
            isSame[i] = keyOf(part.tree->functions[i]) == key;
        for (int row = part.skippedRows; row < part.layout.rowCount(); ++row) {
            const double y = part.rowTop(row) + offset();
            if (y + FlameRowHeight <= 0 || y >= viewport()->height())
                continue;
            for (const FlameBox& box : part.layout.row(row))
                if (!box.isColumn && box.node != 0 && isSame[static_cast<std::size_t>(part.tree->nodes[box.node].function)])
                    painter.drawRect(part.rectOf(box, row).translated(0, offset()).adjusted(0, 0, -1, -1));
        }
    }
}

} // namespace helio
