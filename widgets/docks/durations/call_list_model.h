#pragma once

#include "core/latency/intervals/duration_stats.h"
#include "core/query/rows/duration_distribution.h"
#include "core/store/track_ref.h"
#include "widgets/controls/column_model.h"
#include "widgets/time/time_format.h"

#include <memory>
#include <vector>

namespace helio {

/// Intervals of one bucket of a histogram, or another choice of intervals. Immutable.
struct ListedCalls {
    struct Call {
        TimeRange range;
        TrackRef row; ///< Not valid if no row is known.
        std::uint32_t thread = 0; ///< Index in `threads`.
    };
    HistogramBucket bucket;
    std::vector<Call> calls; ///< In the order of their begins; only the first MostListedCalls.
    std::vector<QString> threads;

    bool isCut() const { return calls.size() < bucket.count; }
};

constexpr std::size_t MostListedCalls = 100'000; ///< These take about 5 MB.

/// A table of listed intervals, one line per interval.
class CallListModel : public ColumnModel<const ListedCalls::Call*> {
    Q_OBJECT

public:
    enum Column { Begin, Length, Thread, ColumnCount };

    CallListModel();

    void setCalls(std::shared_ptr<const ListedCalls> calls); ///< nullptr for an empty table.
    void setTimeFormat(const TimeFormat& format);

    std::size_t callAt(int row) const { return placeOf(row); } ///< Index in ListedCalls::calls.
    int lineOf(std::size_t call) const; ///< -1 if the call is not listed.

private:
    std::shared_ptr<const ListedCalls> m_calls;
    TimeFormat m_format;
};

} // namespace helio
