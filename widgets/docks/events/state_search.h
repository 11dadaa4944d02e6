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

/// Row of a found interval, as lists show it. For calls, label and number are those of their thread.
struct FoundIntervalRow {
    QString label;
    std::int64_t tid = -1;
    std::int32_t cpu = -1;
    QString host;
    QString depth; ///< For calls, the label of the row that shows the call's depth below the row of its thread; otherwise empty.
    TrackRef thread; ///< For a row of calls, the track of its parent row; for any other row, its own track.
};

/// Result of a search over states, with the rows of the hits. Immutable.
struct StateSearchResult {
    std::shared_ptr<const Timeline> timeline;
    StateFindings findings;
    std::map<TrackRef, FoundIntervalRow> rows;
    std::shared_ptr<const ValueFormatter> values; ///< Formatter for values of `timeline`.

    const FoundIntervalRow& rowOf(TrackRef track) const;
    QString stateOf(const StateHit& hit) const;
    QString detailOf(const StateHit& hit) const;
    /// Returns the name of the group that a hit belongs to (see StateGroup).
    QString groupOf(const StateHit& hit) const { return findings.areCalls ? detailOf(hit) : stateOf(hit); }
    TrackRef groupTrackOf(const StateHit& hit) const { return findings.areCalls ? rowOf(hit.track).thread : hit.track; }
};

/// Searches the states of all rows, or the calls of functions, in the background. The beginnings of the found intervals become the
/// hits that all views mark. A new search replaces a running search.
/// Threads: UI thread.
class StateSearch : public QObject {
    Q_OBJECT

public:
    explicit StateSearch(SearchHits& marks, QObject* parent = nullptr);

    /// Result so far; nullptr before the first result and after clear().
    const std::shared_ptr<const StateSearchResult>& found() const { return m_found; }

    enum class Target {
        States, ///< States of all rows, including rows of calls.
        Calls, ///< Calls, by the name of the function.
        CallsIfNamed, ///< Calls, if the expression names a function that is called; otherwise nothing is searched.
    };
    void start(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const Expression> expression, Target of);
    void stop(); ///< Stops the search; found() keeps the hits so far.
    void clear(); ///< Stops the search and discards its result.

signals:
    void foundChanged();
    /// Emitted by a search for Target::CallsIfNamed. If the expression names a function, `areCalls` is true, and its calls are searched.
    /// Otherwise `areCalls` is false, and the search ends.
    void decided(bool areCalls);

private:
    void take(const QString& text, std::shared_ptr<const StateSearchResult> found);

    SearchHits& m_marks;
    std::shared_ptr<const StateSearchResult> m_found;
    std::stop_source m_halt;
    LatestTask m_job;
};

} // namespace helio
