#pragma once

#include <QAbstractTableModel>
#include <QStringList>

namespace helio {

/// A list of sentences; a tooltip shows each in full.
/// Threads: UI thread.
class SentenceTable : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setSentences(const QStringList& sentences);

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(m_sentences.size()); }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 1; }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    QStringList m_sentences;
};

} // namespace helio
