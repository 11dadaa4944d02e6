#include "widgets/compare/functions/difference_functions_view.h"

#include "widgets/compare/difference/difference_style.h"
#include "widgets/controls/copy_text.h"
#include "widgets/controls/folding_layout.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/pill.h"
#include "widgets/controls/table_copy.h"
#include "widgets/controls/table_style.h"
#include "widgets/paint/frame_name.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"
#include "widgets/workspace/filter_changes.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace helio {

namespace {

constexpr int LineHeight = 21;
constexpr int SwatchSize = 10;

class DifferenceDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {40, LineHeight}; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        paintLineGround(*painter, option);
        const QFont font = index.data(Qt::FontRole).value<QFont>();
        if (index.column() != DifferenceFunctions::Function)
            return paintCell(*painter, option.rect.adjusted(5, 0, -5, 0), index, font);
        const int step = index.data(DifferenceFunctions::StepRole).toInt();
        const QRect rect = option.rect;
        painter->fillRect(QRect(rect.left(), rect.center().y() - SwatchSize / 2, SwatchSize, SwatchSize),
                          theme().color(DifferenceStyle::roleName(step)));
        const QRectF room = QRectF(rect).adjusted(SwatchSize + 8, 0, -8, 0);
        const QString name = elidedFrame(font, index.data(Qt::DisplayRole).toString(), room.width());
        painter->setFont(font);
        painter->setPen(theme().color("text.primary"));
        const double base = centredBaseline(font, room);
        drawCachedText(*painter, {room.left(), base}, name);
        const double after = cachedTextWidth(font, name) + 8;
        const QFont small = fonts().at(11);
        const QString module = elidedLabel(small, index.data(DifferenceFunctions::ModuleRole).toString(), room.width() - after);
        painter->setFont(small);
        painter->setPen(theme().color("text.hint"));
        drawCachedText(*painter, {room.left() + after, base}, module);
    }
};

} // namespace

DifferenceTable::DifferenceTable(DifferenceModel& model, QWidget* parent)
    : QTreeView(parent)
    , m_model(model)
{
    setModel(&m_functions);
    setItemDelegate(new DifferenceDelegate(this));
    styleTable(*this);
    setContextMenuPolicy(Qt::CustomContextMenu);
    connect(this, &QWidget::customContextMenuRequested, this, &DifferenceTable::showMenu);
    makeSortable(*this, DifferenceFunctions::Difference, Qt::DescendingOrder);
    setAccessibleName(tr("Functions of A and B"));
    header()->setMinimumSectionSize(40);
    for (const auto& [column, width] :
         {std::pair(DifferenceFunctions::A, 92), std::pair(DifferenceFunctions::B, 92), std::pair(DifferenceFunctions::Difference, 104),
          std::pair(DifferenceFunctions::Ratio, 70), std::pair(DifferenceFunctions::Z, 60)})
        header()->resizeSection(column, width);
    header()->setSectionResizeMode(DifferenceFunctions::Function, QHeaderView::Stretch);
    model.serve(this);
    connect(&model, &DifferenceModel::shownChanged, this, &DifferenceTable::refill);
    connect(&model, &DifferenceModel::functionChosen, this, &DifferenceTable::selectChosen);
    // currentRowChanged is not used, because a row also becomes current when the table gets the focus.
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, [this](const QItemSelection& selected) {
        if (!selected.isEmpty() && !m_isSelecting)
            m_model.chooseFunction(SampledFunction(m_functions.functionOf(selected.indexes().front().row())));
    });
    connect(this, &QTreeView::activated, this,
            [this](const QModelIndex& index) { m_model.openSource(SampledFunction(m_functions.functionOf(index.row()))); });
    refill();
}

void DifferenceTable::showEvent(QShowEvent* event)
{
    QTreeView::showEvent(event);
    if (m_isOld)
        refill();
}

void DifferenceTable::refill()
{
    m_isOld = !isVisible();
    if (m_isOld)
        return;
    m_functions.setDifference(m_model.shown());
    selectChosen();
}

void DifferenceTable::selectChosen()
{
    const auto& function = m_model.function();
    const int row = function ? m_functions.find(*function) : -1;
    m_isSelecting = true;
    if (row >= 0)
        setCurrentIndex(m_functions.index(row, 0));
    else
        clearSelection();
    m_isSelecting = false;
}

