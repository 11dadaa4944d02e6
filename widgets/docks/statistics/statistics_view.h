#pragma once

#include "widgets/async/fresh_answer.h"
#include "widgets/controls/field_grid.h"
#include "widgets/docks/statistics/nominal_kept.h"
#include "widgets/docks/statistics/statistics_model.h"
#include "widgets/workspace/saved_choices.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

class QComboBox;
class QHBoxLayout;
class QTreeView;

namespace helio {

class Pill;
class PinnedLine;

/// Where the time of every thread, or of every row of another view, went, in the selected range or the visible window. Exact, computed off
/// the UI thread.
class StatisticsView : public PanelGround, public SavedChoices, public OffersCommand {
    Q_OBJECT

public:
    explicit StatisticsView(ViewContext& context, QWidget* parent = nullptr);

    QJsonObject save() const override; ///< By what it is sorted, and which rows it lists.
    void restore(const QJsonObject& kept) override;
    ShownCommand shownCommand() const override;

private:
    void showEvent(QShowEvent* event) override;
    void fetch();
    struct Answer {
        std::vector<StatisticsRows> choices;
        std::vector<RowStatistics> lines;
        TimeRange range;
        QString leftOut;
        bool hasStolen = false; ///< Of rows there.
    };
    struct Question {
        std::shared_ptr<const Timeline> timeline;
        TimeRange range;
        StatisticsOrder order;
        std::string view;
        bool leavesOutStolen = false;
    };
    /// `nominal`: nullptr where it is not known, or not yet.
    static Answer ask(const Question& question, const NominalTimes* nominal, std::stop_token stop);
    LatestJob::Delivery taking(Answer answer);
    void take(Answer answer);
    void offer(std::vector<StatisticsRows> choices);
    void choose(int index);
    StatisticsRows chosen() const;
    void showLeftOut(const QString& leftOut);
    void selectRow();

    ViewContext& m_context;
    StatisticsModel m_model;
    QLabel* m_title;
    QLabel* m_length;
    QHBoxLayout* m_further = nullptr; ///< Choices below the title.
    Pill* m_stolen; ///< Leaves stolen time out; hidden where there is none.
    QComboBox* m_rows; ///< Which rows; hidden where there are none but threads.
    std::vector<StatisticsRows> m_choices{{}};
    std::string m_view; ///< As chosen, also while it is not there.
    QTreeView* m_table;
    QLabel* m_resting; ///< How many are left out.
    PinnedLine* m_pinned = nullptr;
    StatisticsOrder m_shownOrder;
    std::string m_shownView;
    bool m_isSelecting = false;
    std::shared_ptr<NominalKept> m_nominal = std::make_shared<NominalKept>();
    FreshAnswer m_answer;
};

} // namespace helio
