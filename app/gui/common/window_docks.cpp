#include "app/gui/common/window_docks.h"

#include "app/gui/common/side_rail.h"
#include "app/gui/common/view_popup.h"
#include "app/gui/common/window_frame.h"
#include "widgets/workspace/view_roles.h"

#include <QJsonArray>
#include <QResizeEvent>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <string_view>
#include <tuple>

namespace helio {

namespace {

constexpr int SideWidth = 416;
constexpr int SideMin = 320;
constexpr int SideMax = 640;
constexpr int OverlayWidth = 404;
constexpr int BottomMin = 160;
/// Default minimum height of the bottom dock beside rows with states, in pixels: controls, titles and five lines.
constexpr int UsefulBottom = 192;
constexpr int MostBottom = 80; ///< Maximum height of the bottom dock in percent while the time panels are shown.
/// Maximum default height of the time panels, in percent of the height of the time panels and the bottom dock together. The panels get this
/// height only if their rows need it.
constexpr int UsefulCentre = 58;

QJsonArray toJson(const QList<int>& sizes)
{
    QJsonArray array;
    for (const int size : sizes)
        array << size;
    return array;
}

/// Returns the current id for a view's id in a session or layout, which may be from an earlier version of the program.
QString currentId(const QString& id)
{
    return id == QLatin1String("why") ? QStringLiteral("details") : id == QLatin1String("search") ? QStringLiteral("events") : id;
}

void restore(QSplitter* splitter, const QJsonValue& value)
{
    QList<int> sizes;
    for (const QJsonValue& size : value.toArray())
        sizes << std::clamp(size.toInt(), 0, 100'000);
    if (sizes.size() == splitter->count())
        splitter->setSizes(sizes);
}

} // namespace

WindowDocks::WindowDocks(ViewContext& context, QWidget* centre, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_across(makeSplitter(Qt::Horizontal))
    , m_down(makeSplitter(Qt::Vertical))
    , m_side(makeSplitter(Qt::Vertical))
    , m_rightTop(new DockArea(tr("Upper side docks")))
    , m_rightBottom(new DockArea(tr("Lower side docks")))
    , m_bottom(new DockArea(tr("Bottom docks")))
    , m_rail(new SideRail)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_across, 1);
    layout->addWidget(m_rail);
    m_rail->hide();
    addParts(*m_across, {m_down, m_side});
    addParts(*m_down, {centre, m_bottom});
    addParts(*m_side, {m_rightTop, m_rightBottom});
    m_across->setStretchFactor(0, 1);
    m_across->setStretchFactor(1, 0);
    m_down->setStretchFactor(0, 3);
    m_down->setStretchFactor(1, 1);
    m_side->setMinimumWidth(SideMin);
    m_side->setMaximumWidth(SideMax);
    m_side->setAutoFillBackground(true); // Make the background opaque, because the docks may lie over the time panels.
    m_bottom->setMinimumHeight(BottomMin);
    addViews(context);
    connect(m_down, &QSplitter::splitterMoved, this, [this] {
        m_hasUserHeight = true;
        placeOverlay();
    });
    connect(&context, &ViewContext::timelineChanged, this, &WindowDocks::updateTabs);
    connect(m_rail, &SideRail::clicked, this, &WindowDocks::toggleOverlay);
    for (DockArea* dock : {m_rightTop, m_rightBottom})
        connect(dock, &DockArea::currentChanged, this, &WindowDocks::update);
    connect(m_bottom, &DockArea::tabCloseRequested, this, &WindowDocks::closeView);
    connect(m_rightTop, &DockArea::closeRequested, this, [this] { setSideShown(false); });
    connect(m_rightBottom, &DockArea::closeRequested, this, [this] { setSideShown(false); });
    connect(m_bottom, &DockArea::closeRequested, this, [this] { setBottomShown(false); });
}

void WindowDocks::addViews(ViewContext& context)
{
    const auto shelf = builtinViews();
    std::vector<const ViewKind*> kinds(shelf.begin(), shelf.end());
    const auto placeOf = [](const ViewKind* kind) { return std::tuple(kind->area, kind->order, std::string_view(kind->id)); };
    std::ranges::sort(kinds, {}, placeOf);
    for (const ViewKind* kind : kinds) {
        QWidget* view = kind->make(context, nullptr);
        view->setAccessibleName(tr(kind->title));
        m_views.insert(kind->id, view);
        m_kinds.insert(kind->id, kind);
        m_order << kind->id;
        if (kind->area == ViewKind::Area::Header) {
            m_popups.insert(kind->id, new ViewPopup(view, this));
            continue;
        }
        homeOf(kind->id)->addPage(kind->id, tr(kind->title), view);
        if (kind->area != ViewKind::Area::Bottom)
            m_rail->addView(kind->id, tr(kind->title), kind->icon);
    }
    updateTabs();
    for (DockArea* dock : {m_rightTop, m_rightBottom, m_bottom})
        if (!dock->pages().isEmpty())
            dock->setCurrent(dock->pages().front());
}

DockArea* WindowDocks::homeOf(const QString& id) const
{
    switch (m_kinds.value(id)->area) {
    case ViewKind::Area::RightTop: return m_rightTop;
    case ViewKind::Area::RightBottom: return m_rightBottom;
    default: return m_bottom;
    }
}

bool WindowDocks::show(const QString& id, bool takesFocus)
{
    if (!m_views.contains(id))
        return false;
    if (ViewPopup* const popup = m_popups.value(id)) {
        popup->open(m_anchors.value(id));
        return true;
    }
    DockArea* dock = homeOf(id);
    (dock == m_bottom ? m_wantsBottom : m_isNarrow ? m_isOverlayOpen : m_wantsSide) = true;
    if (!hasContent(id))
        m_requested.insert(id);
    updateTabs();
    dock->setCurrent(id);
    if (m_isNarrow && dock != m_bottom)
        for (DockArea* side : {m_rightTop, m_rightBottom})
            side->setVisible(side == dock);
    update();
    if (takesFocus)
        m_views.value(id)->setFocus(Qt::OtherFocusReason);
    emit shownChanged();
    return true;
}

void WindowDocks::closeView(const QString& id)
{
    m_requested.remove(id);
    updateTabs();
}

bool WindowDocks::hasContent(const QString& id) const
{
    const ViewKind& kind = *m_kinds.value(id);
    const auto timeline = m_context.timeline();
    return !kind.hasContent || (timeline && kind.hasContent(*timeline));
}

void WindowDocks::updateTabs()
{
    for (const QString& id : m_bottom->pages()) {
        const bool isFilled = hasContent(id), isRequested = m_requested.contains(id);
        m_bottom->setTabShown(id, isFilled || isRequested);
        m_bottom->setTabClosable(id, isRequested && !isFilled);
    }
}

QString WindowDocks::viewAround(const QWidget* widget) const
{
    for (auto it = m_views.begin(); it != m_views.end(); ++it)
        if (it.value() == widget || it.value()->isAncestorOf(widget))
            return it.key();
    return {};
}

void WindowDocks::setSideShown(bool isShown)
{
    (m_isNarrow ? m_isOverlayOpen : m_wantsSide) = isShown;
    update();
    emit shownChanged();
}

void WindowDocks::setBottomShown(bool isShown)
{
    m_wantsBottom = isShown;
    update();
    emit shownChanged();
}

void WindowDocks::update()
{
    if (!m_isNarrow)
        for (DockArea* dock : {m_rightTop, m_rightBottom})
            dock->show();
    m_side->setVisible(isSideShown());
    m_rail->setOpen(!isSideShown() ? QString() : m_rightTop->isHidden() ? m_rightBottom->current() : m_rightTop->current());
    m_bottom->setVisible(m_wantsBottom && !m_bottom->pages().isEmpty());
    const bool isCentreShown = m_kind != RecordingKind::Untimed || m_bottom->isHidden();
    m_down->widget(0)->setVisible(isCentreShown);
    const int most = isCentreShown ? std::max(BottomMin, height() * MostBottom / 100) : QWIDGETSIZE_MAX;
    m_bottom->setMaximumHeight(most);
    placeOverlay();
}

void WindowDocks::toggleOverlay(const QString& id)
{
    const bool isOpen = m_isOverlayOpen && !homeOf(id)->isHidden() && homeOf(id)->current() == id;
    isOpen ? setSideShown(false) : void(show(id));
}

void WindowDocks::placeOverlay()
{
    if (!m_isNarrow)
        return;
    const int width = std::min(OverlayWidth, m_across->width());
    m_side->setGeometry(m_across->width() - width, 0, width, m_bottom->isHidden() ? height() : m_bottom->mapTo(this, QPoint()).y());
    m_side->raise();
}

void WindowDocks::setKind(RecordingKind kind, const QJsonObject& remembered)
{
    m_kind = kind;
    m_hasUserHeight = false;
    const bool showsEvents = kind == RecordingKind::States || kind == RecordingKind::Events;
    const QString front = showsEvents ? QStringLiteral("events") : QStringLiteral("flame_graph");
    if (!remembered.isEmpty()) {
        QJsonObject layout = remembered;
        layout.remove("requested"); // Remove from the layout the views that the user requested for another recording.
        if (!layout.contains("bottom"))
            layout["bottom"] = front;
        return restoreLayoutState(layout);
    }
    m_wantsSide = kind != RecordingKind::Untimed; // Hide the side docks for untimed recordings, because their views need times.
    m_isOverlayOpen = false;
    m_wantsBottom = true;
    update();
    m_bottom->setCurrent(front);
    setDefaultHeights();
    emit shownChanged();
}

void WindowDocks::setCentreHeight(int height, int useful)
{
    m_centreHeight = height;
    m_usefulCentre = useful;
    setDefaultHeights();
}

void WindowDocks::setDefaultHeights()
{
    if (m_hasUserHeight || !m_isSized)
        return;
    const int all = height() - m_down->handleWidth();
    const int most = std::max({120, all * 4 / 10, std::min(m_usefulCentre, all * UsefulCentre / 100)});
    const int centre =
        hasLargeCentre() ? std::min(all * 3 / 4, std::max(all / 2, all - UsefulBottom)) : std::clamp(m_centreHeight, 120, most);
    m_down->setSizes({centre, all - centre});
}

void WindowDocks::setNarrow(bool isNarrow)
{
    if (isNarrow == m_isNarrow)
        return;
    m_isNarrow = isNarrow;
    m_isOverlayOpen = false;
    m_rail->setVisible(isNarrow);
    if (isNarrow) {
        m_side->setParent(this);
    } else {
        addParts(*m_across, {m_side});
        m_across->setStretchFactor(1, 0);
        setDefaultSide();
    }
    update();
    emit shownChanged();
}

void WindowDocks::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    setNarrow(width() < NarrowWidth);
    update();
    sizeOnce();
    if (!hasLargeCentre())
        setDefaultHeights();
}

