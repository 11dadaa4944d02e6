#pragma once

#include "core/profiling/ipc/ipc_sums.h"
#include "widgets/docks/durations/navigable_table.h"

#include <array>

namespace helio {

/// Table of instructions per cycle by method, RPC, thread or CPU, in the selected range or the whole recording, like `heliograph ipc`.
/// Threads: UI thread.
class IpcView : public NavigablePanel {
    Q_OBJECT

public:
    explicit IpcView(ViewContext& context, QWidget* parent = nullptr);

    void list(IpcGrouping grouping) { choose(int(grouping)); }
    ShownCommand shownCommand() const override;

private:
    using Tables = std::array<std::vector<IpcSum>, 4>; ///< Sums of each grouping, indexed by IpcGrouping.

    void fetch() override;
    void fill() override;

    Tables m_tables;
    bool m_usesSelection = false;
};

} // namespace helio
