#pragma once

#include "core/query/filters/state_search.h"
#include "widgets/time/search_hits.h"
#include "widgets/work/latest_job.h"

#include <QHash>
#include <QString>

#include <map>
#include <memory>

namespace helio {

/// What a list of intervals says of the row that each is of.
struct FoundRow {
    QString label;
    std::int64_t tid = -1;
    std::int32_t cpu = -1;
    QString host;
};

/// What a search over states found, and of which rows. Immutable.
struct FoundStates {
    std::shared_ptr<const Timeline> timeline;
    StateFindings findings;
    std::map<TrackRef, FoundRow> rows;

    const FoundRow& rowOf(TrackRef track) const;
    QString stateOf(const StateHit& hit) const;
    QString detailOf(const StateHit& hit) const;
};

/// Searches the states of all rows in the background; where they begin is marked as what every view shows. The latest search wins. UI
/// thread only.
class StateSearch : public QObject {
    Q_OBJECT

public:
    explicit StateSearch(SearchHits& marks, QObject* parent = nullptr);

    /// Null before the first, and after clear().
    const std::shared_ptr<const FoundStates>& found() const { return m_found; }

    void start(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const Expression> expression);
    void stop(); ///< What was found till then is the answer.
    void clear(); ///< Stops; there is no answer.

signals:
    void foundChanged();

private:
    void take(const QString& text, std::shared_ptr<const FoundStates> found);

    SearchHits& m_marks;
    std::shared_ptr<const FoundStates> m_found;
    std::stop_source m_halt;
    LatestJob m_job;
};

} // namespace helio
