#include "widgets/flame/frame/flame_graph_base.h"

#include "widgets/async/discard.h"
#include "widgets/controls/copy_text.h"
#include "widgets/flame/view/frame_text.h"
#include "widgets/theme/themes.h"

#include <QMenu>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace helio {

namespace {

/// Returns the tooltip of `count` frames that are too narrow to be distinguished.
TipContent narrowFramesTip(std::uint32_t count)
{
    TipContent tip;
    tip.look.height = 16;
    tip.look.color = theme().color("line.strong");
    tip.title = FlameGraphBase::tr("%1 frames, too narrow to show").arg(count);
    tip.place = FlameGraphBase::tr("Click to enlarge them");
    return tip;
}

/// Places the tooltip beside the frame, never over it. `position`: position of the pointer in the graph's viewport.
void placeTip(StateTip& tip, const FlameView& graph, const FlameFrameRef& place, QPoint position)
{
    QWidget* window = graph.window();
    const QPoint top = graph.viewport()->mapTo(window, QPoint(0, 0));
    const QPoint pointer = top + position;
    const QRectF frame = graph.rectOf(place);
    const bool isSeen = !frame.isEmpty();
    const int y = top.y() + int(frame.top());
    tip.place(window, pointer, isSeen ? y : pointer.y() - FlameRowHeight, isSeen ? y + FlameRowHeight : pointer.y() + FlameRowHeight);
}

} // namespace

FlameGraphBase::FlameGraphBase(SharedQuery& work, QWidget* parent)
    : PanelGround(parent)
    , m_graph(new FlameView)
    , m_lines(new QVBoxLayout(this))
    , m_stack(new QStackedWidget)
    , m_head(new FlameHead)
    , m_trail(new FlameTrail(*m_graph))
    , m_search(
          new FlameSearch(*m_graph, [this](const SampleSum& sum, const FunctionMatcher& matches) { return matchShareText(sum, matches); }))
    , m_work(new WorkLine(work))
    , m_tip(new StateTip(this))
{
    m_lines->setContentsMargins(12, 6, 12, 6);
    m_lines->setSpacing(6);
    m_lines->addLayout(m_head);
    m_lines->addWidget(m_trail);
    m_lines->addWidget(m_stack, 1);
    setFocusProxy(m_graph);
    // Registers this view instead of the graph. The graph is hidden while it is empty, so a query that served the graph would never run.
    work.serve(this);
    const auto refreshTrail = [this] { m_trail->refresh(); };
    connect(m_graph, &FlameView::zoomChanged, this, refreshTrail);
    connect(m_graph, &FlameView::hovered, this, &FlameGraphBase::showTip);
    connect(m_graph, &FlameView::menuRequested, this, &FlameGraphBase::showFrameMenu);
    connect(m_graph, &FlameView::searchRequested, this, [this] { focusSearch(); });
    connect(&Themes::instance(), &Themes::changed, this, refreshTrail);
    connect(&m_job, &LatestTask::failed, this, [this] { showState(); });
}

FlameGraphBase::~FlameGraphBase() { delete m_tip; }

void FlameGraphBase::addNotice(QWidget* notice) { m_lines->insertWidget(m_lines->indexOf(m_stack), notice); }

void FlameGraphBase::setPages(QWidget* empty, QWidget* body)
{
    m_stack->addWidget(empty);
    m_stack->addWidget(body);
}

void FlameGraphBase::showEmpty(bool isEmpty) { m_stack->setCurrentIndex(isEmpty ? 0 : 1); }

void FlameGraphBase::rebuild()
{
    m_isOld = !isVisible();
    if (!m_isOld)
        build();
}

void FlameGraphBase::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    if (m_isOld)
        rebuild();
}

void FlameGraphBase::showContent(FlameContent content, bool isLast, const std::function<FlamePath(const FlamePath&)>& renamed)
{
    replaceContent(*m_graph, std::move(content), renamed);
    if (const auto& tree = m_graph->content().tree; tree && tree->isNamed)
        m_keptZoom.apply(*m_graph, isLast);
    m_search->refresh();
    showState();
    m_trail->refresh();
}

void FlameGraphBase::search(const QString& text) { m_search->setText(text); }

void FlameGraphBase::focusSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void FlameGraphBase::showTip(const std::optional<FlameFrameRef>& place, QPoint position)
{
    if (!place)
        return m_tip->hide();
    m_tip->setContent(place->count > 1 ? narrowFramesTip(place->count) : tipOf(*place));
    placeTip(*m_tip, *m_graph, *place, position);
    m_tip->show();
}

void FlameGraphBase::showFrameMenu(const FlameFrameRef& place, QPoint at)
{
    m_tip->hide();
    QMenu menu;
    // The tree is kept, because the graph may get a tree with more names while the menu is open.
    const auto tree = m_graph->parts()[place.part].tree;
    menu.addAction(tr("Zoom to frame"), this, [&] {
        if (place.part < m_graph->parts().size() && m_graph->parts()[place.part].tree == tree)
            m_graph->zoomTo(place.part, place.node);
    });
    if (place.node != 0)
        fillFrameMenu(menu, *tree, place);
    menu.exec(at);
}

void FlameGraphBase::addSearchFor(QMenu& menu, const SampledFunction& function)
{
    menu.addAction(tr("Find all occurrences"), this, [this, label = frameLabel(function)] { search(label); });
}

void FlameGraphBase::addCopy(QMenu& menu, const QString& text, const QString& copied)
{
    menu.addAction(text, &menu, [copied] { copyText(copied); });
}

void addFullName(TipContent& tip, const SampledFunction& function)
{
    // Maximum number of letters in a tooltip. Longer names, which only compilers and generators of code produce, would fill the screen.
    constexpr qsizetype Most = 600;
    QString name = frameLabel(function);
    if (name == tip.title)
        return;
    if (name.size() > Most)
        name = name.left(Most) + QChar(0x2026);
    tip.cause = tip.cause.isEmpty() ? name : name + u'\n' + tip.cause;
}

void replaceContent(FlameView& graph, FlameContent content, const std::function<FlamePath(const FlamePath&)>& renamed)
{
    FlameContent old = graph.content();
    graph.setContent(std::move(content), renamed);
    std::size_t parts = 0;
    for (const auto* tree : {&old.tree, &old.callers})
        parts += *tree ? (*tree)->nodes.size() : 0;
    // Must come last. discard() lets another thread free the old trees; if this thread still referred to them, this thread would have to
    // free them.
    discard(std::move(old), parts);
}

} // namespace helio
