#pragma once

#include "core/waits/locks/lock_contention.h"
#include "widgets/docks/durations/navigable_table.h"

namespace helio {

/// Table of the threads that made others wait for locks, in the selected range or the whole recording, like `heliograph locks --culprits`;
/// or of the locks, like `heliograph locks`. A click on a line goes to the longest wait or hold.
/// Threads: UI thread.
class LockCulpritsView : public NavigablePanel {
    Q_OBJECT

public:
    explicit LockCulpritsView(ViewContext& context, QWidget* parent = nullptr);

    enum class Shown { Culprits, Locks };
    void list(Shown shown) { choose(int(shown)); }
    ShownCommand shownCommand() const override;

private:
    struct Tables {
        std::vector<LockCulprit> culprits;
        std::vector<LockContention> locks;
        std::uint64_t kernelWaits = 0; ///< Number of waits for kernel locks, whose owners are not recorded.
    };

    void fetch() override;
    void fill() override;
    QString shownQuery() const;

    std::shared_ptr<const Timeline> m_of; ///< Timeline of the tables.
    Tables m_tables;
    bool m_usesSelection = false;
};

} // namespace helio
