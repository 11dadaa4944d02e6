#pragma once

#include "core/compare/durations.h"
#include "widgets/controls/column_model.h"
#include "widgets/controls/table_copy.h"

#include <vector>

namespace helio {

/// Table of the Durations page: each cause with the number and the lengths of its intervals in A and in B.
class DurationsModel : public ColumnModel<ComparedDurations>, public CsvModel {
    Q_OBJECT

public:
    enum Column { Cause, TimesA, TimesB, MedianA, MedianB, P99A, P99B, MostA, MostB, ColumnCount };

    DurationsModel();

    void setDurations(std::vector<ComparedDurations> durations) { setLines(std::move(durations)); }
    const ComparedDurations& at(int row) const { return line(row); }
    /// Returns the row with the same cause; -1 if there is none.
    int find(const ComparedDurations& like) const;
    QString csv() const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override; ///< Adds the colours of the sides.
};

/// Text of the cause, e.g. "waits for CPU" or "read, entry to return".
QString causeText(const ComparedDurations& durations);

} // namespace helio
