#pragma once

#include "core/profiling/ipc/ipc_sums.h"
#include "widgets/docks/durations/navigable_table.h"

#include <array>

namespace helio {

/// Table of instructions per cycle (IPC) by method, RPC, thread or CPU, with the data that `heliograph ipc` prints. It covers the selected
/// range, else the visible range.
/// Threads: UI thread.
class IpcView : public NavigablePanel {
    Q_OBJECT

public:
    explicit IpcView(ViewContext& context, QWidget* parent = nullptr);

    void list(IpcGrouping grouping) { choose(int(grouping)); }
    ShownCommand shownCommand() const override;

private:
    using Tables = std::array<std::vector<IpcSum>, 4>; ///< Lines of the table for each grouping, indexed by IpcGrouping.

    void fetch() override;
    void fill() override;

    enum class Scope { Selection, Visible, All };

    Tables m_tables;
    Scope m_scope = Scope::All; ///< Range that m_tables covers; All if the visible range is the whole trace.
};

} // namespace helio
