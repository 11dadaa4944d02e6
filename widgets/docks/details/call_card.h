#pragma once

#include "core/profiling/calls/call_facts.h"
#include "core/profiling/calls/function_calls.h"
#include "core/profiling/calls/recorded_slice.h"
#include "widgets/workspace/view_context.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace helio {

class CallTimeCard;
class FieldGrid;
class RankAxis;

/// Rank of a call among the other calls of its function.
struct CallRanking {
    std::optional<CallRank> rank; ///< Rank by duration; nullopt if the call has no recorded exit.
    std::optional<CallTime> typical; ///< Breakdown of the time of the function's median call; nullopt if unknown.
};

/// Card with facts about a call: function, times, rank among the function's calls, states of the thread during the call, and callers. A
/// click on a caller selects the caller's call.
/// Threads: UI thread.
class CallCard : public QWidget {
    Q_OBJECT

public:
    explicit CallCard(ViewContext& context, QWidget* parent = nullptr);

    const std::optional<CallFacts>& facts() const { return m_facts; }
    /// Sets the call to show; nullopt hides the card. `recorded`: fields of the events that begin and end the call, without the call's
    /// name.
    void setCall(std::optional<CallFacts> facts, std::vector<SliceField> recorded = {});
    void setRanking(const CallRanking& standing);
    QVBoxLayout* buttonPlace() const { return m_buttonPlace; } ///< Place for buttons, below the call's time.
    /// Redraws the card, e.g. after the theme or the time format changed.
    void refresh();

private:
    void showRank();
    void addFields();
    void addRecorded();
    void addCallers();

    ViewContext& m_context;
    std::optional<CallFacts> m_facts;
    std::vector<SliceField> m_recorded;
    std::optional<CallRanking> m_ranking;
    QLabel* m_swatch;
    QLabel* m_title;
    QLabel* m_duration;
    QLabel* m_rank;
    QLabel* m_place;
    RankAxis* m_axis;
    FieldGrid* m_fields;
    CallTimeCard* m_time;
    QVBoxLayout* m_buttonPlace;
    QLabel* m_callersTitle;
    FieldGrid* m_callers;
};

} // namespace helio
