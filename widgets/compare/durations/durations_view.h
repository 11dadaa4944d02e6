#pragma once

#include "widgets/async/debounced_query.h"
#include "widgets/compare/compare_context.h"
#include "widgets/compare/durations/durations_model.h"
#include "widgets/controls/field_grid.h"

class QStackedWidget;
class QTreeView;

namespace helio {

class EmptyPage;
class DurationHistogram;
class FoldingLayout;
class Pill;

/// Page with the durations of each state and each system call of the compared threads: a table, and a histogram of the selected cause's
/// durations in A and in B. If the user selected a time range, only intervals in this range count.
class DurationsView : public PanelGround {
    Q_OBJECT

public:
    explicit DurationsView(CompareContext& context, QWidget* parent = nullptr);

    const DurationsModel& model() const { return m_model; }

private:
    struct QueryResult;

    void showEvent(QShowEvent* event) override;
    void fetch();
    void show(QueryResult answer);
    void showChosen();

    CompareContext& m_context;
    DurationsModel m_model;
    std::optional<ComparedDurations> m_chosen; ///< Selected cause; stays selected if another range is shown.
    std::uint32_t m_runsA = 0;
    std::uint32_t m_runsB = 0;
    FoldingLayout* m_head;
    QLabel* m_title;
    Pill* m_copy;
    Pill* m_log;
    QStackedWidget* m_stack;
    EmptyPage* m_page;
    QTreeView* m_table;
    DurationHistogram* m_histogram;
    QLabel* m_difference; ///< Label that says whether the durations of the two sides differ.
    DebouncedQuery m_answer;
};

} // namespace helio
