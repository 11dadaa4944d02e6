#include "widgets/docks/functions/functions_view.h"

#include "widgets/controls/menus.h"
#include "widgets/controls/pill.h"
#include "widgets/controls/table_style.h"
#include "widgets/flame/frame/flame_head.h"
#include "widgets/flame/view/frame_text.h"
#include "widgets/paint/frame_name.h"
#include "widgets/paint/text.h"
#include "widgets/profiling/missing_symbols_notice.h"
#include "widgets/profiling/no_samples_page.h"
#include "widgets/profiling/sample_text.h"
#include "widgets/theme/themes.h"
#include "widgets/workspace/filter_changes.h"
#include "widgets/workspace/go_to.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <tuple>
#include <utility>

namespace helio {

namespace {

constexpr int LineHeight = 19;

/// Paints a bar beside the number, as long as the share, in the heat colour of the share. No bar if the cell only has room for the number.
void paintShare(QPainter& painter, const QRect& cell, const QFont& font, double share)
{
    const qreal number = cachedTextWidth(font, QStringLiteral("100.00\u00a0%"));
    const QRectF room = QRectF(cell).adjusted(5, 5, -(number + 11), -5);
    if (room.width() < 8)
        return;
    QColor color = theme().color(share >= 0.2 ? "heat.4" : share >= 0.05 ? "heat.3" : share >= 0.01 ? "heat.2" : "heat.1");
    painter.fillRect(QRectF(room.left(), room.top(), room.width() * std::clamp(share, 0.0, 1.0), room.height()), color);
}

/// Delegate that paints rows as other tables do, and shortens names of functions like the names in a flame graph.
class LineDelegate : public QStyledItemDelegate {
public:
    /// `names`: column with the names of functions.
    LineDelegate(int names, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_names(names)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        return {QStyledItemDelegate::sizeHint(option, index).width(), LineHeight};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        paintLineGround(*painter, option);
        if (const QVariant share = index.data(FunctionModel::ShareRole); share.isValid())
            paintShare(*painter, option.rect, option.font, share.toDouble());
        painter->setPen(theme().color("text.primary"));
        const QRect room = option.rect.adjusted(5, 0, -5, 0);
        const QString name = index.column() == m_names ? index.data().toString() : QString();
        if (name.isEmpty() || cachedTextWidth(option.font, name) <= room.width())
            return paintCell(*painter, room, index, option.font);
        painter->setFont(option.font);
        painter->setPen(index.data(Qt::ForegroundRole).value<QColor>());
        drawCachedText(*painter, {double(room.left()), centredBaseline(option.font, room)}, elidedFrame(option.font, name, room.width()));
    }

private:
    int m_names;
};

/// Returns a copy of the profile with only the stacks of a line's command, thread and CPU. Totals are those of the whole profile, because
/// shares refer to them.
StackProfile partOf(const StackProfile& all, const FunctionRow& line)
{
    StackProfile part = all;
    std::erase_if(part.stacks, [&](const CollectedStack& stack) {
        const SampledThread& thread = all.threads[stack.thread];
        const bool isOfThread = line.tid < 0 || (thread.tid == line.tid && thread.host == line.host);
        return (!line.comm.empty() && thread.comm != line.comm) || !isOfThread || (line.cpu >= 0 && stack.cpu != line.cpu);
    });
    return part;
}

QTreeView* makeTable(QAbstractItemModel& model, int names, const QString& name)
{
    auto* table = new QTreeView;
    table->setModel(&model);
    table->setItemDelegate(new LineDelegate(names, table));
    styleTable(*table);
    table->setAccessibleName(name);
    table->header()->setMinimumSectionSize(40);
    return table;
}

} // namespace

FunctionsView::FunctionsView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_samples(SampleModel::of(context))
    , m_stack(new QStackedWidget)
    , m_page(new NoSamplesPage(context))
    , m_panes(new QSplitter(Qt::Horizontal))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->setSpacing(6);
    makeHead();
    recordFilterChanges(*m_filter, context, tr("functions"));
    layout->addWidget(new MissingSymbolsNotice(context));
    makeTables();
    m_stack->addWidget(m_page);
    m_stack->addWidget(m_panes);
    layout->addWidget(m_stack, 1);
    setFocusProxy(m_table);
    wire();
    showState();
}

