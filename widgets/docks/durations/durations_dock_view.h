#pragma once

#include "core/latency/intervals/intervals.h"
#include "widgets/async/latest_task.h"
#include "widgets/controls/field_grid.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"
#include "widgets/workspace/view_roles.h"

#include <optional>
#include <string>

class QComboBox;
class QStackedWidget;

namespace helio {

class LeaksView;
class StealView;
class IntervalDurationsView;

/// Dock with the durations of one kind of intervals: calls of a function, or segments and messages by name. The user chooses among the
/// kinds in the recording. If another view selects a function, the dock switches to calls.
/// Threads: UI thread.
class DurationsDockView : public PanelGround, public SavedViewState, public CommandProvider {
    Q_OBJECT

public:
    explicit DurationsDockView(ViewContext& context, QWidget* parent = nullptr);

    QJsonObject save() const override;
    void restore(const QJsonObject& kept) override;
    ShownCommand shownCommand() const override;

private:
    void listKinds();
    /// Searches the timeline for virtual machines, on another thread. `isAgain` is true if a finished search starts the following one,
    /// because the timeline changed during the search.
    void detectVirtualMachines(bool isAgain = false);
    void choose(const QString& kind); ///< Chooses a kind by its id; empty for calls.
    void openPairDialog();
    void choosePair(const std::string& pair);
    void showChosen();
    int defaultKind() const;
    void skipEmptyKind();

    ViewContext& m_context;
    IntervalDurationsView* m_intervalDurations;
    StealView* m_losses;
    LeaksView* m_leaks;
    QComboBox* m_choice;
    QWidget* m_head;
    QStackedWidget* m_stack;
    std::vector<IntervalKind> m_kinds;
    std::optional<QString> m_chosen; ///< Kind that the user chose; nullopt before, while the first kind with intervals is shown.
    QStringList m_empty; ///< Ids of kinds that have no intervals in the recording.
    std::string m_pair; ///< Pair of events that the user entered last; empty if none.
    bool m_hasMachines = false; ///< True if there are virtual machines, so that the list offers their steal time.
    LatestTask m_machinesJob;
};

} // namespace helio
