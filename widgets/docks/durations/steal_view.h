#pragma once

#include "widgets/docks/durations/navigable_table.h"

namespace helio {

/// CPU time that virtual machines lost in the selected or visible range, and to whom: as a ranking of culprits, as a matrix of machines, or
/// by the threads that lost it. A click on a line or cell goes to the longest loss in it.
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