void FunctionsView::makeHead()
{
    m_head = new FlameHead;
    m_count = m_head->addCount();
    m_events = m_head->addMenu(tr("Samples"), [this](QMenu* menu) { fillEventMenu(menu); });
    m_events->setToolTip(tr("Choose the event and the columns shown beside it"));
    m_group = m_head->addMenu(tr("Functions"), [this](QMenu* menu) { fillGroupMenu(menu); });
    m_group->setToolTip(tr("Group by"));
    m_byCommand = m_head->addSwitch(tr("By command"), tr("Split functions by the name of the thread, as perf report does"));
    m_byThread = m_head->addSwitch(tr("By thread"), {});
    m_byCpu = m_head->addSwitch(tr("By CPU"), {});
    m_callees = m_head->addSwitch(tr("Callees"), tr("Show the callees of the selected function instead of its callers"));
    m_head->addMenu(tr("Options"), [this](QMenu* menu) { addSampleChoices(menu, m_samples); });
    m_all = m_head->addSwitch(tr("All threads"), tr("Include all threads, not only the selected row"));
    m_filter = new QLineEdit;
    m_filter->setPlaceholderText(tr("Filter: function, object or command"));
    m_filter->setAccessibleName(tr("Filter functions"));
    m_filter->setClearButtonEnabled(true);
    m_head->addField(m_filter, 110, 240); // The field is at most 240 pixels wide: a wider field would make the neighbouring docks narrower.
    QToolButton* more = makeHeadButton("more", tr("More"));
    more->setMenu(makeMenu(more, [this](QMenu* menu) { m_head->fillFolded(*menu); }));
    m_head->addTool(more);
    m_head->setMore(more, false);
    static_cast<QVBoxLayout*>(layout())->addLayout(m_head);
}

