#include "widgets/docks/durations/sentence_table.h"

#include "widgets/theme/themes.h"

namespace helio {

void SentenceTable::setSentences(const QStringList& sentences)
{
    beginResetModel();
    m_sentences = sentences;
    endResetModel();
}

QVariant SentenceTable::data(const QModelIndex& index, int role) const
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
