#pragma once

#include "core/query/filters/state_search.h"
#include "core/query/rows/row_notes.h"
#include "widgets/async/latest_job.h"
#include "widgets/time/search_hits.h"

#include <QHash>
#include <QString>

#include <map>
#include <memory>

namespace helio {

/// What a list of intervals says of the row that each is of. Rows of calls have their thread's label and number.
struct FoundRow {
    QString label;
    std::int64_t tid = -1;
    std::int32_t cpu = -1;
    QString host;
    QString depth; ///< Of calls: which row of their thread's it is.
    TrackRef thread; ///< Of calls: what their row hangs from; else the row itself.
};

/// What a search over states found, and of which rows. Immutable.
struct FoundStates {
    std::shared_ptr<const Timeline> timeline;
    StateFindings findings;
    std::map<TrackRef, FoundRow> rows;
    std::shared_ptr<const ShownValues> values; ///< Of the timeline.

    const FoundRow& rowOf(TrackRef track) const;
    QString stateOf(const StateHit& hit) const;
    QString detailOf(const StateHit& hit) const;
    /// What a hit is grouped by, as StateGroup says.
    QString groupOf(const StateHit& hit) const { return findings.areCalls ? detailOf(hit) : stateOf(hit); }
    TrackRef groupTrackOf(const StateHit& hit) const { return findings.areCalls ? rowOf(hit.track).thread : hit.track; }
};

/// Searches the states of all rows, or the calls of functions, in the background; where they begin is marked as what every view shows. The
/// latest search wins. UI thread only.
class StateSearch : public QObject {
    Q_OBJECT

public:
    explicit StateSearch(SearchHits& marks, QObject* parent = nullptr);

    /// Null before the first, and after clear().
    const std::shared_ptr<const FoundStates>& found() const { return m_found; }

    enum class Of {
        States, ///< Of all rows, calls among them.
        Calls, ///< By their functions.
        CallsIfNamed, ///< The same where a function is called so; else nothing is searched for.
    };
    void start(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const Expression> expression, Of of);
    void stop(); ///< What was found till then is the answer.
    void clear(); ///< Stops; there is no answer.

signals:
    void foundChanged();
    /// Of CallsIfNamed: what is found will be calls, or nothing was searched for.
    void decided(bool areCalls);

private:
    void take(const QString& text, std::shared_ptr<const FoundStates> found);

    SearchHits& m_marks;
    std::shared_ptr<const FoundStates> m_found;
    std::stop_source m_halt;
    LatestJob m_job;
};

} // namespace helio
