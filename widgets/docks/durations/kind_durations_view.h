#pragma once

#include "core/latency/intervals/intervals.h"
#include "widgets/async/latest_job.h"
#include "widgets/controls/field_grid.h"
#include "widgets/workspace/saved_choices.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

#include <optional>
#include <string>

class QComboBox;
class QStackedWidget;

namespace helio {

class CallDurationsView;
class LeaksView;
class LossesView;
class PieceDurationsView;

/// How long things lasted, of a kind that is chosen among those that the recording has: calls of a function, else segments or messages by
/// name. A function that another view chooses leads to the calls. UI thread.
class KindDurationsView : public PanelGround, public SavedChoices, public OffersCommand {
    Q_OBJECT

public:
    explicit KindDurationsView(ViewContext& context, QWidget* parent = nullptr);

    QJsonObject save() const override;
    void restore(const QJsonObject& kept) override;
    ShownCommand shownCommand() const override;

private:
    void listKinds();
    void lookForMachines(bool isAgain = false); ///< Again: at the end of its own job.
    void choose(const QString& kind); ///< Empty: calls.
    void askForPair();
    void choosePair(const std::string& pair);
    void showChosen();
    int unchosen() const;
    void tryNext();

    ViewContext& m_context;
    CallDurationsView* m_calls;
    PieceDurationsView* m_pieces;
    LossesView* m_losses;
    LeaksView* m_leaks;
    QComboBox* m_choice;
    QWidget* m_head;
    QStackedWidget* m_stack;
    std::vector<IntervalKind> m_kinds;
    std::optional<QString> m_chosen; ///< By a person; none: the first that has pieces.
    QStringList m_empty; ///< Kinds that turned out to have none.
    std::string m_pair; ///< Of events, which a person asked for last; empty: none.
    bool m_hasMachines = false; ///< Then there is what they lost, too.
    LatestJob m_machinesJob;
};

} // namespace helio
