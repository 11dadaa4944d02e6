#pragma once

#include "core/waits/locks/lock_stat.h"
#include "widgets/controls/column_model.h"

#include <vector>

namespace helio {

/// Table of code locations that belong to locks of one class: first the locations where threads waited for a lock, then the locations where
/// threads held it. Both groups are sorted by count.
/// Threads: UI thread.
class LockPointModel : public ColumnModel<LockStatPoint> {
    Q_OBJECT

public:
    enum Column { What, Contentions, Symbol, Address, ColumnCount };

    LockPointModel();

    void setPoints(std::vector<LockStatPoint> points);
};

} // namespace helio
