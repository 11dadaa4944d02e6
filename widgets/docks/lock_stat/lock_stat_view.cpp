#include "widgets/docks/lock_stat/lock_stat_view.h"

#include "core/waits/locks/lock_stat.h"
#include "widgets/controls/copy_text.h"
#include "widgets/controls/line_delegate.h"
#include "widgets/controls/notice_bar.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/pill.h"
#include "widgets/controls/table_style.h"
#include "widgets/paint/text.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"
#include "widgets/workspace/filter_changes.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSplitter>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace helio {
namespace {

constexpr int CellMargins = 8 + 5;
constexpr int ChevronWidth = 13; ///< Width in pixels of the sort indicator beside a title.
/// Minimum height in pixels at which the code locations are below the classes; in a lower dock, they are beside the classes.
constexpr int TallFrom = 460;

constexpr FileWord<int> SortWords[] = {{LockClassModel::Contentions, "contentions"},   {LockClassModel::Name, "class"},
                                       {LockClassModel::Waited, "wait-total"},         {LockClassModel::LongestWait, "wait-max"},
                                       {LockClassModel::MeanWait, "wait-avg"},         {LockClassModel::ShortestWait, "wait-min"},
                                       {LockClassModel::Acquisitions, "acquisitions"}, {LockClassModel::Held, "hold-total"},
                                       {LockClassModel::LongestHold, "hold-max"},      {LockClassModel::MeanHold, "hold-avg"},
                                       {LockClassModel::ShortestHold, "hold-min"},     {LockClassModel::WaitBounces, "con-bounces"},
                                       {LockClassModel::Bounces, "acq-bounces"}};

QTreeView* makeLockTable(QAbstractItemModel& model, const QString& name)
{
    auto* table = new QTreeView;
    showModel(*table, model, name, new LineDelegate(table, DockLines));
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    table->setMinimumWidth(180);
    table->header()->setMinimumSectionSize(30);
    return table;
}

QString howToRecord()
{
    return LockStatView::tr("A kernel built with CONFIG_LOCK_STAT counts how often and how long each class of locks is waited "
                            "for and held. As root:\n\necho 1 > /proc/sys/kernel/lock_stat\ncat /proc/lock_stat > "
                            "lock_stat.txt\n\nRun the workload between the two commands, then open the file here. echo 0 > "
                            "/proc/lock_stat resets the counts.");
}

} // namespace

LockStatView::LockStatView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_source(LockStatText::of(context))
    , m_title(makeLabel({}, 12, 600, "text.primary"))
    , m_what(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_copy(new Pill(tr("Copy as CSV")))
    , m_filter(new QLineEdit)
    , m_problems(new NoticeBar)
    , m_page(new EmptyPage)
    , m_content(new QWidget)
    , m_stack(new QStackedWidget)
    , m_table(makeLockTable(m_classes, tr("Lock classes")))
    , m_sums(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_right(new QWidget)
    , m_pointsTitle(makeLabel({}, 11.5, 500, "text.secondary"))
    , m_pointTable(makeLockTable(m_points, tr("Places that waited for the lock")))
    , m_parts(new QSplitter(Qt::Horizontal))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    m_page->setInDock();
    m_table->setObjectName("classes");
    m_pointTable->setObjectName("places");
    m_stack->addWidget(m_page);
    m_stack->addWidget(m_content);
    auto* lines = new QVBoxLayout(m_content);
    lines->setContentsMargins(0, 8, 0, 0);
    lines->setSpacing(6);
    makeHead();
    lines->addWidget(m_problems);
    makeTables();
    lines->addWidget(m_parts, 1);
    lines->addWidget(m_sums);
    setFocusProxy(m_table);
    connect(m_page, &EmptyPage::buttonClicked, this, [this] { m_context.trigger(QStringLiteral("file.open")); });
    connect(&m_source, &LockStatText::changed, this, &LockStatView::showText);
    connect(m_copy, &QAbstractButton::clicked, this, [this] {
        copyText(m_classes.csv());
        m_context.say(tr("Copied %1 lock classes").arg(countText(m_classes.rowCount())));
    });
    m_problems->setCloseTip(tr("Dismiss"));
    connect(m_problems, &NoticeBar::linkActivated, this, [this] { copyText(problemLines().join('\n') + '\n'); });
    showText();
}

void LockStatView::makeHead()
{
    auto* head = new QHBoxLayout;
    head->setContentsMargins(14, 0, 14, 0);
    head->setSpacing(8);
    for (QLabel* label : {m_title, m_what, m_sums, m_pointsTitle})
        label->setTextFormat(Qt::PlainText);
    m_what->setMinimumWidth(0);
    m_what->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_filter->setFixedHeight(22);
    m_filter->setMinimumWidth(160);
    m_filter->setMaximumWidth(240);
    m_filter->setPlaceholderText(tr("Filter: class or place"));
    m_filter->setAccessibleName(tr("Filter lock classes"));
    m_filter->setClearButtonEnabled(true);
    recordFilterChanges(*m_filter, m_context, tr("lock classes"));
    m_filter->installEventFilter(this);
    m_copy->setToolTip(tr("Copy the listed classes as heliograph lock-stat writes them"));
    head->addWidget(m_title);
    head->addWidget(m_what, 1);
    head->addWidget(m_copy);
    head->addWidget(m_filter);
    static_cast<QVBoxLayout*>(m_content->layout())->addLayout(head);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        changeList([&] { m_classes.setFilter(text); });
        showSums();
    });
}

