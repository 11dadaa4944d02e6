#pragma once

#include "core/profiling/calls/call_facts.h"
#include "core/profiling/calls/function_calls.h"
#include "widgets/workspace/view_context.h"

#include <QWidget>

#include <optional>

class QLabel;

namespace helio {

class CallTimeCard;
class FieldGrid;
class RankAxis;

/// Comparison of a call with the other calls of its function.
struct CallRanking {
    std::optional<CallRank> rank; ///< Empty if the call's exit was not seen.
    std::optional<CallTime> typical; ///< Times of the median call.
};

/// Shows a call: its function, times, rank among the function's calls, what its thread did meanwhile, and its callers. A click on a caller
/// goes to that call.
/// Threads: UI thread.
class CallCard : public QWidget {
    Q_OBJECT

public:
    explicit CallCard(ViewContext& context, QWidget* parent = nullptr);

    const std::optional<CallFacts>& facts() const { return m_facts; }
    /// Sets the call; empty hides the card.
    void setCall(std::optional<CallFacts> facts);
    void setRanking(const CallRanking& standing);
    /// Redraws the card, e.g. after the theme or the time format changed.
    void refresh();

private:
    void showRank();
    void addFields();
    void addCallers();

    ViewContext& m_context;
    std::optional<CallFacts> m_facts;
    std::optional<CallRanking> m_ranking;
    QLabel* m_swatch;
    QLabel* m_title;
    QLabel* m_duration;
    QLabel* m_rank;
    QLabel* m_place;
    RankAxis* m_axis;
    FieldGrid* m_fields;
    CallTimeCard* m_time;
    QLabel* m_callersTitle;
    FieldGrid* m_callers;
};

} // namespace helio
