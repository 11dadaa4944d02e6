#include "widgets/eventlist/event_list.h"

#include "widgets/controls/copy_text.h"
#include "widgets/controls/field_grid.h"
#include "widgets/controls/table_style.h"
#include "widgets/eventlist/event_text.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"

#include <QFontMetrics>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTableView>

#include <algorithm>
#include <limits>

namespace helio {

namespace {

constexpr int LineHeight = 20;
constexpr int FieldLeast = 60; ///< Initial minimum width of a field's column, in pixels.
constexpr int FieldMost = 240;
constexpr std::uint64_t LongestBar = std::numeric_limits<int>::max() / 2;

/// Delegate that marks search hits with a dot of their colour before the time.
class HitDelegate : public QStyledItemDelegate {
public:
    HitDelegate(const EventModel& model, std::function<bool(std::uint64_t)> isInCopiedRange, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_model(model)
        , m_isTaken(std::move(isInCopiedRange))
    {
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const bool isSelected = m_isTaken(m_model.first() + std::uint64_t(index.row()));
        if (isSelected)
            painter->fillRect(option.rect, theme().color("surface.selected"));
        paintCell(*painter, option.rect.adjusted(index.column() == 0 ? 10 : 5, 0, -3, 0), index, option.font);
        if (index.column() != 0)
            return;
        if (isSelected)
            painter->fillRect(QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()), theme().color("accent.fill"));
        if (m_model.isMarked(m_model.first() + std::uint64_t(index.row())))
            painter->fillRect(QRect(option.rect.left() + 6, option.rect.center().y() - 1, 4, 4), theme().color("mark.hit"));
    }

private:
    const EventModel& m_model;
    std::function<bool(std::uint64_t)> m_isTaken;
};

/// Returns the index of the field whose text is at `x` pixels from the cell's left edge; -1 if none.
int fieldAt(const EventRow& row, const QFont& font, int x)
{
    const QFontMetrics metrics(font);
    QString before;
    for (std::size_t i = 0; i < row.fields.size(); ++i) {
        before += QString::fromStdString(row.fields[i].name) + QLatin1Char('=') + QString::fromStdString(displayText(row.fields[i].value))
            + QStringLiteral("  ");
        if (x < metrics.horizontalAdvance(before))
            return int(i);
    }
    return -1;
}

constexpr int MostOffered = 60; ///< Maximum number of fields in a menu.

QStringList fieldNames(const EventRow& row)
{
    QStringList names;
    for (const auto* part : {&row.fields, &row.context})
        for (const NamedValue& field : *part)
            names << QString::fromStdString(field.name);
    return names.mid(0, MostOffered);
}

QString shortened(const QString& text) { return text.size() > 60 ? text.left(58) + QStringLiteral("\u2026") : text; }

/// Adds the actions "Only ..." and "Not ..." for one expression.
void addPair(QMenu& menu, EventList* list, const QString& expression)
{
    menu.addAction(EventList::tr("Only %1").arg(shortened(expression)), list,
                   [list, expression] { emit list->addFilterRequested(expression); });
    menu.addAction(EventList::tr("Not %1").arg(shortened(expression)), list,
                   [list, expression] { emit list->addFilterRequested(QStringLiteral("!(%1)").arg(expression)); });
}

} // namespace

EventList::EventList(QWidget* parent)
    : QWidget(parent)
    , m_model(m_pages)
    , m_table(new QTableView)
    , m_empty(makeLabel({}, 12, 400, "text.secondary"))
    , m_bar(new QScrollBar(Qt::Vertical))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_bar);
    m_empty->setParent(m_table->viewport());
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_empty->hide();
    m_table->setModel(&m_model);
    m_table->setItemDelegate(new HitDelegate(
        m_model, [this](std::uint64_t position) { return isInCopiedRange(position); }, m_table));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(LineHeight);
    m_table->verticalHeader()->setMinimumSectionSize(LineHeight);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setFixedHeight(22);
    limitFittedColumns(*m_table->horizontalHeader());
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false); // Tab leaves the table instead of moving from cell to cell.
    m_table->setAccessibleName(tr("Events"));
    const int widths[] = {180, 90, 44, 64, 210};
    for (int column = 0; column < 5; ++column)
        m_table->setColumnWidth(column, widths[column]);
    showHosts(false);
    showKnownColumns();
    connect(&m_pages, &EventPages::changed, this, &EventList::showKnownColumns);
    m_table->horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table->horizontalHeader(), &QWidget::customContextMenuRequested, this, &EventList::showHeaderMenu);
    m_bar->setAccessibleName(tr("Position in the events"));
    m_table->installEventFilter(this);
    m_table->viewport()->installEventFilter(this);
    setFocusProxy(m_table);

    connect(&m_pages, &EventPages::sizeChanged, this, &EventList::updateRange);
    connect(m_bar, &QScrollBar::valueChanged, this, [this](int value) {
        if (m_isMoving)
            return;
        const std::uint64_t last = lastFirst();
        moveTo(last > LongestBar ? std::uint64_t(double(value) / double(LongestBar) * double(last)) : std::uint64_t(value));
    });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        choose(m_first + std::uint64_t(index.row()), QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier));
    });
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QTableView::customContextMenuRequested, this, &EventList::showMenu);
    connect(&Themes::instance(), &Themes::changed, this, &EventList::updateLook);
    updateLook();
}

