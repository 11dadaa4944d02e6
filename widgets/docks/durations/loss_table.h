#pragma once

#include "core/virtualization/machine_losses.h"
#include "widgets/controls/column_model.h"
#include "widgets/controls/line_delegate.h"

#include <vector>

namespace helio {

/// A cell of a LossTable, which may lead somewhere.
struct LossCell {
    QString text;
    qint64 number = -1; ///< Sort key; -1: the text is.
    LossPlace place{}; ///< Where a click leads; nowhere if its row is not valid.
};

/// A table of cells that lead somewhere. Lines keep the order they come in until the user sorts them. Threads: UI thread.
class LossTable : public ColumnModel<std::vector<LossCell>> {
public:
    using Cell = LossCell;
    struct Column {
        QString title;
        bool isNumber = false;
    };

    void setLines(const std::vector<Column>& columns, std::vector<std::vector<Cell>> lines);
    const Cell& cell(const QModelIndex& index) const { return cellIn(line(index.row()), std::size_t(index.column())); }

private:
    static const Cell& cellIn(const std::vector<Cell>& line, std::size_t column);
};

/// Long cells lose their middle, since what tells them apart stands at the end.
constexpr LineMetrics LossLines{19, 8, -1, -1, 420, Qt::ElideMiddle};

} // namespace helio
