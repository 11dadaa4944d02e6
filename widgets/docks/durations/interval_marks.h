#pragma once

#include "core/latency/intervals/intervals.h"
#include "widgets/docks/durations/call_list_model.h"
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

    /// Marks the intervals of `listed`. Replaces the current hits, also those of another search. `search`: text that names the new hits, as
    /// if it were a search.
    void show(std::shared_ptr<const ListedCalls> listed, const QString& search);
    void clear(); ///< Removes its own marks; hits of another search stay.
    /// To be called when the user goes to an interval of the list. `call`: its index.
    void setCurrent(std::size_t call);
    /// Index of the interval that the user went to, in the list or with the keys that step through hits; empty if none.
    std::optional<std::size_t> current() const;
    bool areShown() const { return m_listed && m_context.hits().text() == m_search; } ///< True until another search replaces the marks.

private:
    ViewContext& m_context;
    std::shared_ptr<const ListedCalls> m_listed; ///< Intervals that are marked; nullptr if none are.
    QString m_search;
};

/// Returns intervals in the form of a list of calls. `bucket.count`: number of intervals, including those that `pieces` leaves out.
std::shared_ptr<const ListedCalls> listed(const Timeline& timeline, const HistogramBucket& bucket,
                                          const std::vector<LocatedInterval>& pieces);

/// Returns the expression that matches intervals of this name, e.g. `name == "render"`.
QString makeNameFilter(const std::string& name);

} // namespace helio
