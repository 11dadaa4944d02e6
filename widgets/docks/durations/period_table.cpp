#include "widgets/docks/durations/period_table.h"

#include "widgets/theme/themes.h"

namespace helio {

void PeriodTable::setSentences(const QStringList& sentences)
{
    beginResetModel();
    m_sentences = sentences;
    endResetModel();
}

QVariant PeriodTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: return m_sentences[index.row()];
    case Qt::TextAlignmentRole: return int(Qt::AlignVCenter | Qt::AlignLeft);
    case Qt::ForegroundRole: return theme().color("text.primary");
    default: return {};
    }
}

} // namespace helio
