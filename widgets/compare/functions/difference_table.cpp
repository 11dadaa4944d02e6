#include "widgets/compare/functions/difference_table.h"

#include "widgets/controls/copy_text.h"
#include "widgets/controls/table_copy.h"
#include "widgets/controls/table_style.h"
#include "widgets/paint/cell.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>

namespace helio {

namespace {

constexpr int LineHeight = 21;
constexpr int SwatchSize = 10;

class LineDelegate : public QStyledItemDelegate {
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
                          theme().color(QStringLiteral("diff.%1%2").arg(step > 0 ? QStringLiteral("+") : QString()).arg(step)));
        const QRectF room = QRectF(rect).adjusted(SwatchSize + 8, 0, -8, 0);
        const QString name = cachedElidedText(font, index.data(Qt::DisplayRole).toString(), Qt::ElideRight, room.width());
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
    setItemDelegate(new LineDelegate(this));
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
    // Not currentRowChanged: focus alone makes a row the current one.
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

} // namespace helio