void FunctionsView::makeTables()
{
    m_table = makeTable(m_functions, FunctionModel::Symbol, tr("Functions"));
    makeSortable(*m_table, FunctionModel::Self, Qt::DescendingOrder);
    const std::pair<int, int> widths[] = {{FunctionModel::Self, 104},   {FunctionModel::Total, 104},   {FunctionModel::Amount, 80},
                                          {FunctionModel::Samples, 70}, {FunctionModel::Command, 100}, {FunctionModel::Module, 150},
                                          {FunctionModel::Place, 60}};
    for (const auto& [column, width] : widths)
        m_table->header()->resizeSection(column, width);
    // The table scrolls horizontally, because columns of additional events may not fit the width.
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    for (int column = FunctionModel::TotalTime; column <= FunctionModel::OnCpu; ++column)
        m_table->header()->resizeSection(column, 84);
    showColumns({});
    m_tree = makeTable(m_calls, CallTreeModel::Function, tr("Callers"));
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
    m_treeTitle->setContentsMargins(8, 2, 8, 2);
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
        if (!m_isChoosing)
            m_selectedLine.reset();
        selectChosen();
        buildTree();
    });
    connect(&m_samples, &SampleModel::callersRequested, this, [this] {
        m_callees->setChecked(false);
        m_filter->clear();
        if (m_choices.group != FunctionGroup::Function)
            change([](FunctionChoices& it) { it.group = FunctionGroup::Function; });
    });
    connect(&m_functions, &FunctionModel::orderChanged, this, [this] {
        m_goesToTop = true;
        build();
    });
    connect(m_filter, &QLineEdit::textChanged, this, &FunctionsView::build);
    for (const auto& [pill, part] : {std::pair(m_byCommand, &FunctionChoices::byCommand), std::pair(m_byThread, &FunctionChoices::byThread),
                                     std::pair(m_byCpu, &FunctionChoices::byCpu)})
        connect(pill, &QAbstractButton::clicked, this, [this, part = part](bool isOn) {
            change([=](FunctionChoices& it) {
                it.byCommand = it.byThread = it.byCpu = false;
                it.*part = isOn;
            });
        });
    connect(m_all, &QAbstractButton::toggled, &m_samples, &SampleModel::setOfAllThreads);
    connect(&m_samples, &SampleModel::workChanged, this, &FunctionsView::showState);
    connect(m_callees, &QAbstractButton::toggled, this, &FunctionsView::buildTree);
    // currentRowChanged is not used, because a row also becomes current when the table gets the focus.
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this](const QItemSelection& selected) {
        if (!selected.isEmpty() && !m_isSelecting)
            choose(selected.indexes().front().row());
    });
    connect(m_table, &QTreeView::activated, this, [this](const QModelIndex& index) {
        if (const Segment* longest = m_functions.findLongestCall(index.row())) {
            goToCall(m_samples.context(), *longest);
            return m_samples.context().focusRows();
        }
        if (const SampledFunction* function = functionAt(index.row()))
            m_samples.openSource(SampledFunction(*function));
    });
    connect(m_tree, &QTreeView::activated, this, [this](const QModelIndex& index) {
        if (m_calls.functionOf(index).code != CodeKind::Thread)
            m_samples.chooseFunction(SampledFunction(m_calls.functionOf(index)));
    });
    for (QTreeView* table : {m_table, m_tree}) {
        table->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(table, &QWidget::customContextMenuRequested, this, [this, table](QPoint at) {
            const QModelIndex index = table->indexAt(at);
            const SampledFunction* function = !index.isValid() ? nullptr
                : table == m_table                             ? functionAt(index.row())
                                                               : &m_calls.functionOf(index);
            if (function)
                showMenu(*table, *function, table->viewport()->mapToGlobal(at));
        });
    }
    m_filter->installEventFilter(this);
    const auto updateLook = [this] { m_filter->setFont(fonts().detail()); };
    connect(&Themes::instance(), &Themes::changed, this, updateLook);
    updateLook();
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

void FunctionsView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    if (m_isOld)
        build();
}

void FunctionsView::build()
{
    m_isOld = !isVisible();
    if (m_isOld)
        return;
    showState();
    const CollectedSamples samples = m_samples.shown();
    if (!samples.profile || !samples.names || samples.profile->samples == 0) {
        m_job.cancel();
        m_functions.setLines(nullptr, {});
        m_columnsKey.reset(); // Reset, because other samples may have other events, and thus other columns.
        return m_calls.setTree(nullptr, m_samples.by());
    }
    m_job.post([this, samples, lister = m_lister, choices = choicesNow(), by = m_samples.by(), expandsInlined = m_samples.expandsInlined(),
                order = m_functions.order(), filter = m_filter->text().trimmed()](std::stop_token stop) -> LatestTask::Delivery {
        auto lines = std::make_shared<const FunctionLines>(lister->list(samples, choices, by, expandsInlined, stop));
        return [this, lines, rows = FunctionModel::arrangeRows(*lines, order, filter)]() mutable { take(lines, std::move(rows)); };
    });
}

void FunctionsView::take(std::shared_ptr<const FunctionLines> lines, std::vector<std::uint32_t> rows)
{
    const int top = std::exchange(m_goesToTop, false) ? 0 : m_table->verticalScrollBar()->value();
    m_isSelecting = true;
    m_functions.setLines(lines, std::move(rows));
    m_isSelecting = false;
    showColumns(*lines);
    const QString text = m_filter->text().trimmed();
    m_noMatch->setText((lines->choices.group == FunctionGroup::Function
                            ? tr("No function matches \u201c%1\u201d. Press Esc in the field to clear it.")
                            : tr("No line matches \u201c%1\u201d. Press Esc in the field to clear it."))
                           .arg(text));
    m_noMatch->setVisible(!text.isEmpty() && m_functions.rowCount() == 0);
    selectChosen();
    m_table->verticalScrollBar()->setValue(top); // Undoes the scrolling by selectChosen(), which makes the selected row visible.
    buildTree();
    showState();
}

