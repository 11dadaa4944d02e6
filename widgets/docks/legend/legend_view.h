#pragma once

#include "widgets/async/debounced_query.h"
#include "widgets/controls/field_grid.h"
#include "widgets/theme/theme.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

#include <QHash>

class QGridLayout;
class QToolButton;

namespace helio {

/// Dock with the meaning of every colour and shape. For each state, it also shows the number of intervals and the share of time in the
/// visible range. Rows that sleep, wait, are idle or are unknown during the whole range are not counted. A click on a state dims all other
/// states in the panels.
class LegendView : public ScrollPage, public CommandProvider {
    Q_OBJECT

public:
    explicit LegendView(ViewContext& context, QWidget* parent = nullptr);

    /// Returns the command that prints the states of the threads in the visible range; of the first view with states if there are no
    /// threads.
    ShownCommand shownCommand() const override;

private:
    struct Sum {
        std::uint64_t count = 0;
        Duration total{};
    };
    struct SetSums {
        StateSet set;
        std::vector<Sum> sums; ///< Number and total duration of the intervals in each state of `set`, indexed by state.
    };
    using Sums = std::vector<SetSums>; ///< Sums of all state sets, in the order in which the rows use them first.

    static std::vector<TrackRef> tracksOf(const Timeline& timeline, const std::string& view, Sums& sums);
    static SetSums* sumsOf(Sums& sums, const StateSet& set);
    void showEvent(QShowEvent* event) override;
    void fetch();
    void rebuild();
    void refill();
    void showFocus();
    void addTitles(QGridLayout* grid);
    void choose(const QString& legend);
    void addRow(QGridLayout* grid, const QString& key, const StateAppearance& look);

    ViewContext& m_context;
    struct Line {
        QToolButton* words;
        QLabel* count;
        QLabel* share;
    };

    Sums m_sums;
    QHash<QString, Line> m_lines; ///< Lines of the legend, by set and state.
    DebouncedQuery m_answer;
};

} // namespace helio
