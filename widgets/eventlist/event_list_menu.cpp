// Menus of an event list: selecting lines, copying, filtering, columns of fields.

#include "widgets/controls/copy_text.h"
#include "widgets/eventlist/event_list.h"
#include "widgets/eventlist/event_text.h"
#include "widgets/theme/themes.h"

#include <QFontMetrics>
#include <QHeaderView>
#include <QMenu>
#include <QTableView>

#include <algorithm>

namespace helio {

namespace {

/// Returns the index of the field whose text lies `x` pixels from the cell's left edge; -1 if none.
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

constexpr int MostOffered = 60; ///< Limit of fields in a menu.

QStringList fieldNames(const EventRow& row)
{
    QStringList names;
    for (const auto* part : {&row.fields, &row.context})
        for (const NamedValue& field : *part)
            names << QString::fromStdString(field.name);
    return names.mid(0, MostOffered);
}

QString shortened(const QString& text) { return text.size() > 60 ? text.left(58) + QStringLiteral("\u2026") : text; }

/// Adds the actions "Only ..." and "Not ..." of one expression.
void addPair(QMenu& menu, EventList* list, const QString& expression)
{
    menu.addAction(EventList::tr("Only %1").arg(shortened(expression)), list,
                   [list, expression] { emit list->addFilterRequested(expression); });
    menu.addAction(EventList::tr("Not %1").arg(shortened(expression)), list,
                   [list, expression] { emit list->addFilterRequested(QStringLiteral("!(%1)").arg(expression)); });
}

} // namespace

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

/// Lists the fields of the events on screen and the fields that have a column already.
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
    else if (column == EventModel::Tid && row.tid >= 0)
        addPair(menu, this, QStringLiteral("tid == %1").arg(row.tid));
    else if (column < EventModel::Fields)
        addPair(menu, this, QStringLiteral("name == \"%1\"").arg(QString::fromStdString(row.name)));
    else if (const auto it = std::ranges::find(fields, fieldUnder(row, column, x), &FieldChoice::field); it != fields.end())
        addPair(menu, this, it->expression);
    if (!fields.empty()) {
        QMenu* more = menu.addMenu(tr("By a field"));
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
            menu->addAction((fieldColumns().contains(field) ? tr("Take the column %1 away") : tr("Show %1 as a column")).arg(field), this,
                            [this, field] { toggleColumn(field); });
        if (const QStringList names = fieldNames(*row); !names.isEmpty())
            addColumnChoices(*menu->addMenu(tr("Fields as columns")), names);
        menu->addSeparator();
    }
    const auto lines = taken();
    const qint64 count = lines ? qint64(lines->second - lines->first + 1) : 0;
    const QString what = count == 1 ? tr("the event") : tr("%1 events").arg(countText(count));
    menu->addAction(tr("Copy %1").arg(what), this, [this] { copyRange(false); })->setShortcut(QKeySequence::Copy);
    menu->addAction(tr("Copy %1 as csv").arg(what), this, [this] { copyRange(true); });
    const QString cell = index.data().toString();
    menu->addAction(tr("Copy cell"), this, [cell] { copyText(cell); });
    emit menuAboutToOpen(*menu);
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

} // namespace helio