void EventList::showHosts(bool isShown) { m_table->setColumnHidden(EventModel::Host, !isShown); }

/// Hides the CPU and thread columns until a row that was read has such a value.
void EventList::showKnownColumns()
{
    m_table->setColumnHidden(EventModel::Cpu, !m_pages.hasCpus());
    m_table->setColumnHidden(EventModel::Tid, !m_pages.hasThreads());
}

/// Returns the width that a column's title and the lines on screen need, within limits.
int EventList::widthFor(int column) const
{
    int width = m_table->horizontalHeader()->fontMetrics().horizontalAdvance(m_model.headerData(column, Qt::Horizontal).toString()) + 24;
    for (int line = 0; line < m_model.lines(); ++line)
        width = std::max(width, m_table->fontMetrics().horizontalAdvance(m_model.index(line, column).data().toString()) + 30);
    return std::clamp(width, FieldLeast, FieldMost);
}

void EventList::setFieldColumns(QStringList names)
{
    names.removeDuplicates();
    names = names.mid(0, MostFieldColumns);
    if (names == fieldColumns())
        return;
    const qsizetype before = fieldColumns().size();
    m_model.setFieldColumns(names);
    QHeaderView& header = *m_table->horizontalHeader();
    for (int i = 0; i < int(names.size()); ++i) {
        const int column = EventModel::ColumnCount + i;
        if (i >= before)
            m_table->setColumnWidth(column, widthFor(column));
        header.moveSection(header.visualIndex(column), EventModel::Fields + i); // The column of all fields stays the last one.
    }
    showCurrent();
}

int EventList::linesOnScreen() const { return std::max(1, m_table->viewport()->height() / LineHeight); }

std::uint64_t EventList::lastFirst() const
{
    const std::uint64_t size = m_pages.size();
    const auto lines = std::uint64_t(linesOnScreen());
    return size > lines ? size - lines : 0;
}

void EventList::updateRange()
{
    const std::uint64_t last = lastFirst();
    m_isMoving = true;
    m_bar->setRange(0, int(std::min(last, LongestBar)));
    m_bar->setPageStep(linesOnScreen());
    m_isMoving = false;
    if (m_current && *m_current >= m_pages.size())
        m_current.reset();
    if (m_anchor && *m_anchor >= m_pages.size())
        m_anchor.reset();
    moveTo(std::min(m_first, last));
    updateEmptyText();
}

void EventList::setEmptyText(const QString& text)
{
    m_empty->setText(text);
    updateEmptyText();
}

void EventList::updateEmptyText()
{
    m_empty->setGeometry(m_table->viewport()->rect().adjusted(24, 12, -24, -12));
    m_empty->setVisible(m_pages.size() == 0 && !m_empty->text().isEmpty());
}

void EventList::moveTo(std::uint64_t first)
{
    const std::uint64_t last = lastFirst();
    m_first = std::min(first, last);
    m_isMoving = true;
    m_bar->setValue(last > LongestBar ? int(double(m_first) / double(last) * double(LongestBar)) : int(m_first));
    m_isMoving = false;
    const auto lines = std::uint64_t(linesOnScreen());
    m_model.setWindow(m_first, int(std::min(lines + 1, m_pages.size() - m_first)));
    m_pages.want(m_first > lines ? m_first - lines : 0, std::size_t(3 * lines));
    showCurrent();
}

