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

/// Durations of one kind that the user chooses among the kinds of the recording: calls of a function, or segments and messages by name. A
/// function that another view chooses switches to the calls.
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
    void detectVirtualMachines(bool isAgain = false); ///< Looks for virtual machines. `isAgain`: called at the end of its own job.
    void choose(const QString& kind); ///< Empty for calls.
    void openPairDialog();
    void choosePair(const std::string& pair);
    void showChosen();
    int defaultKind() const;
    void skipEmptyKind();

    ViewContext& m_context;
    IntervalDurationsView* m_pieces;
    StealView* m_losses;
    LeaksView* m_leaks;
    QComboBox* m_choice;
    QWidget* m_head;
    QStackedWidget* m_stack;
    std::vector<IntervalKind> m_kinds;
    std::optional<QString> m_chosen; ///< Kind that the user chose; empty until then: the first kind with intervals is shown.
    QStringList m_empty; ///< Kinds that turned out to have no intervals.
    std::string m_pair; ///< Pair of events that the user asked for last; empty if none.
    bool m_hasMachines = false; ///< True if there are virtual machines; what they lost is offered as a kind then.
    LatestTask m_machinesJob;
};

} // namespace helio
