#pragma once

#include "core/latency/intervals/intervals.h"
#include "widgets/docks/durations/function_durations.h"
#include "widgets/workspace/view_context.h"

#include <optional>

namespace helio {

/// What a chart of durations lists, marked on the time axis as what a search found. UI thread.
class PieceMarks {
public:
    explicit PieceMarks(ViewContext& context)
        : m_context(context)
    {
    }

    /// `search` names them as a search would. Marks that this made before go; those of a search that came meanwhile, too.
    void show(std::shared_ptr<const BucketCalls> listed, const QString& search);
    void clear(); ///< A search that came meanwhile stays.
    /// One of them was gone to.
    void setCurrent(std::size_t call);
    /// The one that was gone to, also by the keys that step through hits.
    std::optional<std::size_t> current() const;

private:
    bool areShown() const { return m_listed && m_context.hits().text() == m_search; }

    ViewContext& m_context;
    std::shared_ptr<const BucketCalls> m_listed; ///< Null: none.
    QString m_search;
};

/// As a list of calls has them; of `bucket` the count says how many there are.
std::shared_ptr<const BucketCalls> listed(const Timeline& timeline, const LengthBucket& bucket, const std::vector<LocatedInterval>& pieces);

} // namespace helio