void LockStatView::makeTables()
{
    setColumnWidths(*m_table, {200});
    makeSortable(*m_table, LockClassModel::Contentions, Qt::DescendingOrder);
    const int time = cellWidth(QStringLiteral("888.888 ms"), m_table->font()) + CellMargins;
    // Columns are wide enough for their title with the sort indicator.
    for (int column = LockClassModel::Contentions; column < LockClassModel::ColumnCount; ++column)
        m_table->header()->resizeSection(column, std::max(time, m_table->header()->sectionSizeHint(column) + ChevronWidth));
    connect(&m_classes, &QAbstractItemModel::modelReset, this,
            &LockStatView::showChosen); // Must be connected after the table's own slot for this signal, which clears the current line.
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this](const QItemSelection& selected) {
        if (!selected.isEmpty() && !m_isChanging)
            choose(selected.indexes().front().row());
    });
    setColumnWidths(*m_pointTable, {68, 86, 260});
    m_pointTable->header()->setStretchLastSection(true);
    m_sums->setContentsMargins(11, 0, 11, 4);
    m_sums->setMinimumWidth(0);
    m_sums->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* rightLines = new QVBoxLayout(m_right);
    rightLines->setContentsMargins(0, 4, 0, 0);
    rightLines->setSpacing(4);
    rightLines->addWidget(m_pointsTitle);
    m_pointsTitle->setContentsMargins(11, 0, 11, 0);
    m_pointsTitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    rightLines->addWidget(m_pointTable, 1);
    m_parts->addWidget(m_table);
    m_parts->addWidget(m_right);
    m_parts->setChildrenCollapsible(false);
    m_parts->setHandleWidth(4);
    m_parts->setStretchFactor(0, 3);
    m_parts->setStretchFactor(1, 2);
    m_right->hide();
}

/// Puts the tables one above the other in a high dock, so that all columns are in view. A dock is high if no other dock shares its side.
void LockStatView::resizeEvent(QResizeEvent* event)
{
    PanelGround::resizeEvent(event);
    const Qt::Orientation wanted = height() >= TallFrom ? Qt::Vertical : Qt::Horizontal;
    if (m_parts->orientation() != wanted)
        m_parts->setOrientation(wanted);
}

bool LockStatView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_filter && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        m_filter->clear();
        m_table->setFocus(Qt::OtherFocusReason);
        return true;
    }
    return PanelGround::eventFilter(watched, event);
}

void LockStatView::focusSearch()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

/// Runs a change of the list. While it runs, the slot for selections ignores selections, because the user did not make them.
template <typename Change> void LockStatView::changeList(Change change)
{
    const bool wasChanging = std::exchange(m_isChanging, true);
    change();
    m_isChanging = wasChanging;
}

void LockStatView::showText()
{
    const auto& text = m_source.text();
    const bool isRead = text && text->problem.isEmpty() && !text->stat.classes.empty();
    changeList([&] { m_classes.setText(isRead ? text : nullptr); });
    m_stack->setCurrentWidget(isRead ? m_content : m_page);
    if (!isRead)
        return showEmptyPage();
    m_title->setText(QFileInfo(m_source.path()).fileName());
    m_title->setToolTip(m_source.path().toHtmlEscaped());
    m_what->setText(tr("Counted since boot or the last reset; not bound to times"));
    m_what->setToolTip(tr("%1, version %2. %3").arg(m_source.path(), helio::text(text->stat.version), m_what->text()).toHtmlEscaped());
    showProblems();
    showSums();
    if (m_classes.find(m_chosen) < 0 && m_classes.rowCount() > 0) {
        m_chosen = m_classes.lockClass(0).name;
        showChosen();
    }
}

void LockStatView::showEmptyPage()
{
    const auto& read = m_source.text();
    const QString name = QFileInfo(m_source.path()).fileName();
    m_page->setButton(tr("Open\u2026"));
    if (m_source.path().isEmpty())
        return m_page->setText(tr("No copy of a kernel\u2019s /proc/lock_stat is open."), howToRecord());
    if (!read) {
        m_page->setButton({});
        return m_page->setText(tr("Reading %1 \u2026").arg(name));
    }
    if (!read->problem.isEmpty())
        return m_page->setText(tr("Cannot read %1.").arg(name), read->problem);
    const QStringList lines = problemLines();
    m_page->setText(tr("%1 contains no lock classes.").arg(name),
                    lines.isEmpty() ? tr("Nothing was counted: /proc/sys/kernel/lock_stat must be 1 while measuring.")
                                    : lines.mid(0, 3).join('\n'));
}

