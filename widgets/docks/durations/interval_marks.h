#pragma once

#include "core/latency/intervals/intervals.h"
#include "widgets/docks/durations/call_list_model.h"
#include "widgets/workspace/view_context.h"

#include <optional>

namespace helio {

/// Marks the listed intervals of a chart of durations on the time axis, as search hits.
/// Threads: UI thread.
class IntervalMarks {
public:
    explicit IntervalMarks(ViewContext& context)
        : m_context(context)
    {
    }

    /// Marks the intervals of `listed`. Replaces the current hits, even hits of another search. `search`: text shown as the expression of
    /// the hits.
    void show(std::shared_ptr<const ListedCalls> listed, const QString& search);
    void clear(); ///< Removes the marks of this object; hits of another search stay.
    /// Sets the current hit. Must be called when the user goes to the listed interval with index `call`.
    void setCurrent(std::size_t call);
    /// Index in `listed` of the interval that the user went to, by the list or by the keys for the next and the previous hit; nullopt if
    /// none.
    std::optional<std::size_t> current() const;
    /// True until another search replaces the marks of this object.
    bool areShown() const { return m_listed && m_context.hits().text() == m_search; }

private:
    ViewContext& m_context;
    std::shared_ptr<const ListedCalls> m_listed; ///< Marked intervals; nullptr if none.
    QString m_search;
};

/// Makes a list of calls from `intervals`, which are intervals in a bucket of a histogram. `bucket.count`: number of all intervals in the
/// bucket, including those that are not in `intervals`. `areSystemCalls`: also looks up the arguments of the calls in logs of system calls;
/// requires that `intervals` are in order of start times. Leaves out further arguments once `stop` is requested.
std::shared_ptr<const ListedCalls> listed(const std::shared_ptr<const Timeline>& timeline, const HistogramBucket& bucket,
                                          const std::vector<LocatedInterval>& intervals, bool areSystemCalls, const std::stop_token& stop);

/// Returns the search expression for intervals with this name, e.g. `name == "render"`.
QString makeNameFilter(const std::string& name);

} // namespace helio