void DifferenceTable::copyCsv() const { copyText(m_functions.csv()); }

void DifferenceTable::showMenu(QPoint at)
{
    const QModelIndex index = indexAt(at);
    QMenu menu;
    if (index.isValid()) {
        const SampledFunction function = m_functions.functionOf(index.row());
        menu.addAction(tr("Annotated source"), this, [this, function] { m_model.openSource(function); });
        menu.addAction(tr("Copy name"), this, [function] { copyText(QString::fromStdString(function.label())); });
    }
    addCopyActions(menu, *this, index);
    menu.exec(viewport()->mapToGlobal(at));
}

DifferenceFunctionsView::DifferenceFunctionsView(DifferenceModel& model, QWidget* parent)
    : PanelGround(parent)
    , m_model(model)
    , m_title(makeElidingLabel(90, 12, 600, "text.primary"))
    , m_count(makeElidingLabel(60, 11.5, 400, "text.secondary"))
    , m_totals(new Pill(tr("With callees")))
    , m_copy(new Pill(tr("Copy as CSV")))
    , m_filter(new QLineEdit)
    , m_stack(new QStackedWidget)
    , m_page(new EmptyPage)
    , m_table(new DifferenceTable(model))
{
    m_totals->setCheckable(true);
    m_totals->setToolTip(tr("Include the time of callees"));
    m_filter->setPlaceholderText(tr("Filter: function or object"));
    m_filter->setAccessibleName(tr("Filter functions"));
    m_filter->setClearButtonEnabled(true);
    recordFilterChanges(*m_filter, model.context().a(), tr("functions"));
    auto* head = new FoldingLayout;
    for (QWidget* part : std::initializer_list<QWidget*>{m_title, m_count, m_totals, m_copy})
        head->addWidget(part);
    head->addStretch(1);
    head->addField(m_filter, 110, 220);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->setSpacing(6);
    layout->addLayout(head);
    m_page->setInDock();
    m_stack->addWidget(m_page);
    m_stack->addWidget(m_table);
    layout->addWidget(m_stack, 1);
    setFocusProxy(m_table);
    model.serve(this); // Registers the page instead of the table: the table is hidden while it is empty, and a hidden view starts no query.
    connect(&model, &DifferenceModel::shownChanged, this, &DifferenceFunctionsView::showState);
    connect(m_totals, &QAbstractButton::toggled, this, [this](bool isOn) { m_table->functions().setTotals(isOn); });
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) { m_table->functions().setFilter(text.trimmed()); });
    connect(m_copy, &QAbstractButton::clicked, m_table, &DifferenceTable::copyCsv);
    showState();
}

void DifferenceFunctionsView::showState()
{
    const DifferenceResult& shown = m_model.shown();
    m_title->setText(shown.name().isEmpty() ? tr("All samples") : shown.name());
    m_count->setText(basisText(shown));
    m_page->setText(shown.missing, shown.advice);
    m_stack->setCurrentIndex(shown.tree ? 1 : 0);
    for (QWidget* part : std::initializer_list<QWidget*>{m_title, m_count, m_totals, m_copy, m_filter})
        part->setVisible(shown.tree != nullptr);
}

QString basisText(const DifferenceResult& shown)
{
    if (!shown.tree)
        return {};
    const auto samples = [&](std::size_t side) { return countText(qint64(shown.sides[side].profile->samples)); };
    QString counts = DifferenceModel::tr("%1 and %2 samples").arg(samples(0), samples(1));
    if (shown.sides[0].isWithoutInlined || shown.sides[1].isWithoutInlined)
        counts += DifferenceModel::tr("; inlined functions count for their callers, because %1 has none")
                      .arg(shown.sides[0].isWithoutInlined ? QStringLiteral("B") : QStringLiteral("A"));
    if (shown.name().isEmpty() || shown.sides[0].isThread)
        return counts;
    const auto runs = [&](std::size_t side) {
        const std::uint32_t n = shown.sides[side].runs;
        return n == 1 ? DifferenceModel::tr("1 run") : DifferenceModel::tr("mean of %1 runs").arg(n);
    };
    return DifferenceModel::tr("%1 in A, %2 in B; %3").arg(runs(0), runs(1), counts);
}

} // namespace helio