/// Makes number columns as narrow as possible, so that all columns of call durations fit a dock of usual width. The name column gets the
/// remaining width.
void FunctionsView::fitCallColumns(int name)
{
    constexpr int Gap = 16; ///< Space in pixels beside a number.
    constexpr int Arrow = 28; ///< Space in pixels beside the title of the sorted column.
    constexpr int LeastName = 110;
    constexpr int Module = 72;
    QHeaderView& header = *m_table->header();
    const QFontMetrics metrics(fonts().detail());
    const auto fit = [&](int column, const char* widest) {
        const QString title = m_functions.headerData(column, Qt::Horizontal).toString();
        header.resizeSection(column,
                             std::max(Gap + metrics.horizontalAdvance(QString::fromUtf8(widest)),
                                      (column == m_functions.order().column ? Arrow : Gap) + metrics.horizontalAdvance(title)));
        return header.sectionSize(column);
    };
    int numbers = fit(FunctionModel::Self, "100.00 %") + fit(FunctionModel::Total, "100.00 %") + fit(FunctionModel::Amount, "88 888.888")
        + fit(FunctionModel::Samples, "888 888");
    for (int column = FunctionModel::TotalTime; column <= FunctionModel::OnCpu; ++column)
        if (!m_table->isColumnHidden(column))
            numbers += fit(column, "888.888 ms");
    header.resizeSection(FunctionModel::Module, Module);
    const bool hasModule = name != FunctionModel::Module && !m_table->isColumnHidden(FunctionModel::Module);
    header.resizeSection(name, std::max(LeastName, m_table->viewport()->width() - numbers - (hasModule ? Module : 0)));
    m_panes->setSizes({1600, 400}); // Widths in pixels of the table and of the tree, which appears once a function is selected.
}

