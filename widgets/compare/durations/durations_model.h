#pragma once

#include "core/compare/durations.h"
#include "widgets/controls/column_model.h"
#include "widgets/controls/table_copy.h"

#include <vector>

namespace helio {

/// Table of the Durations page: causes with the number and the durations of their intervals in A and in B.
class DurationsModel : public ColumnModel<ComparedDurations>, public CsvModel {
    Q_OBJECT

public:
    enum Column { Cause, TimesA, TimesB, MedianA, MedianB, P99A, P99B, MostA, MostB, ColumnCount };

    DurationsModel();

    void setDurations(std::vector<ComparedDurations> durations) { setLines(std::move(durations)); }
    const ComparedDurations& at(int row) const { return line(row); }
    /// Returns the row with the cause of `like`; -1 if there is none.
    int find(const ComparedDurations& like) const;
    QString csv() const override;
    /// Returns the titles of the columns. The titles of durations have the text colour of their side, A or B.
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

/// Returns the text of a cause, e.g. "waits for CPU" or "read, entry to return".
QString causeText(const ComparedDurations& durations);

} // namespace helio