void EventList::showCurrent()
{
    const bool isShown = m_current && *m_current >= m_first && *m_current - m_first < std::uint64_t(m_model.lines());
    if (!isShown)
        return m_table->setCurrentIndex({});
    const int line = int(*m_current - m_first);
    if (m_table->currentIndex().row() != line)
        m_table->selectionModel()->setCurrentIndex(m_model.index(line, 0), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void EventList::setCurrent(std::optional<std::uint64_t> position)
{
    m_current = position && *position < m_pages.size() ? position : std::nullopt;
    m_anchor.reset();
    m_table->viewport()->update();
    if (m_current)
        scrollTo(*m_current);
    showCurrent();
    emit currentChanged();
}

void EventList::scrollTo(std::uint64_t position)
{
    const auto lines = std::uint64_t(linesOnScreen());
    if (position < m_first || position >= m_first + lines)
        moveTo(position > lines / 2 ? position - lines / 2 : 0);
}

void EventList::choose(std::uint64_t position, bool extends)
{
    if (m_pages.size() == 0)
        return;
    position = std::min(position, m_pages.size() - 1);
    const auto lines = std::uint64_t(linesOnScreen());
    m_anchor = !extends ? std::nullopt : m_anchor ? m_anchor : m_current;
    m_current = position;
    m_table->viewport()->update();
    if (position < m_first)
        moveTo(position);
    else if (position >= m_first + lines)
        moveTo(position - lines + 1);
    showCurrent();
    emit chosen(position);
}

bool EventList::handleKey(int key, bool extends)
{
    const std::uint64_t now = m_current.value_or(m_first);
    const auto lines = std::uint64_t(linesOnScreen());
    switch (key) {
    case Qt::Key_Up: choose(now > 0 ? now - 1 : 0, extends); return true;
    case Qt::Key_Down: choose(m_current ? now + 1 : now, extends); return true;
    case Qt::Key_PageUp: choose(now > lines ? now - lines : 0, extends); return true;
    case Qt::Key_PageDown: choose(now + lines, extends); return true;
    case Qt::Key_Home: choose(0, extends); return true;
    case Qt::Key_End: choose(m_pages.size(), extends); return true;
    default: return false;
    }
}

bool EventList::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Copy)) {
            copyRange(false);
            event->accept();
            return true;
        }
        if (handleKey(key->key(), key->modifiers().testFlag(Qt::ShiftModifier)))
            return true;
    }
    if (watched == m_table->viewport() && event->type() == QEvent::Wheel) {
        m_wheel += static_cast<QWheelEvent*>(event)->angleDelta().y();
        const int lines = m_wheel / 40; // The wheel moves by one line per 40 units, so a notch of 120 units scrolls three lines.
        m_wheel -= lines * 40;
        const std::uint64_t up = std::uint64_t(std::max(lines, 0));
        moveTo(lines > 0 ? (m_first > up ? m_first - up : 0) : m_first + std::uint64_t(-lines));
        return true;
    }
    if (watched == m_table->viewport() && event->type() == QEvent::Resize)
        updateRange();
    return QWidget::eventFilter(watched, event);
}

void EventList::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    updateRange();
}

