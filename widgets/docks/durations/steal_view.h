#pragma once

#include "widgets/docks/durations/navigable_table.h"

namespace helio {

/// Table of the CPU time that virtual machines lost in the selected or visible range: a ranking of culprits, a matrix of machines, or a
/// list of the threads that lost the time. A click on a line or cell goes to the longest loss of that line or cell.
/// Threads: UI thread.
class StealView : public NavigablePanel {
    Q_OBJECT

public:
    explicit StealView(ViewContext& context, QWidget* parent = nullptr);

    enum class Shown { Culprits, Matrix, Threads };
    void list(Shown what) { choose(int(what)); }
    ShownCommand shownCommand() const override;

private:
    void fetch() override;
    void fill() override;

    StealTables m_losses;
    TimeRange m_range;
};

} // namespace helio
