#pragma once

#include "widgets/async/debounced_query.h"
#include "widgets/controls/field_grid.h"
#include "widgets/theme/theme.h"
#include "widgets/workspace/view_context.h"

#include <QHash>

class QGridLayout;
class QToolButton;

namespace helio {

/// The meaning of every colour and shape, with each state's number of intervals and share of time in the visible range. Rows that rest
/// during all of that range are not counted. A click on a state dims all other states in the panels.
class LegendView : public ScrollPage {
    Q_OBJECT

public:
    explicit LegendView(ViewContext& context, QWidget* parent = nullptr);

private:
    struct Sum {
        std::uint64_t count = 0;
        Duration total{};
    };
    struct SetSums {
        StateSet set;
        std::vector<Sum> sums; ///< Indexed by state.
    };
    using Sums = std::vector<SetSums>; ///< One entry for each state set, ordered by the first row that has it.

    static std::vector<TrackRef> tracksOf(const Timeline& timeline, const std::string& view, Sums& sums);
    static SetSums* sumsOf(Sums& sums, const StateSet& set);
    void showEvent(QShowEvent* event) override;
    void fetch();
    void rebuild();
    void refill();
    void showFocus();
    void addTitles(QGridLayout* grid);
    void addRow(QGridLayout* grid, const QString& key, const StateAppearance& look);

    ViewContext& m_context;
    struct Line {
        QToolButton* words;
        QLabel* count;
        QLabel* share;
    };

    Sums m_sums;
    QHash<QString, Line> m_lines; ///< Lines by set and state.
    DebouncedQuery m_answer;
};

} // namespace helio
