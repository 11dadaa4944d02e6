#include "widgets/views/functions/functions_view.h"

#include "widgets/flame/frame_text.h"
#include "widgets/paint/cell.h"
#include "widgets/shell/pill.h"
#include "widgets/shell/table_look.h"
#include "widgets/theme/themes.h"
#include "widgets/views/flame_surroundings.h"
#include "widgets/views/names_notice.h"
#include "widgets/views/samples_page.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

namespace helio {

namespace {

constexpr int LineHeight = 19;

/// A bar below the number, as long as its share of the cell, in the heat of the share.
void paintShare(QPainter& painter, const QRect& cell, double share)
{
    const QRectF room = QRectF(cell).adjusted(5, 3, -5, -3);
    QColor color = theme().color(share >= 0.2 ? "heat.4" : share >= 0.05 ? "heat.3" : share >= 0.01 ? "heat.2" : "heat.1");
    painter.fillRect(QRectF(room.left(), room.top(), room.width() * std::clamp(share, 0.0, 1.0), room.height()), color);
}

/// Rows as the other tables have them.
class LineDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        return {QStyledItemDelegate::sizeHint(option, index).width(), LineHeight};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        paintLineGround(*painter, option);
        if (const QVariant share = index.data(FunctionModel::ShareRole); share.isValid())
            paintShare(*painter, option.rect, share.toDouble());
        painter->setPen(theme().color("text.primary"));
        paintCell(*painter, option.rect.adjusted(5, 0, -5, 0), index, option.font);
    }
};

QTreeView* makeTable(QAbstractItemModel& model, const QString& name)
{
    auto* table = new QTreeView;
    table->setModel(&model);
    table->setItemDelegate(new LineDelegate(table));
    giveTableLook(*table);
    table->setAccessibleName(name);
    table->header()->setMinimumSectionSize(40);
    return table;
}

} // namespace

FunctionsView::FunctionsView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
        , m_samples(SampleModel::of(context))
    , m_stack(new QStackedWidget)
    , m_page(new SamplesPage(context))
    , m_panes(new QSplitter(Qt::Horizontal))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->setSpacing(6);
    makeHead();
    layout->addWidget(new NamesNotice(context));
    makeTables();
    m_stack->addWidget(m_page);
    m_stack->addWidget(m_panes);
    layout->addWidget(m_stack, 1);
    setFocusProxy(m_table);
    wire();
    updateLook();
    showState();
}

void FunctionsView::makeHead()
{
    m_title = makeLabel({}, 12, 600, "text.primary");
    m_count = makeLabel({}, 11.5, 400, "text.secondary");
    m_byThread = new Pill(tr("By thread"));
    m_byCpu = new Pill(tr("By CPU"));
    m_callees = new Pill(tr("Callees"));
    m_callees->setToolTip(tr("What the chosen function calls, not what calls it"));
    m_all = new Pill(tr("All threads"));
    m_all->setToolTip(tr("Of all threads, not of the selected row alone"));
    for (Pill* pill : {m_byThread, m_byCpu, m_callees, m_all})
        pill->setCheckable(true);
    auto* options = new Pill(tr("Options"));
    options->setMenu([this](QMenu* menu) { addInlinedChoice(menu, m_samples); });
    m_filter = new QLineEdit;
    m_filter->setFixedSize(240, 22);
    m_filter->setPlaceholderText(tr("Filter: function, object or command"));
    m_filter->setAccessibleName(tr("Filter of the functions"));
    m_filter->setClearButtonEnabled(true);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(0, 0, 0, 0);
    head->setSpacing(6);
    head->addWidget(m_title);
    head->addSpacing(4);
    head->addWidget(m_count);
    head->addSpacing(6);
    for (Pill* pill : {m_byThread, m_byCpu, m_callees, options, m_all})
        head->addWidget(pill);
    head->addStretch(1);
    head->addWidget(m_filter);
    static_cast<QVBoxLayout*>(layout())->addLayout(head);
}

