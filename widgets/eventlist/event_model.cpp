#include "widgets/eventlist/event_model.h"

#include "widgets/theme/themes.h"

#include <algorithm>

namespace helio {

QString fieldsText(const EventRow& row)
{
    // Maximum length in characters. Longer texts do not fit any screen; the Details dock has all fields.
    constexpr qsizetype Longest = 2000;
    QString text = QString::fromStdString(row.text);
    if (!text.isEmpty())
        return text.size() > Longest ? text.left(Longest) + QStringLiteral("\u2026") : text;
    for (const NamedValue& field : row.fields) {
        if (!text.isEmpty())
            text += QStringLiteral("  ");
        text += QString::fromStdString(field.name) + '=' + QString::fromStdString(displayText(field.value));
        if (text.size() > Longest)
            return text.left(Longest) + QStringLiteral("\u2026");
    }
    return text;
}

const FieldValue* fieldOf(const EventRow& row, const QString& name)
{
    const std::string wanted = name.toStdString();
    for (const auto* part : {&row.fields, &row.context})
        if (const auto found = std::ranges::find(*part, wanted, &NamedValue::name); found != part->end())
            return &found->value;
    return nullptr;
}

EventModel::EventModel(EventPages& pages, QObject* parent)
    : QAbstractTableModel(parent)
    , m_pages(pages)
{
    connect(&pages, &EventPages::changed, this, &EventModel::refresh);
    connect(&Themes::instance(), &Themes::changed, this, &EventModel::refresh);
}

void EventModel::setWindow(std::uint64_t first, int lines)
{
    m_first = first;
    if (lines > m_lines) {
        beginInsertRows({}, m_lines, lines - 1);
        m_lines = lines;
        endInsertRows();
    } else if (lines < m_lines) {
        beginRemoveRows({}, lines, m_lines - 1);
        m_lines = lines;
        endRemoveRows();
    }
    refresh();
}

void EventModel::setTimeFormat(const TimeFormat& format)
{
    m_format = format;
    refresh();
}

void EventModel::setMarks(const std::vector<EventHit>* marks)
{
    m_marks = marks;
    refresh();
}

bool EventModel::isMarked(std::uint64_t position) const
{
    const auto row = m_pages.row(position);
    return m_marks && row && std::ranges::binary_search(*m_marks, row->index, {}, &EventHit::index);
}

int EventModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_lines; }

void EventModel::setFieldColumns(const QStringList& names)
{
    beginResetModel();
    m_fieldColumns = names;
    endResetModel();
}

int EventModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount + int(m_fieldColumns.size()); }

QString EventModel::fieldText(const EventRow& row, int column) const
{
    const FieldValue* value = fieldOf(row, m_fieldColumns[column - ColumnCount]);
    return value ? QString::fromStdString(displayText(*value)) : QString();
}

QVariant EventModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (index.column() == Cpu || index.column() == Tid ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::ForegroundRole)
        return index.column() == Name ? theme().color("text.primary") : theme().color("text.secondary");
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const auto row = m_pages.row(m_first + std::uint64_t(index.row()));
    if (role == Qt::ToolTipRole)
        return !row || index.column() < Fields
            ? QString()
            : "<qt>" + (index.column() == Fields ? fieldsText(*row) : fieldText(*row, index.column())).toHtmlEscaped() + "</qt>";
    if (!row)
        return QStringLiteral("\u2026");
    switch (index.column()) {
    case Time: return row->hasTime ? timeText(row->time, m_format) : QString();
    case Host: return QString::fromStdString(row->host);
    case Cpu: return row->cpu >= 0 ? QString::number(row->cpu) : QString();
    case Tid: return row->tid >= 0 && row->tid < FirstMadeId ? QString::number(row->tid) : QString();
    case Name: return QString::fromStdString(row->name);
    case Fields: return fieldsText(*row);
    default: return fieldText(*row, index.column());
    }
}

QVariant EventModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (section == Cpu || section == Tid ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole)
        return {};
    if (section >= ColumnCount)
        return m_fieldColumns.value(section - ColumnCount);
    static const char* const names[] = {"Time", "Host", "CPU", "TID", "Event", "Fields"};
    return tr(names[section]);
}

void EventModel::refresh()
{
    if (m_lines > 0)
        emit dataChanged(index(0, 0), index(m_lines - 1, columnCount() - 1));
}

} // namespace helio
