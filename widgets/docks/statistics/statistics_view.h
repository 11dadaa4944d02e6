#pragma once

#include "widgets/async/debounced_query.h"
#include "widgets/controls/field_grid.h"
#include "widgets/docks/statistics/nominal_times_cache.h"
#include "widgets/docks/statistics/statistics_model.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"
#include "widgets/workspace/view_roles.h"

class QComboBox;
class QHBoxLayout;
class QTreeView;

namespace helio {

class Pill;
class PinnedLine;

/// Dock with the time by state of every thread, or of every row of another view, in the selected or visible range.
/// Threads: UI thread; computes on other threads.
class StatisticsView : public PanelGround, public SavedViewState, public CommandProvider {
    Q_OBJECT

public:
    explicit StatisticsView(ViewContext& context, QWidget* parent = nullptr);

    QJsonObject save() const override; ///< Saves the sort order and the chosen group of rows.
    void restore(const QJsonObject& kept) override;
    ShownCommand shownCommand() const override;

private:
    void showEvent(QShowEvent* event) override;
    void fetch();
    struct QueryResult {
        std::vector<StatisticsRows> choices;
        std::vector<RowStatistics> lines;
        TimeRange range;
        QString leftOut;
        QString substitute; ///< Result of substituteText() if the table is empty because of threads without state data; else empty.
        bool hasStealTime = false; ///< True if any row has steal time.
    };
    struct Question {
        std::shared_ptr<const Timeline> timeline;
        TimeRange range;
        StatisticsOrder order;
        std::string view;
        StatisticsSum sum;
        bool excludesStealTime = false;
    };
    /// Computes the statistics. `nominal`: running times of threads converted to nominal CPU frequency; nullptr if unknown or not computed
    /// yet.
    static QueryResult ask(const Question& question, const NominalTimes* nominal, std::stop_token stop);
    LatestTask::Delivery taking(QueryResult answer);
    void take(QueryResult answer);
    void offer(std::vector<StatisticsRows> choices);
    void choose(int index);
    StatisticsRows chosen() const;
    QString shownQuery() const;
    void showLeftOut(const QString& leftOut, const QString& substitute);
    void showNote(const QString& note, bool replacesTable);
    void selectRow();

    ViewContext& m_context;
    StatisticsModel m_model;
    QLabel* m_title;
    QLabel* m_length;
    /// Line of controls below the title: m_stolen, and also m_rows if the title's line has no room for it.
    QHBoxLayout* m_further = nullptr;
    Pill* m_stolen; ///< Pill that excludes steal time; hidden if there is none.
    /// Choice of the listed rows: threads, their sums by process or name, or the rows of another view; hidden if there are only threads.
    QComboBox* m_rows;
    std::vector<StatisticsRows> m_choices{{}};
    /// Id of the view that the user chose. Kept while the timeline has no such view, so that the choice applies when the view exists again.
    std::string m_view;
    StatisticsSum m_sum = StatisticsSum::Row;
    QTreeView* m_table;
    QLabel* m_resting; ///< Label with the number of omitted rows.
    PinnedLine* m_pinned = nullptr;
    StatisticsOrder m_shownOrder;
    StatisticsRows m_shownRows;
    bool m_isSelecting = false;
    std::shared_ptr<NominalTimesCache> m_nominal = std::make_shared<NominalTimesCache>();
    DebouncedQuery m_answer;
};

} // namespace helio