void FunctionsView::showColumns(const FunctionLines& lines)
{
    const FunctionChoices& choices = lines.choices;
    const bool areOfCalls = !lines.lengths.empty();
    // The number of records of sums says nothing about the program. It is shown if the user chose to compare it.
    const bool hidesRecords = lines.kind.origin == SampleKind::Origin::Summed && lines.by != WeightBy::Samples;
    // Slices have neither modules nor, without scheduler events, times on a CPU: the names get the room of these columns.
    const bool isOfModules = !areOfCalls || std::ranges::any_of(lines.table.rows, [](const FunctionRow& it) { return !it.module.empty(); });
    const auto isKnown = [](const std::optional<CallDurations>& it) { return it.has_value(); };
    const bool hasCpuTimes = std::ranges::none_of(lines.lengths, isKnown)
        || std::ranges::any_of(lines.lengths, [](const std::optional<CallDurations>& it) { return it && it->onCpu; });
    const ColumnsKey key(choices, lines.by, lines.events.size(), areOfCalls, isOfModules, hasCpuTimes, hidesRecords);
    if (std::exchange(m_columnsKey, key) == m_columnsKey)
        return;
    const bool isFull = areOfCalls || !lines.events.empty();
    for (int column = FunctionModel::TotalTime; column <= FunctionModel::OnCpu; ++column)
        m_table->setColumnHidden(column, !areOfCalls || (column == FunctionModel::OnCpu && !hasCpuTimes));
    const bool isOfThreads = !hasModules(choices.group);
    m_table->setColumnHidden(FunctionModel::Place, !isOfThreads && !choices.byThread && !choices.byCpu);
    m_table->setColumnHidden(FunctionModel::Amount, lines.by == WeightBy::Samples && !lines.kind.isTime && lines.events.empty());
    m_table->setColumnHidden(FunctionModel::Samples, hidesRecords);
    m_table->setColumnHidden(FunctionModel::Command, !choices.hasCommands());
    m_table->setColumnHidden(FunctionModel::Module, isOfThreads || !isOfModules);
    m_table->setColumnHidden(FunctionModel::Symbol, !hasSymbols(choices.group));
    const int widest = hasSymbols(choices.group) ? FunctionModel::Symbol : isOfThreads ? FunctionModel::Command : FunctionModel::Module;
    for (const int column : {FunctionModel::Command, FunctionModel::Module, FunctionModel::Symbol})
        m_table->header()->setSectionResizeMode(column, column == widest && !isFull ? QHeaderView::Stretch : QHeaderView::Interactive);
    if (areOfCalls)
        fitCallColumns(widest);
    else if (isFull)
        m_table->header()->resizeSection(widest, 200);
    const QFontMetrics metrics(m_table->header()->font());
    QHeaderView& header = *m_table->header();
    std::vector<int> order{FunctionModel::Self, FunctionModel::Total, FunctionModel::Amount, FunctionModel::Samples};
    if (areOfCalls) // Durations of slow calls matter most, so their columns must be in view even in a narrow dock.
        order = {FunctionModel::Self,      FunctionModel::Total, FunctionModel::Samples, FunctionModel::Median,
                 FunctionModel::P99,       FunctionModel::Most,  FunctionModel::Mean,    FunctionModel::Least,
                 FunctionModel::TotalTime, FunctionModel::OnCpu, FunctionModel::Amount};
    else
        for (int column = FunctionModel::TotalTime; column <= FunctionModel::OnCpu; ++column)
            order.push_back(column);
    // The columns of additional events follow the other number columns, before the text columns.
    for (int column = FunctionModel::ColumnCount; column < m_functions.columnCount(); ++column) {
        header.resizeSection(column,
                             std::max(70, 24 + metrics.horizontalAdvance(m_functions.headerData(column, Qt::Horizontal).toString())));
        order.push_back(column);
    }
    order.insert(order.end(), {FunctionModel::Command, FunctionModel::Module, FunctionModel::Symbol, FunctionModel::Place});
    // Columns of calls or of additional events may fill the width, so the column with the names moves to the front, where it stays visible.
    if (isFull)
        std::rotate(order.begin(), std::ranges::find(order, widest), std::ranges::find(order, widest) + 1);
    if (areOfCalls && widest == FunctionModel::Symbol) // The module is shown because it distinguishes functions of the same name.
        std::rotate(order.begin() + 1, std::ranges::find(order, int(FunctionModel::Module)),
                    std::ranges::find(order, int(FunctionModel::Module)) + 1);
    for (int place = 0; place < int(order.size()); ++place)
        header.moveSection(header.visualIndex(order[std::size_t(place)]), place);
}

void FunctionsView::buildTree()
{
    const CollectedSamples samples = m_samples.shown();
    const auto& function = m_samples.function();
    // The tree is hidden until a function is selected; the table has the whole width.
    m_tree->parentWidget()->setVisible(function.has_value());
    m_tree->setAccessibleName(m_callees->isChecked() ? tr("Callees") : tr("Callers"));
    const QString what =
        function ? (m_callees->isChecked() ? tr("Callees of %1") : tr("Callers of %1")).arg(frameLabel(*function)) : QString();
    m_treeTitle->setText(hasFurtherRowsOfFunction() ? tr("%1 in %2").arg(what, partText()) : what);
    if (!isVisible())
        return;
    if (!samples.profile || !samples.names || !function) {
        m_treeJob.cancel();
        return m_calls.setTree(nullptr, m_samples.by());
    }
    CallTreeOptions options;
    options.shape = m_callees->isChecked() ? CallTreeOptions::Shape::Callees : CallTreeOptions::Shape::Callers;
    options.by = m_samples.by();
    options.identity = *function;
    m_treeJob.post([this, samples, options, part = m_selectedLine](std::stop_token stop) -> LatestTask::Delivery {
        const StackProfile& all = *samples.profile;
        auto tree = std::make_shared<const CallTree>(part ? buildCallTree(partOf(all, *part), *samples.names, options, stop)
                                                          : buildCallTree(all, *samples.names, options, stop));
        return [this, tree, by = options.by] {
            m_calls.setTree(tree, by);
            m_tree->expandToDepth(1);
        };
    });
}