void WindowDocks::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    sizeOnce();
}

void WindowDocks::sizeOnce()
{
    if (!m_isSized && isVisible())
        QTimer::singleShot(0, this, &WindowDocks::setDefaultSizes); // Set the sizes from the event loop, after the splitters are laid out.
}

void WindowDocks::setDefaultSizes()
{
    if (std::exchange(m_isSized, true))
        return;
    setDefaultSide();
    setDefaultHeights();
}

void WindowDocks::setDefaultSide()
{
    m_across->setSizes({width() - SideWidth - 4, SideWidth});
    // The upper dock is taller, because its view Statistics has one line per thread.
    m_side->setSizes({height() * 57 / 100, height() * 43 / 100});
}

QJsonObject WindowDocks::layoutState() const
{
    const bool hasSide = !m_isNarrow && m_wantsSide;
    return {{"across", hasSide ? toJson(m_across->sizes()) : QJsonArray()},
            {"down", m_hasUserHeight ? toJson(m_down->sizes()) : QJsonArray()},
            {"side", hasSide ? toJson(m_side->sizes()) : QJsonArray()},
            {"requested", QJsonArray::fromStringList(QStringList(m_requested.begin(), m_requested.end()))},
            {"sideShown", m_wantsSide},
            {"bottomShown", m_wantsBottom},
            {"rightTop", m_rightTop->current()},
            {"rightBottom", m_rightBottom->current()},
            {"bottom", m_bottom->current()}};
}