void EventList::updateLook()
{
    QPalette p = m_table->palette();
    p.setColor(QPalette::Base, theme().color("surface.panel"));
    p.setColor(QPalette::Highlight, theme().color("surface.selected"));
    p.setColor(QPalette::HighlightedText, theme().color("text.primary"));
    m_table->setPalette(p);
    m_table->viewport()->setPalette(p); // The palette is set again, because the viewport does not inherit it when the style sheet changes.
    m_table->setFont(fonts().detail());
    m_table->horizontalHeader()->setFont(fonts().at(10.5, 500));
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> EventList::taken() const
{
    if (!m_current)
        return {};
    return std::minmax(*m_current, m_anchor.value_or(*m_current));
}

bool EventList::isInCopiedRange(std::uint64_t position) const
{
    const auto lines = taken();
    return lines && position >= lines->first && position <= lines->second;
}

void EventList::copyRange(bool asCsv)
{
    const auto lines = taken();
    if (!lines)
        return;
    const auto count = std::size_t(std::min<std::uint64_t>(lines->second - lines->first + 1, MostCopied));
    m_pages.collect(lines->first, count, [this, asCsv](std::vector<EventRow> rows) {
        copyText(asCsv ? eventsAsCsv(rows) : eventsAsText(rows, m_model.timeFormat()));
        emit copied(int(rows.size()));
    });
}

QString EventList::fieldUnder(const EventRow& row, int column, int x) const
{
    if (column >= EventModel::ColumnCount)
        return fieldColumns().value(column - EventModel::ColumnCount);
    const int field = column == EventModel::Fields ? fieldAt(row, m_table->font(), x) : -1;
    return field < 0 ? QString() : QString::fromStdString(row.fields[std::size_t(field)].name);
}

void EventList::toggleColumn(const QString& field)
{
    QStringList names = fieldColumns();
    if (!names.removeOne(field))
        names << field;
    setFieldColumns(names);
}

void EventList::addColumnChoices(QMenu& menu, const QStringList& fields)
{
    for (const QString& field : fields) {
        QAction* action = menu.addAction(field, this, [this, field] { toggleColumn(field); });
        action->setCheckable(true);
        action->setChecked(fieldColumns().contains(field));
    }
}

/// Shows a menu of the fields of the events on screen, and of the fields that have a column.
void EventList::showHeaderMenu(QPoint at)
{
    QStringList fields = fieldColumns();
    for (int line = 0; line < m_model.lines(); ++line)
        if (const auto row = m_pages.row(m_first + std::uint64_t(line)))
            fields << fieldNames(*row);
    fields.removeDuplicates();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addSection(tr("Fields as columns"));
    addColumnChoices(*menu, fields.mid(0, MostOffered));
    menu->popup(m_table->horizontalHeader()->mapToGlobal(at));
}

void EventList::addFilters(QMenu& menu, const EventRow& row, int column, int x)
{
    const std::vector<FieldChoice> fields = fieldChoices(row);
    if (column == EventModel::Cpu && row.cpu >= 0)
        addPair(menu, this, QStringLiteral("cpu == %1").arg(row.cpu));
    else if (column == EventModel::Tid && row.tid >= 0 && row.tid < FirstMadeId)
        addPair(menu, this, QStringLiteral("tid == %1").arg(row.tid));
    else if (column < EventModel::Fields)
        addPair(menu, this, QStringLiteral("name == \"%1\"").arg(QString::fromStdString(row.name)));
    else if (const auto it = std::ranges::find(fields, fieldUnder(row, column, x), &FieldChoice::field); it != fields.end())
        addPair(menu, this, it->expression);
    if (!fields.empty()) {
        QMenu* more = menu.addMenu(tr("By field"));
        for (const FieldChoice& choice : fields)
            addPair(*more, this, choice.expression);
    }
    menu.addSeparator();
}

void EventList::showMenu(QPoint at)
{
    const QModelIndex index = m_table->indexAt(at);
    if (!index.isValid())
        return;
    const std::uint64_t position = m_first + std::uint64_t(index.row());
    if (!isInCopiedRange(position))
        choose(position);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto row = m_pages.row(position);
    if (row && m_offersFilter)
        addFilters(*menu, *row, index.column(), at.x() - m_table->visualRect(index).left());
    if (row) {
        if (const QString field = fieldUnder(*row, index.column(), at.x() - m_table->visualRect(index).left()); !field.isEmpty())
            menu->addAction((fieldColumns().contains(field) ? tr("Remove column %1") : tr("Show %1 as column")).arg(field), this,
                            [this, field] { toggleColumn(field); });
        if (const QStringList names = fieldNames(*row); !names.isEmpty())
            addColumnChoices(*menu->addMenu(tr("Fields as columns")), names);
        menu->addSeparator();
    }
    const auto lines = taken();
    const qint64 count = lines ? qint64(lines->second - lines->first + 1) : 0;
    const QString what = count == 1 ? tr("the event") : tr("%1 events").arg(countText(count));
    menu->addAction(tr("Copy %1").arg(what), this, [this] { copyRange(false); })->setShortcut(QKeySequence::Copy);
    menu->addAction(tr("Copy %1 as CSV").arg(what), this, [this] { copyRange(true); });
    const QString cell = index.data().toString();
    menu->addAction(tr("Copy cell"), this, [cell] { copyText(cell); });
    emit menuAboutToOpen(*menu);
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

} // namespace helio