void FunctionsView::makeTables()
{
    m_table = makeTable(m_functions, tr("Functions"));
    makeSortable(*m_table, FunctionModel::Self, Qt::DescendingOrder);
    const std::pair<int, int> widths[] = {{FunctionModel::Self, 70},     {FunctionModel::Total, 70},   {FunctionModel::Amount, 80}, {FunctionModel::Samples, 70},
                                          {FunctionModel::Command, 100}, {FunctionModel::Module, 150}, {FunctionModel::Place, 60}};
    for (const auto& [column, width] : widths)
        m_table->header()->resizeSection(column, width);
    m_table->header()->setSectionResizeMode(FunctionModel::Symbol, QHeaderView::Stretch);
    m_table->setColumnHidden(FunctionModel::Place, true);
    m_table->setColumnHidden(FunctionModel::Amount, true);
    m_tree = makeTable(m_calls, tr("Callers"));
    m_tree->header()->setSectionResizeMode(CallTreeModel::Function, QHeaderView::Stretch);
    m_tree->header()->resizeSection(CallTreeModel::Total, 70);
    m_tree->header()->resizeSection(CallTreeModel::Self, 70);
    m_tree->setRootIsDecorated(true);
    m_tree->setIndentation(14);
    m_noMatch = makeLabel({}, 12, 400, "text.secondary");
    m_noMatch->setTextFormat(Qt::PlainText);
    m_noMatch->setAlignment(Qt::AlignCenter);
    m_noMatch->setWordWrap(true);
    m_noMatch->hide();
    m_treeTitle = makeLabel({}, 11.5, 500, "text.secondary");
    m_treeTitle->setTextFormat(Qt::PlainText);
    m_treeTitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    const auto pane = [this](QWidget* above, QWidget* table) {
        auto* widget = new QWidget;
        auto* lines = new QVBoxLayout(widget);
        lines->setContentsMargins(0, 0, 0, 0);
        lines->setSpacing(2);
        lines->addWidget(above);
        lines->addWidget(table, 1);
        m_panes->addWidget(widget);
    };
    pane(m_noMatch, m_table);
    pane(m_treeTitle, m_tree);
    m_panes->setHandleWidth(4);
    m_panes->setSizes({1300, 700});
}

void FunctionsView::wire()
{
    m_samples.serve(this);
    connect(&m_samples, &SampleModel::shownChanged, this, &FunctionsView::build);
    connect(&m_samples, &SampleModel::choicesChanged, this, &FunctionsView::showState);
    connect(&m_samples, &SampleModel::functionChosen, this, [this] {
        selectChosen();
        buildTree();
    });
    connect(&m_functions, &FunctionModel::orderChanged, this, [this] {
        m_goesToTop = true;
        build();
    });
    connect(m_filter, &QLineEdit::textChanged, this, &FunctionsView::build);
    connect(m_byThread, &QAbstractButton::toggled, this, [this](bool isOn) {
        if (isOn)
            m_byCpu->setChecked(false);
        build();
    });
    connect(m_byCpu, &QAbstractButton::toggled, this, [this](bool isOn) {
        if (isOn)
            m_byThread->setChecked(false);
        build();
    });
    connect(m_all, &QAbstractButton::toggled, &m_samples, &SampleModel::setOfAllThreads);
    connect(&m_samples, &SampleModel::workChanged, this, &FunctionsView::showState);
    connect(m_callees, &QAbstractButton::toggled, this, &FunctionsView::buildTree);
    // Not currentRowChanged: the focus alone makes a row the current one.
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this](const QItemSelection& selected) {
        if (!selected.isEmpty() && !m_isSelecting)
            choose(selected.indexes().front().row());
    });
    connect(m_table, &QTreeView::activated, this, [this](const QModelIndex& index) { m_samples.openSource(m_functions.functionOf(index.row())); });
    connect(m_tree, &QTreeView::activated, this, [this](const QModelIndex& index) {
        if (m_calls.functionOf(index).code != CodeKind::Thread)
            m_samples.chooseFunction(SampledFunction(m_calls.functionOf(index)));
    });
    for (QTreeView* table : {m_table, m_tree}) {
        table->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(table, &QWidget::customContextMenuRequested, this, [this, table](QPoint at) {
            const QModelIndex index = table->indexAt(at);
            if (index.isValid())
                showMenu(*table, table == m_table ? m_functions.functionOf(index.row()) : m_calls.functionOf(index),
                         table->viewport()->mapToGlobal(at));
        });
    }
    m_filter->installEventFilter(this);
    connect(&Themes::instance(), &Themes::changed, this, &FunctionsView::updateLook);
}

void FunctionsView::focusSearch()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

bool FunctionsView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_filter && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        m_filter->clear();
        m_table->setFocus(Qt::OtherFocusReason);
        return true;
    }
    return PanelGround::eventFilter(watched, event);
}

void FunctionsView::showMenu(QTreeView& table, const SampledFunction& chosen, QPoint at)
{
    const SampledFunction function = chosen; // What is shown may change while the menu is open.
    auto* menu = new QMenu(&table);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    using Wish = SampleModel::FlameWish;
    const auto add = [&](const QString& text, const std::function<void()>& run) {
        menu->addAction(text, this, run)->setEnabled(function.code != CodeKind::Thread);
    };
    add(tr("Open its source"), [this, function] { m_samples.openSource(function); });
    add(tr("Callers and callees in the flame graph (sandwich)"), [this, function] { m_samples.askFlameGraph(Wish::Sandwich, function); });
    menu->addSeparator();
    add(tr("Hide it in the flame graph"), [this, function] { m_samples.askFlameGraph(Wish::HideFunction, function); });
    if (!function.module.empty())
        add(tr("Hide all of %1 in the flame graph").arg(QString::fromStdString(function.module)),
            [this, function] { m_samples.askFlameGraph(Wish::HideModule, function); });
    menu->addSeparator();
    menu->addAction(tr("Copy its name"), this, [function] { QApplication::clipboard()->setText(frameLabel(function)); });
    menu->popup(at);
}

