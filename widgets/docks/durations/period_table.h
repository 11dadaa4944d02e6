#pragma once

#include <QAbstractTableModel>
#include <QStringList>

namespace helio {

/// Sentences, one below the other; each in full where the pointer rests on it. UI thread.
class PeriodTable : public QAbstractTableModel {
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