QStringList LockStatView::problemLines() const
{
    const QString name = QFileInfo(m_source.path()).fileName();
    QStringList lines;
    for (const LockStatProblem& it : m_source.text()->stat.problems)
        lines << QStringLiteral("%1:%2: %3").arg(name, QString::number(it.line), text(it.what));
    return lines;
}

/// Shows the lines that could not be read and the kernel's warnings: the text of the first one, and the number of all others.
void LockStatView::showProblems()
{
    const QStringList lines = problemLines();
    const QString least = lines.size() == qsizetype(LockStat::MostProblems) ? QStringLiteral("\u2265") : QString();
    QString first = lines.value(0);
    if (lines.size() > 1)
        first = tr("%1 \u2013 and %2%3 more such lines").arg(first, least, QString::number(lines.size() - 1));
    m_problems->setNotice(first, {{QStringLiteral("copy"), tr("Copy all")}});
    m_problems->setToolTip(lines.join('\n').toHtmlEscaped().replace('\n', QStringLiteral("<br>")));
}

void LockStatView::showSums()
{
    const LockStatSum sum = m_classes.sum();
    const auto listed = std::size_t(m_classes.rowCount());
    const QString classes = listed == m_classes.all()
        ? tr("%1 classes").arg(countText(qint64(listed)))
        : tr("%1 of %2 classes").arg(countText(qint64(listed)), countText(qint64(m_classes.all())));
    m_sums->setText(
        tr("%1: %2 contentions, waited %3; %4 acquisitions, held %5")
            .arg(classes, countText(sum.contentions), durationText(sum.waited), countText(sum.acquisitions), durationText(sum.held)));
    m_sums->setToolTip(m_sums->text());
}

void LockStatView::choose(int row)
{
    m_chosen = m_classes.lockClass(row).name;
    showPoints(row);
    selectRow();
}

/// Selects the line of the chosen class again, wherever it is after a change of the list.
void LockStatView::showChosen()
{
    const int row = m_chosen.empty() ? -1 : m_classes.find(m_chosen);
    if (row >= 0)
        changeList([&] { m_table->setCurrentIndex(m_classes.index(row, 0)); });
    showPoints(row);
}

void LockStatView::showPoints(int row)
{
    m_right->setVisible(row >= 0);
    if (row < 0)
        return m_points.setPoints({});
    std::vector<LockStatPoint> points;
    for (const LockStatPoint& it : m_source.text()->stat.points)
        if (isOf(it, m_source.text()->stat, m_classes.place(row)))
            points.push_back(it);
    const QString name = text(lockNameOf(m_classes.lockClass(row).name));
    m_pointsTitle->setText(points.empty() ? tr("%1: no place that waited for it").arg(name)
                                          : tr("%1: code that waited for it, and code that held it meanwhile").arg(name));
    m_pointsTitle->setToolTip(tr("The kernel keeps four places of each kind and does not distinguish readers from writers"));
    m_points.setPoints(std::move(points));
}

/// Selects the row of the lock class m_chosen, if the trace has a row for it.
void LockStatView::selectRow()
{
    const auto timeline = m_context.timeline();
    if (!timeline)
        return m_rowJob.cancel();
    m_rowJob.post([this, timeline, name = m_chosen](std::stop_token) -> LatestTask::Delivery {
        const TrackRef row = findLockRow(*timeline, name);
        return [this, timeline, row] {
            if (row.isValid() && m_context.timeline() == timeline)
                m_context.time().setRow(row);
        };
    });
}

ShownCommand LockStatView::shownCommand() const
{
    if (m_source.path().isEmpty())
        return ShownCommand::none(tr("No /proc/lock_stat file is open."));
    if (!m_filter->text().isEmpty())
        return ShownCommand::none(tr("No command filters lock classes as this dock does. Clear its filter first."));
    return {{"lock-stat"}, {}, m_source.path()};
}

QJsonObject LockStatView::save() const
{
    return {{"sort", fileWord(m_classes.sortedColumn(), SortWords)},
            {"descending", m_classes.isDescending()},
            {"filter", m_filter->text()},
            {"class", text(m_chosen)}};
}

void LockStatView::restore(const QJsonObject& kept)
{
    m_chosen = kept["class"].toString().toStdString();
    m_table->sortByColumn(valueOf(kept["sort"], SortWords), kept["descending"].toBool(true) ? Qt::DescendingOrder : Qt::AscendingOrder);
    m_filter->setText(kept["filter"].toString());
    changeList([&] { m_classes.setFilter(m_filter->text()); });
}

} // namespace helio