void FunctionsView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    if (m_isOld)
        build();
}

FunctionTableOptions FunctionsView::options() const
{
    FunctionTableOptions options;
    options.by = m_samples.by();
    options.byThread = m_byThread->isChecked();
    options.byCpu = m_byCpu->isChecked();
    return options;
}

void FunctionsView::build()
{
    m_isOld = !isVisible();
    if (m_isOld)
        return;
    showState();
    const ShownSamples samples = m_samples.shown();
    if (!samples.profile || !samples.names || samples.profile->samples == 0) {
        m_job.cancel();
        m_functions.setTable(nullptr, m_samples.by(), {}, {});
        return m_calls.setTree(nullptr, m_samples.by());
    }
    m_job.post([this, samples, options = options(), order = m_functions.order(),
                filter = m_filter->text().trimmed()](std::stop_token stop) -> LatestJob::Delivery {
        auto table = std::make_shared<const FunctionTable>(buildFunctionTable(*samples.profile, *samples.names, options, stop));
        std::vector<std::uint32_t> rows = FunctionModel::arranged(*table, options.by, order, filter);
        return [this, table, options, kind = samples.profile->kind, rows = std::move(rows)]() mutable {
            m_table->setColumnHidden(FunctionModel::Place, !options.byThread && !options.byCpu);
            m_table->setColumnHidden(FunctionModel::Amount, options.by == WeightBy::Samples);
            const int top = std::exchange(m_goesToTop, false) ? 0 : m_table->verticalScrollBar()->value();
            m_isSelecting = true;
            m_functions.setTable(table, options.by, kind, std::move(rows));
            m_isSelecting = false;
            const QString text = m_filter->text().trimmed();
            m_noMatch->setText(tr("No function matches \u201c%1\u201d. Esc in the field clears it.").arg(text));
            m_noMatch->setVisible(!text.isEmpty() && m_functions.rowCount() == 0);
            selectChosen();
            m_table->verticalScrollBar()->setValue(top); // The chosen row may be anywhere.
            buildTree();
            showState();
        };
    });
}

void FunctionsView::buildTree()
{
    const ShownSamples samples = m_samples.shown();
    const auto& function = m_samples.function();
    m_tree->setAccessibleName(m_callees->isChecked() ? tr("Callees") : tr("Callers"));
    m_treeTitle->setText(!function ? tr("Choose a function to see what calls it.")
                             : (m_callees->isChecked() ? tr("Callees of %1") : tr("Callers of %1")).arg(frameLabel(*function)));
    if (!isVisible())
        return;
    if (!samples.profile || !samples.names || !function) {
        m_treeJob.cancel();
        return m_calls.setTree(nullptr, m_samples.by());
    }
    CallTreeOptions options;
    options.shape = m_callees->isChecked() ? CallTreeOptions::Shape::Callees : CallTreeOptions::Shape::Callers;
    options.by = m_samples.by();
    options.function = function->label();
    options.module = function->module;
    m_treeJob.post([this, samples, options](std::stop_token stop) -> LatestJob::Delivery {
        auto tree = std::make_shared<const CallTree>(buildCallTree(*samples.profile, *samples.names, options, stop));
        return [this, tree, by = options.by] {
            m_calls.setTree(tree, by);
            m_tree->expandToDepth(1);
        };
    });
}

void FunctionsView::choose(int row) { m_samples.chooseFunction(SampledFunction(m_functions.functionOf(row))); }

void FunctionsView::selectChosen()
{
    const auto& function = m_samples.function();
    const int row = function ? m_functions.find(function->name, function->module) : -1;
    m_isSelecting = true;
    if (row >= 0)
        m_table->setCurrentIndex(m_functions.index(row, 0));
    else
        m_table->clearSelection();
    m_isSelecting = false;
}

void FunctionsView::showState()
{
    const ShownSamples& shown = m_samples.shown();
    m_title->setText(samplesTitle(shown));
    m_all->setVisible(m_samples.hasRow());
    m_all->setChecked(m_samples.isOfAllThreads());
    const bool isEmpty = !shown.profile || shown.profile->samples == 0;
    QString count;
    if (!isEmpty) {
        const StackProfile& all = *shown.profile;
        count = headingText(sumOf(all), m_samples.by(), all.kind);
        count += tr(" of %1").arg(QString::fromStdString(all.kind.name));
        if (!m_samples.scope().isEmpty())
            count += tr(", %1").arg(m_samples.scope());
    }
    m_count->setText(count);
    m_stack->setCurrentIndex(isEmpty ? 0 : 1);
    if (isEmpty)
        m_page->refresh();
}

void FunctionsView::updateLook() { m_filter->setFont(fonts().detail()); }

} // namespace helio