QJsonObject WindowDocks::viewStates() const
{
    QJsonObject states;
    for (auto it = m_views.begin(); it != m_views.end(); ++it)
        if (const auto* view = dynamic_cast<const SavedViewState*>(it.value()))
            states[it.key()] = view->save();
    return states;
}

void WindowDocks::restoreViewStates(const QJsonObject& states)
{
    for (auto it = m_views.begin(); it != m_views.end(); ++it)
        if (auto* view = dynamic_cast<SavedViewState*>(it.value()); view && states.contains(it.key()))
            view->restore(states[it.key()].toObject());
}

void WindowDocks::restoreLayoutState(const QJsonObject& state)
{
    m_isSized = true;
    m_wantsSide = state["sideShown"].toBool(true);
    m_wantsBottom = state["bottomShown"].toBool(true);
    update();
    if (!m_isNarrow) {
        setDefaultSide();
        restore(m_across, state["across"]);
        restore(m_side, state["side"]);
    }
    m_hasUserHeight = state["down"].toArray().size() == m_down->count();
    if (m_hasUserHeight)
        restore(m_down, state["down"]);
    else
        setDefaultHeights();
    m_requested.clear();
    for (const QJsonValue& id : state["requested"].toArray())
        if (const QString view = currentId(id.toString()); m_kinds.contains(view))
            m_requested.insert(view);
    updateTabs();
    m_rightTop->setCurrent(currentId(state["rightTop"].toString()));
    m_rightBottom->setCurrent(currentId(state["rightBottom"].toString()));
    m_bottom->setCurrent(currentId(state["bottom"].toString()));
    emit shownChanged();
}

} // namespace helio
