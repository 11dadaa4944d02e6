#include "widgets/docks/durations/call_list_model.h"

#include "widgets/theme/themes.h"

#include <algorithm>
#include <numeric>

namespace helio {

void CallListModel::setCalls(std::shared_ptr<const BucketCalls> calls)
{
    beginResetModel();
    m_calls = std::move(calls);
    arrange();
    endResetModel();
}

void CallListModel::setTimeFormat(const TimeFormat& format)
{
    m_format = format;
    if (!m_lines.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void CallListModel::sort(int column, Qt::SortOrder order)
{
    beginResetModel();
    m_column = Column(std::clamp(column, 0, ColumnCount - 1));
    m_isDescending = order == Qt::DescendingOrder;
    arrange();
    endResetModel();
}

void CallListModel::arrange()
{
    m_lines.resize(m_calls ? m_calls->calls.size() : 0);
    std::iota(m_lines.begin(), m_lines.end(), 0U); // By their begins, as they come.
    const auto sortBy = [this](auto keyOf) {
        std::ranges::stable_sort(m_lines, [&](std::uint32_t a, std::uint32_t b) { return keyOf(a) < keyOf(b); });
    };
    if (m_column == Length)
        sortBy([this](std::uint32_t call) { return lengthOf(m_calls->calls[call].call.range); });
    if (m_column == Thread)
        sortBy([this](std::uint32_t call) -> const QString& { return m_calls->threads[m_calls->calls[call].thread]; });
    if (m_isDescending)
        std::ranges::reverse(m_lines);
}

int CallListModel::lineOf(std::size_t call) const
{
    const auto found = std::ranges::find(m_lines, call);
    return found == m_lines.end() ? -1 : int(found - m_lines.begin());
}

QVariant CallListModel::data(const QModelIndex& index, int role) const
{
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (index.column() == Length ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::ForegroundRole)
        return theme().color(index.column() == m_column ? "text.primary" : "text.secondary");
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const BucketCalls::Call& it = m_calls->calls[callAt(index.row())];
    switch (index.column()) {
    case Begin: return timeText(it.call.range.begin, m_format);
    case Length: return durationText(lengthOf(it.call.range));
    default: return m_calls->threads[it.thread];
    }
}

QVariant CallListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (section == Length ? Qt::AlignRight : Qt::AlignLeft));
    static const char* const names[] = {QT_TR_NOOP("Begin"), QT_TR_NOOP("Duration"), QT_TR_NOOP("Thread")};
    return role == Qt::DisplayRole ? tr(names[section]) : QVariant();
}

} // namespace helio
