#include "widgets/compare/flame/difference_graph_view.h"

#include "core/query/rows/facts.h"
#include "widgets/compare/flame/difference_kept.h"
#include "widgets/compare/flame/difference_ramp.h"
#include "widgets/compare/flame/difference_tip.h"
#include "widgets/compare/functions/difference_functions_view.h"
#include "widgets/compare/functions/difference_table.h"
#include "widgets/sampling/flame_surroundings.h"
#include "widgets/shell/icons.h"
#include "widgets/shell/pages.h"
#include "widgets/shell/pill.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace helio {

namespace {

constexpr int SearchWidth = 300;
constexpr int LeastTable = 130;
constexpr int WorkShownAfter = 300; ///< ms.

QToolButton* makeButton(const QString& name)
{
    auto* button = new QToolButton;
    button->setFixedSize(22, 22);
    button->setToolTip(name);
    button->setAccessibleName(name);
    return button;
}

} // namespace

DifferenceGraphView::DifferenceGraphView(DifferenceModel& model, QWidget* parent)
    : PanelGround(parent)
    , m_model(model)
    , m_graph(new FlameView)
    , m_table(new DifferenceTable(model))
    , m_parts(new QSplitter(Qt::Vertical))
    , m_stack(new QStackedWidget)
    , m_page(new EmptyPage)
    , m_tip(new StateTip(this))
{
    m_graph->setAccessibleName(tr("Differential flame graph"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->setSpacing(6);
    makeExports();
    makeTrail();
    makeHead();
    layout->addLayout(m_head);
    layout->addWidget(m_trail);
    m_parts->setHandleWidth(6);
    m_parts->setChildrenCollapsible(true);
    m_parts->addWidget(m_graph);
    m_parts->addWidget(m_table);
    m_page->setInDock();
    m_stack->addWidget(m_page);
    m_stack->addWidget(m_parts);
    layout->addWidget(m_stack, 1);
    setFocusProxy(m_graph);
    wire();
    updateLook();
    updateTrail();
    showState();
}

DifferenceGraphView::~DifferenceGraphView() { delete m_tip; }

void DifferenceGraphView::makeHead()
{
    m_title = makeLabel({}, 12, 600, "text.primary");
    m_amounts = new Pill(tr("Time per process"));
    m_width = new Pill(tr("Width: B"));
    m_color = new Pill(tr("Own change"));
    m_shape = new Pill(tr("Top-down"));
    m_elided = new Pill(tr("Elided"));
    m_elided->setCheckable(true);
    m_elided->setToolTip(tr("Keep what only A has, as outlines as wide as it is there"));
    const std::pair<Pill*, void (DifferenceGraphView::*)(QMenu*)> menus[] = {{m_amounts, &DifferenceGraphView::fillAmountMenu},
                                                                             {m_width, &DifferenceGraphView::fillWidthMenu},
                                                                             {m_color, &DifferenceGraphView::fillColorMenu},
                                                                             {m_shape, &DifferenceGraphView::fillShapeMenu}};
    for (const auto& [pill, fill] : menus)
        pill->setMenu([this, fill = fill](QMenu* menu) { (this->*fill)(menu); });
    m_ramp = new DifferenceRamp;
    m_magnifier = makeButton(tr("Search functions (/)"));
    m_magnifier->setCheckable(true);
    m_more = makeButton(tr("Save the comparison"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_more);
    menu->addActions(m_exports);
    m_more->setMenu(menu);
    m_head = new QHBoxLayout;
    m_head->setContentsMargins(0, 0, 0, 0);
    m_head->setSpacing(6);
    m_head->addWidget(m_title);
    m_head->addSpacing(4);
    for (Pill* pill : {m_amounts, m_width, m_color, m_shape, m_elided})
        m_head->addWidget(pill);
    m_head->addStretch(1);
    m_head->addWidget(m_ramp);
    m_head->addWidget(m_magnifier);
    m_head->addWidget(m_more);
}

void DifferenceGraphView::makeTrail()
{
    m_crumbs = new CrumbTrail(*m_graph);
    m_work = makeLabel({}, 11, 400, "text.secondary");
    m_search = new QLineEdit;
    m_search->setFixedSize(SearchWidth, 22);
    m_search->setPlaceholderText(tr("Search functions"));
    m_search->setAccessibleName(tr("Search the differential flame graph"));
    m_search->installEventFilter(this);
    m_found = makeLabel({}, 11, 400, "text.hint");
    m_trail = new QWidget;
    m_trailLine = new QHBoxLayout(m_trail);
    m_trailLine->setContentsMargins(0, 0, 0, 0);
    m_trailLine->setSpacing(8);
    m_trailLine->addWidget(m_crumbs, 1);
    for (QWidget* part : std::initializer_list<QWidget*>{m_work, m_found, m_search})
        m_trailLine->addWidget(part);
}

void DifferenceGraphView::wire()
{
    connect(m_parts, &QSplitter::splitterMoved, this, [this] { m_isPartedByHand = true; });
    m_model.serve(this); // Graph and table are hidden while there is nothing.
    connect(&m_model, &DifferenceModel::shownChanged, this, &DifferenceGraphView::build);
    connect(&m_model, &DifferenceModel::choicesChanged, this, &DifferenceGraphView::showState);
    connect(&m_model, &DifferenceModel::workChanged, this,
            [this] { m_model.work().isEmpty() ? showWork() : m_workTimer.start(WorkShownAfter); });
    connect(&m_model, &DifferenceModel::functionChosen, this, [this] { m_graph->selectFunction(keyOf(*m_model.function())); });
    connect(&m_workTimer, &QTimer::timeout, this, &DifferenceGraphView::showWork);
    connect(m_elided, &QAbstractButton::toggled, this,
            [this](bool isOn) { change([isOn](DifferenceLook& look) { look.widths.keepsElided = isOn; }); });
    connect(m_page, &EmptyPage::buttonClicked, this, [this] { choose([](DifferenceChoices& it) { it.isOfAll = true; }); });
    connect(m_magnifier, &QAbstractButton::toggled, this, &DifferenceGraphView::setSearching);
    connect(m_search, &QLineEdit::textChanged, this, &DifferenceGraphView::search);
    connect(m_graph, &FlameView::zoomChanged, this, &DifferenceGraphView::updateTrail);
    connect(m_graph, &FlameView::hovered, this, &DifferenceGraphView::showTip);
    connect(m_graph, &FlameView::menuRequested, this, &DifferenceGraphView::showFrameMenu);
    connect(m_graph, &FlameView::searchRequested, this, [this] { m_magnifier->setChecked(true); });
    const auto functionAt = [this](const FlamePlace& place) { return m_graph->treeOf(place).functionOf(place.node); };
    connect(m_graph, &FlameView::framePicked, this, [this, functionAt](const FlamePlace& place) {
        if (place.node != 0)
            m_model.chooseFunction(functionAt(place));
    });
    connect(m_graph, &FlameView::functionOpened, this, [this, functionAt](const FlamePlace& place) {
        if (place.node != 0)
            m_model.openSource(functionAt(place));
    });
    connect(&Themes::instance(), &Themes::changed, this, &DifferenceGraphView::updateLook);
}

bool DifferenceGraphView::eventFilter(QObject* watched, QEvent* event)
{
    const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (watched == m_search && isKey && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept(); // Not the window's.
        if (event->type() == QEvent::KeyPress)
            m_magnifier->setChecked(false);
        return true;
    }
    return PanelGround::eventFilter(watched, event);
}

void DifferenceGraphView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    const ShownDifference& shown = m_model.shown();
    if (m_drawn.tree != shown.tree || m_drawn.graph != shown.graph || m_drawn.missing != shown.missing
        || m_drawn.canCompareAll != shown.canCompareAll)
        build();
}

void DifferenceGraphView::resizeEvent(QResizeEvent* event)
{
    PanelGround::resizeEvent(event);
    placeRamp();
    shareHeight();
}

/// The graph has what its rows need. What is left is the functions', if it is enough for a few of them: they have a page of their own, too.
void DifferenceGraphView::shareHeight()
{
    if (m_isPartedByHand)
        return;
    int rows = 0;
    for (const FlamePart& part : m_graph->parts())
        rows += part.height();
    const int all = m_parts->height();
    const int table = all - rows - m_parts->handleWidth();
    m_parts->setSizes(table < LeastTable ? QList<int>{all, 0} : QList<int>{all - table, table});
}

void DifferenceGraphView::placeRamp()
{
    int needed = 40 + m_title->sizeHint().width() + m_magnifier->width() + m_more->width();
    for (const QWidget* pill : {m_amounts, m_width, m_color, m_shape, m_elided})
        needed += pill->sizeHint().width() + m_head->spacing();
    const bool hasRoom = width() >= needed + m_ramp->sizeHint().width();
    if (hasRoom == (m_head->indexOf(m_ramp) >= 0))
        return;
    if (hasRoom)
        m_head->insertWidget(m_head->indexOf(m_magnifier), m_ramp);
    else
        m_trailLine->addWidget(m_ramp);
    updateTrail();
}

void DifferenceGraphView::setLook(const DifferenceLook& look)
{
    if (look == m_look)
        return;
    m_look = look;
    m_graph->setRootsBelow(look.areRootsBelow);
    showState();
    build();
}

void DifferenceGraphView::build()
{
    if (!isVisible())
        return;
    const ShownDifference shown = m_model.shown();
    if (!shown.graph) {
        m_job.cancel();
        return take({}, nullptr, shown);
    }
    m_job.post([this, shown, look = m_look](std::stop_token) -> LatestJob::Delivery {
        auto style = std::make_shared<const DifferenceStyle>(shown, look);
        FlameContent content;
        content.tree = std::make_shared<const CallTree>(widthTree(*shown.graph, look.widths));
        content.by = WeightBy::Weight;
        content.style = style;
        return [this, content, style, shown] { take(content, style, shown); };
    });
}

void DifferenceGraphView::take(FlameContent content, std::shared_ptr<const DifferenceStyle> style, const ShownDifference& shown)
{
    ShownDifference before = std::exchange(m_drawn, shown);
    m_style = std::move(style);
    if (m_style) {
        m_ramp->setSteps(m_style->steps(), shown.unit);
        m_crumbs->setRootName(m_style->rootName());
    }
    replaceContent(*m_graph, std::move(content));
    if (m_style)
        m_keptZoom.apply(*m_graph, std::ranges::all_of(shown.sides, [](const ComparedSide& it) { return isComplete(*it.timeline); }));
    for (QAction* action : m_exports)
        action->setEnabled(m_style != nullptr);
    updateFound();
    updateTrail();
    showState();
    shareHeight();
    discardDifference(std::move(before));
}

QJsonObject DifferenceGraphView::save() const
{
    QJsonObject json = toJson(KeptDifference{m_model.choices(), m_look});
    json["zoom"] = m_keptZoom.kept(*m_graph);
    return json;
}

void DifferenceGraphView::restore(const QJsonObject& kept)
{
    const KeptDifference difference = keptDifferenceFrom(kept);
    m_keptZoom.restore(kept["zoom"]);
    m_model.setChoices(difference.choices);
    setLook(difference.look);
}

void DifferenceGraphView::showState()
{
    const DifferenceChoices& choices = m_model.choices();
    const bool isThere = m_style != nullptr;
    m_title->setText(m_drawn.name().isEmpty() ? tr("All samples") : m_drawn.name());
    m_title->setToolTip(basisText(m_drawn));
    const bool isTime = m_drawn.sides[1].kind.isTime || !isThere;
    using Per = DifferenceChoices::Per;
    m_amounts->setText(choices.basis.per == Per::Share                    ? tr("Share")
                           : choices.basis.per == Per::Samples            ? tr("Samples")
                           : choices.basis.per == Per::Unit               ? tr("Per unit of work")
                           : choices.isOfAll || m_drawn.sides[0].isThread ? (isTime ? tr("Time") : tr("Events"))
                           : isTime                                       ? tr("Time per process")
                                                                          : tr("Events per process"));
    static const char* const widths[] = {QT_TR_NOOP("Width: B"), QT_TR_NOOP("Width: A"), QT_TR_NOOP("Width: widest")};
    m_width->setText(tr(widths[int(m_look.widths.of)]));
    m_color->setText(m_look.ofTotals && !choices.isInverted ? tr("Colour: inclusive") : tr("Colour: own change"));
    m_shape->setText(choices.isInverted ? tr("Inverted") : m_look.areRootsBelow ? tr("Flame") : tr("Top-down"));
    m_elided->setChecked(m_look.widths.keepsElided);
    m_elided->setEnabled(m_look.widths.of != DifferenceWidths::Of::Widest); // Which has them all.
    for (Pill* pill : {m_amounts, m_width, m_color, m_shape})
        pill->updateGeometry();
    m_page->setButton(m_drawn.canCompareAll ? tr("Compare all samples") : QString());
    m_page->setText(m_drawn.missing.isEmpty() ? tr("Comparing samples \u2026") : m_drawn.missing, m_drawn.advice);
    m_stack->setCurrentIndex(isThere ? 1 : 0);
    for (QWidget* part : std::initializer_list<QWidget*>{m_title, m_width, m_color, m_shape, m_elided, m_ramp, m_magnifier})
        part->setVisible(isThere);
    placeRamp();
}

void DifferenceGraphView::showWork()
{
    const QString work = m_model.work();
    m_work->setText(workText(work, m_model.workShare()));
    work.isEmpty() ? m_workTimer.stop() : m_workTimer.start(100);
    updateTrail();
}

void DifferenceGraphView::setSearching(bool isOn)
{
    m_isSearching = isOn;
    updateTrail();
    if (isOn)
        return m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->clear();
    m_graph->setFocus(Qt::OtherFocusReason);
}

void DifferenceGraphView::search(const QString& text)
{
    if (m_search->text() != text) {
        m_magnifier->setChecked(true);
        return m_search->setText(text);
    }
    updateFound();
}

void DifferenceGraphView::updateFound()
{
    const QString text = m_search->text();
    m_found->clear();
    if (text.isEmpty() || !m_style) {
        m_graph->setMatcher({});
        return;
    }
    const auto matches = functionsLike(text);
    m_graph->setMatcher(matches);
    const ComparedSum sum = sumOfMatches(*m_drawn.graph, matches);
    const DifferenceScale& scale = m_drawn.graph->scale;
    const ComparedSum& whole = m_drawn.graph->whole;
    const auto share = [](double part, double of) { return of > 0 ? QString::number(100 * part / of, 'f', 1) : QStringLiteral("\u2013"); };
    m_found->setText(m_graph->matchCount() == 0
                         ? tr("none")
                         : tr("%1 % of A, %2 % of B in %3 frames")
                               .arg(share(sum.scaledA(scale), whole.scaledA(scale)), share(sum.scaledB(scale), whole.scaledB(scale)),
                                    countText(m_graph->matchCount())));
}

QString DifferenceGraphView::found() const { return m_found->text(); }

void DifferenceGraphView::updateTrail()
{
    m_crumbs->refresh();
    const bool isWorking = !m_model.work().isEmpty() && !m_work->text().isEmpty();
    m_work->setVisible(isWorking);
    m_search->setVisible(m_isSearching);
    m_found->setVisible(m_isSearching);
    m_trail->setVisible(!m_crumbs->isEmpty() || m_isSearching || isWorking || (m_style && m_trailLine->indexOf(m_ramp) >= 0));
}

void DifferenceGraphView::showTip(const std::optional<FlamePlace>& place, QPoint position)
{
    if (!place || !m_style) {
        m_tip->hide();
        return;
    }
    showFrameTip(*m_tip, differenceTip(m_drawn, *m_style, *place), *m_graph, *place, position);
}

void DifferenceGraphView::updateLook()
{
    m_search->setFont(fonts().detail());
    m_magnifier->setIcon(themedIcon("search"));
    m_more->setIcon(themedIcon("more"));
    updateTrail();
}

} // namespace helio