const SampledFunction* FunctionsView::functionAt(int row) const
{
    const FunctionGroup group = m_functions.lines()->choices.group;
    if (group == FunctionGroup::Function)
        return &m_functions.functionOf(row);
    const auto& names = m_samples.shown().names;
    if (group != FunctionGroup::Line || !names)
        return nullptr;
    const SampledFunction& line = m_functions.functionOf(row);
    const auto found = std::ranges::find_if(names->functions, [&](const SampledFunction& it) {
        return it.store == line.store && it.moduleId == line.moduleId && it.address == line.address && it.code == line.code;
    });
    return found == names->functions.end() ? nullptr : &*found;
}

void FunctionsView::choose(int row)
{
    const SampledFunction* function = functionAt(row);
    if (!function)
        return;
    m_selectedLine = m_functions.line(row);
    m_isChoosing = true; // Ignore selections meanwhile: other views react by selecting the function again.
    m_samples.chooseFunction(SampledFunction(*function));
    m_isChoosing = false;
}

bool FunctionsView::haveSameGroup(const FunctionRow& a, const FunctionRow& b)
{
    return std::tie(a.comm, a.pid, a.tid, a.host, a.cpu) == std::tie(b.comm, b.pid, b.tid, b.host, b.cpu);
}

bool FunctionsView::hasFurtherRowsOfFunction() const
{
    const auto& function = m_samples.function();
    if (!m_selectedLine || !function || !m_functions.lines())
        return false;
    const FunctionTable& table = m_functions.lines()->table;
    return std::ranges::any_of(table.rows, [&](const FunctionRow& it) {
        const SampledFunction& its = table.functions[static_cast<std::size_t>(it.function)];
        return identityOf(its) == identityOf(*function) && !haveSameGroup(it, *m_selectedLine);
    });
}

/// Returns the command, thread or CPU of the selected line, e.g. "order-1", "order-1 (13950)" or "order-1, CPU 2".
QString FunctionsView::partText() const
{
    QString words = QString::fromStdString(m_selectedLine->comm);
    if (m_selectedLine->tid >= 0)
        words += QStringLiteral(" (%1)").arg(m_selectedLine->tid);
    return m_selectedLine->cpu >= 0 ? tr("%1, CPU %2").arg(words).arg(m_selectedLine->cpu) : words;
}

void FunctionsView::selectChosen()
{
    if (m_functions.lines() && m_functions.lines()->choices.group != FunctionGroup::Function)
        // The lines are not functions but e.g. source lines, and a function may have several of them: the line that the user selected
        // stays.
        return;
    const auto& function = m_samples.function();
    int row = function ? m_functions.find(*function) : -1;
    // Finds the selected line among the lines of the function.
    for (int other = row; m_selectedLine && other >= 0 && other < m_functions.rowCount(); ++other)
        if (identityOf(m_functions.functionOf(other)) == identityOf(*function) && haveSameGroup(m_functions.line(other), *m_selectedLine)) {
            row = other;
            break;
        }
    m_isSelecting = true;
    if (row >= 0)
        m_table->setCurrentIndex(m_functions.index(row, 0));
    else
        m_table->clearSelection();
    m_isSelecting = false;
}

void FunctionsView::showState()
{
    const CollectedSamples& shown = m_samples.shown();
    m_head->title()->setText(samplesTitle(shown));
    showChoices();
    m_head->setShown(m_all, m_samples.hasRow());
    m_all->setChecked(m_samples.isOfAllThreads());
    const bool isEmpty = !shown.profile || shown.profile->samples == 0;
    QString count;
    if (!isEmpty) {
        const StackProfile& all = *shown.profile;
        count = headingText(sumOf(all), m_samples.by(), all.kind);
        if (!m_samples.scope().isEmpty())
            count += tr(", %1").arg(m_samples.scope());
    }
    m_count->setText(count);
    m_stack->setCurrentIndex(isEmpty ? 0 : 1);
    if (isEmpty)
        m_page->refresh();
}

} // namespace helio
