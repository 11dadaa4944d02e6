#include "widgets/compare/flame/difference_graph_view.h"

#include "widgets/compare/flame/difference_ramp.h"
#include "widgets/compare/flame/saved_difference.h"
#include "widgets/compare/functions/difference_functions_view.h"
#include "widgets/controls/menus.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/pill.h"

#include <QMenu>
#include <QSplitter>
#include <QToolButton>

namespace helio {

namespace {

constexpr int SearchWidth = 300;
constexpr int LeastSearch = 120;
constexpr int LeastTable = 130;

} // namespace

DifferenceGraphView::DifferenceGraphView(DifferenceModel& model, QWidget* parent)
    : DifferenceFlame(model, {}, parent)
    , m_model(model)
    , m_table(new DifferenceTable(model))
    , m_parts(new QSplitter(Qt::Vertical))
{
    graph().setAccessibleName(tr("Differential flame graph"));
    makeExports();
    makeTrail();
    makeHead();
    makeBody();
    wire();
    showState();
    trail().refresh();
}

void DifferenceGraphView::makeHead()
{
    m_amounts = head().addMenu(tr("Time per process"), [this](QMenu* menu) { fillAmountMenu(menu); });
    m_width = head().addMenu(tr("Width: B"), [this](QMenu* menu) { fillWidthMenu(menu); });
    m_color = head().addMenu(tr("Self change"), [this](QMenu* menu) { fillColorMenu(menu); });
    m_shape = head().addMenu(tr("Top-down"), [this](QMenu* menu) { fillShapeMenu(menu); });
    m_amounts->setToolTip(tr("Amounts that are compared"));
    m_width->setToolTip(tr("Side whose amounts are the widths"));
    m_color->setToolTip(tr("Meaning of the colours"));
    m_shape->setToolTip(tr("Direction of the stacks"));
    m_elided = head().addSwitch(tr("Show removed frames"), tr("Keep frames that only A has, as outlines with their width in A"));
    m_magnifier = makeHeadButton("search", tr("Search functions (/)"));
    m_magnifier->setCheckable(true);
    m_more = makeHeadButton("more", tr("More"));
    m_more->setMenu(makeMenu(m_more, [this](QMenu* menu) {
        head().fillFolded(*menu);
        menu->addActions(m_exports);
    }));
    for (QWidget* tool : std::initializer_list<QWidget*>{m_ramp, m_magnifier, m_more})
        head().addTool(tool);
    head().setMore(m_more, true);
}

void DifferenceGraphView::makeTrail()
{
    searchField().setFixedHeight(22);
    searchField().setMinimumWidth(LeastSearch);
    searchField().setMaximumWidth(SearchWidth);
    searchField().setAccessibleName(tr("Search the differential flame graph"));
    trail().layout()->setSpacing(8);
    for (QWidget* part : std::initializer_list<QWidget*>{&workLine(), searchField().foundLabel(), &searchField()})
        trail().add(part);
    setSearching(false);
}

void DifferenceGraphView::makeBody()
{
    m_parts->setHandleWidth(6);
    m_parts->setChildrenCollapsible(true);
    m_parts->addWidget(&graph());
    m_parts->addWidget(m_table);
    setPages(m_page, m_parts);
}

void DifferenceGraphView::wire()
{
    connect(m_parts, &QSplitter::splitterMoved, this, [this] { m_isPartedByHand = true; });
    connect(&m_model, &DifferenceModel::shownChanged, this, &DifferenceGraphView::rebuild);
    connect(&m_model, &DifferenceModel::choicesChanged, this, &DifferenceGraphView::showState);
    connect(&m_model, &DifferenceModel::functionChosen, this, [this] { graph().selectFunction(keyOf(*m_model.function())); });
    connect(m_elided, &QAbstractButton::toggled, this,
            [this](bool isOn) { change([isOn](DifferenceGraphOptions& look) { look.widths.keepsElided = isOn; }); });
    connect(m_page, &EmptyPage::buttonClicked, this, [this] { choose([](DifferenceSettings& it) { it.isOfAll = true; }); });
    connect(m_magnifier, &QAbstractButton::toggled, this, [this](bool isOn) {
        setSearching(isOn);
        isOn ? searchField().setFocus(Qt::ShortcutFocusReason) : graph().setFocus(Qt::OtherFocusReason);
    });
    connect(&searchField(), &FlameSearch::left, this, [this] { m_magnifier->setChecked(false); });
    connect(&searchField(), &QLineEdit::textChanged, this, [this](const QString& text) {
        if (!text.isEmpty()) // The search field is hidden by default; a search from a frame's menu shows it.
            m_magnifier->setChecked(true);
    });
    connect(&workLine(), &WorkLine::changed, this, [this] { trail().refresh(); });
    const auto functionAt = [this](const FlameFrameRef& place) { return graph().treeOf(place).functionOf(place.node); };
    connect(&graph(), &FlameView::framePicked, this, [this, functionAt](const FlameFrameRef& place) {
        if (place.node != 0)
            m_model.chooseFunction(functionAt(place));
    });
    connect(&graph(), &FlameView::functionOpened, this, [this, functionAt](const FlameFrameRef& place) {
        if (place.node != 0)
            m_model.openSource(functionAt(place));
    });
}

void DifferenceGraphView::resizeEvent(QResizeEvent* event)
{
    DifferenceFlame::resizeEvent(event);
    placeRamp();
    shareHeight();
}

/// Distributes the height: the graph gets the height of its rows, and the table gets the remaining height. If the remaining height is less
/// than LeastTable, the table is hidden, because the Functions page also has it.
void DifferenceGraphView::shareHeight()
{
    if (m_isPartedByHand)
        return;
    int rows = 0;
    for (const FlamePart& part : graph().parts())
        rows += part.height();
    const int all = m_parts->height();
    const int table = all - rows - m_parts->handleWidth();
    m_parts->setSizes(table < LeastTable ? QList<int>{all, 0} : QList<int>{all - table, table});
}

void DifferenceGraphView::placeRamp()
{
    int needed = 40 + head().title()->sizeHint().width() + m_magnifier->width() + m_more->width();
    for (const Pill* pill : head().pills())
        needed += pill->sizeHint().width() + head().spacing();
    const bool hasRoom = width() >= needed + m_ramp->sizeHint().width();
    if (hasRoom != trail().has(m_ramp))
        return;
    if (hasRoom)
        head().insertWidget(head().indexOf(m_magnifier), m_ramp);
    else
        trail().add(m_ramp);
    trail().refresh();
}

void DifferenceGraphView::setLook(const DifferenceGraphOptions& look)
{
    if (look == m_look)
        return;
    m_look = look;
    graph().setRootsBelow(look.areRootsBelow);
    showState();
    rebuild();
}

void DifferenceGraphView::drew()
{
    for (QAction* action : m_exports)
        action->setEnabled(style() != nullptr);
    shareHeight();
}

QJsonObject DifferenceGraphView::save() const
{
    QJsonObject json = toJson(SavedDifference{m_model.choices(), m_look});
    json["zoom"] = keptZoom();
    return json;
}

void DifferenceGraphView::restore(const QJsonObject& kept)
{
    const SavedDifference difference = savedDifferenceFrom(kept);
    restoreZoom(kept["zoom"]);
    m_model.setChoices(difference.choices);
    setLook(difference.look);
}

void DifferenceGraphView::showState()
{
    const DifferenceSettings& choices = m_model.choices();
    const bool isThere = style() != nullptr;
    head().title()->setText(drawn().name().isEmpty() ? tr("All samples") : drawn().name());
    head().title()->setToolTip(basisText(drawn()));
    m_amounts->setText(amountsText());
    static const char* const widths[] = {QT_TR_NOOP("Width: B"), QT_TR_NOOP("Width: A"), QT_TR_NOOP("Width: widest")};
    m_width->setText(tr(widths[int(m_look.widths.of)]));
    m_color->setText(m_look.ofTotals && !choices.isInverted ? tr("Colour: inclusive") : tr("Colour: self change"));
    m_shape->setText(choices.isInverted ? tr("Inverted") : m_look.areRootsBelow ? tr("Flame") : tr("Top-down"));
    m_elided->setChecked(m_look.widths.keepsElided);
    // With the widths of the wider side (Widest), the frames of both sides are shown anyway, so there is nothing to choose.
    m_elided->setEnabled(m_look.widths.of != DifferenceWidths::Of::Widest);
    head().refresh();
    m_page->setButton(drawn().canCompareAll ? tr("Compare all samples") : QString());
    m_page->setText(drawn().missing.isEmpty() ? tr("Comparing samples \u2026") : drawn().missing, drawn().advice);
    showEmpty(!isThere);
    for (QWidget* part : std::initializer_list<QWidget*>{head().title(), m_width, m_color, m_shape, m_elided, m_ramp, m_magnifier})
        head().setShown(part, isThere);
    placeRamp();
}

/// Returns the menu title that says in which unit A and B are compared, e.g. "Time per process".
QString DifferenceGraphView::amountsText() const
{
    using Per = DifferenceSettings::Per;
    const DifferenceSettings& choices = m_model.choices();
    const bool isTime = drawn().sides[1].kind.isTime || !style();
    switch (choices.basis.per) {
    case Per::Share: return tr("Share");
    case Per::Samples: return tr("Samples");
    case Per::Unit: return tr("Per unit of work");
    case Per::Run: break;
    }
    if (drawn().isOfThreadsTime() && choices.basis.per == Per::Run)
        return tr("CPU time per process");
    if (choices.isOfAll || drawn().sides[0].isThread)
        return isTime ? tr("Time") : tr("Events");
    return isTime ? tr("Time per process") : tr("Events per process");
}

void DifferenceGraphView::focusSearch() { m_magnifier->setChecked(true); }

void DifferenceGraphView::setSearching(bool isOn)
{
    if (!isOn)
        searchField().clear();
    searchField().foundLabel()->setVisible(isOn);
    searchField().setVisible(isOn);
    trail().refresh();
}

} // namespace helio
