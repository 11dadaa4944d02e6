#pragma once

#include "core/query/filters/state_search.h"
#include "core/query/rows/row_notes.h"
#include "widgets/async/latest_task.h"
#include "widgets/time/search_hits.h"

#include <QHash>
#include <QString>

#include <map>
#include <memory>

namespace helio {

/// Row of a found interval, in the form that lists show. Rows of calls have the label and number of their thread.
struct FoundIntervalRow {
    QString label;
    std::int64_t tid = -1;
    std::int32_t cpu = -1;
    QString host;
    QString depth; ///< Rows of calls only: label of the row among its thread's rows, one per depth.
    TrackRef thread; ///< The parent of a row of calls; for other rows the row itself.
};

/// Results of a search over states, with the rows of the results. Immutable.
struct StateSearchResult {
    std::shared_ptr<const Timeline> timeline;
    StateFindings findings;
    std::map<TrackRef, FoundIntervalRow> rows;
    std::shared_ptr<const ValueFormatter> values; ///< Values of `timeline`.

    const FoundIntervalRow& rowOf(TrackRef track) const;
    QString stateOf(const StateHit& hit) const;
    QString detailOf(const StateHit& hit) const;
    /// Returns the name of the hit's group, see StateGroup.
    QString groupOf(const StateHit& hit) const { return findings.areCalls ? detailOf(hit) : stateOf(hit); }
    TrackRef groupTrackOf(const StateHit& hit) const { return findings.areCalls ? rowOf(hit.track).thread : hit.track; }
};

/// Searches the states of all rows, or the calls of functions, in the background; marks their begins as the hits that all views show. The
/// latest search wins.
/// Threads: UI thread.
class StateSearch : public QObject {
    Q_OBJECT

public:
    explicit StateSearch(SearchHits& marks, QObject* parent = nullptr);

    /// nullptr before the first result and after clear().
    const std::shared_ptr<const StateSearchResult>& found() const { return m_found; }

    enum class Target {
        States, ///< States of all rows, rows of calls among them.
        Calls, ///< Calls by function name.
        CallsIfNamed, ///< Calls if a called function has this name; otherwise nothing is searched.
    };
    void start(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const Expression> expression, Target of);
    void stop(); ///< Stops the search; found() keeps what was found so far.
    void clear(); ///< Stops the search and discards the results.

signals:
    void foundChanged();
    /// Emitted for CallsIfNamed: true if calls will be found, false if nothing was searched.
    void decided(bool areCalls);

private:
    void take(const QString& text, std::shared_ptr<const StateSearchResult> found);

    SearchHits& m_marks;
    std::shared_ptr<const StateSearchResult> m_found;
    std::stop_source m_halt;
    LatestTask m_job;
};

} // namespace helio
