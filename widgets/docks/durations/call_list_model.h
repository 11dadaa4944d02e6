#pragma once

#include "core/latency/intervals/duration_stats.h"
#include "core/query/rows/duration_distribution.h"
#include "core/store/track_ref.h"
#include "widgets/controls/column_model.h"
#include "widgets/time/time_format.h"

#include <memory>
#include <vector>

namespace helio {

/// Intervals to list: those of one bucket of a histogram, or of another selection. Immutable.
struct ListedCalls {
    struct Call {
        TimeRange range;
        TrackRef row; ///< Row of the interval; invalid if unknown.
        std::uint32_t thread = 0; ///< Index of the thread's name in `threads`.
        QString arguments{}; ///< Arguments of a system call in a log of system calls (strace); otherwise empty.
    };
    HistogramBucket bucket;
    std::vector<Call> calls; ///< Intervals sorted by start; at most the first MostListedCalls.
    std::vector<QString> threads;

    bool isCut() const { return calls.size() < bucket.count; }
};

constexpr std::size_t MostListedCalls = 100'000; ///< Maximum number of listed intervals; without arguments, they take about 7 MB.

/// Table of ListedCalls, one interval per line.
class CallListModel : public ColumnModel<const ListedCalls::Call*> {
    Q_OBJECT

public:
    enum Column { Begin, Length, Thread, Arguments, ColumnCount };

    CallListModel();

    void setCalls(std::shared_ptr<const ListedCalls> calls); ///< Sets the intervals; nullptr empties the table.
    bool hasArguments() const; ///< True if any listed interval has arguments.
    void setTimeFormat(const TimeFormat& format);

    std::size_t callAt(int row) const { return placeOf(row); } ///< Index of a row's interval in ListedCalls::calls.
    int lineOf(std::size_t call) const; ///< Row of the interval with index `call`; -1 if it is not listed.

private:
    std::shared_ptr<const ListedCalls> m_calls;
    TimeFormat m_format;
};

} // namespace helio
