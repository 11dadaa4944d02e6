#pragma once

#include "core/latency/intervals/intervals.h"
#include "widgets/docks/durations/function_durations.h"
#include "widgets/workspace/view_context.h"

#include <optional>

namespace helio {

/// Marks the intervals that a chart of durations lists as search hits on the time axis.
/// Threads: UI thread.
class IntervalMarks {
public:
    explicit IntervalMarks(ViewContext& context)
        : m_context(context)
    {
    }

    /// Replaces the current hits, also those of another search. `search`: the name of the new hits, in the form of a search.
    void show(std::shared_ptr<const ListedCalls> listed, const QString& search);
    void clear(); ///< Removes its own marks; hits of another search stay.
    /// The user went to this call.
    void setCurrent(std::size_t call);
    /// The call that the user went to, in the list or with the keys that step through hits; empty if none.
    std::optional<std::size_t> current() const;

private:
    bool areShown() const { return m_listed && m_context.hits().text() == m_search; }

    ViewContext& m_context;
    std::shared_ptr<const ListedCalls> m_listed; ///< nullptr if none.
    QString m_search;
};

/// Returns intervals in the form of a list of calls. `bucket.count`: how many there are in all.
std::shared_ptr<const ListedCalls> listed(const Timeline& timeline, const HistogramBucket& bucket,
                                          const std::vector<LocatedInterval>& pieces);

} // namespace helio
