#pragma once

#include "core/profiling/heap/heap_use.h"
#include "widgets/docks/durations/navigable_table.h"

namespace helio {

/// Table of memory that was never freed, in the selected range or the whole recording: bytes and blocks by the function or source line that
/// allocated them, sorted by bytes. A click on a line goes to its first block.
/// Threads: UI thread.
class LeaksView : public NavigablePanel {
    Q_OBJECT

public:
    explicit LeaksView(ViewContext& context, QWidget* parent = nullptr);

    enum class By { Function, Line };
    void list(By by) { choose(int(by)); }
    ShownCommand shownCommand() const override;

private:
    void fetch() override;
    void fill() override;

    std::vector<HeapUse> m_leaks; ///< Unfreed memory, grouped by function and source line.
    bool m_usesSelection = false;
};

} // namespace helio
