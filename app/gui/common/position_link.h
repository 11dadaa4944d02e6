#pragma once

#include "app/cli/selection/position_options.h"

#include <QObject>
#include <QStringList>

namespace helio {

class ExperimentPane;
class LatestTask;

/// Moves a pane to a position that the command line options give, as soon as enough of the traces has been read: first cursor and visible
/// range, then view and row. The row may be in a trace that is still being read. Each of these parts is applied only once, and no longer
/// after the user has moved the cursor, the visible range, the selection or the selected row. The object deletes itself when all parts are
/// applied.
/// Threads: UI thread; rows are searched on another thread.
class PositionLink : public QObject {
    Q_OBJECT

public:
    /// Ownership: the pane, which becomes the parent, outlives the object.
    PositionLink(ExperimentPane& pane, PositionOptions position);

signals:
    void problem(const QString& text); ///< Emitted if a part of the position does not exist, as a sentence for the user.

private:
    void apply();
    bool areTimesFinal() const;
    bool applyTimes();
    void searchRow();
    void take(const Result<PositionRow>& found, bool isLast);
    void show(const PositionRow& found);

    ExperimentPane& m_pane;
    PositionOptions m_position;
    std::optional<Timestamp> m_at; ///< Time of the cursor, once it is known.
    bool m_areTimesDone = false;
    bool m_isDone = false;
    /// True from a change of the time axis's whole range until the pane shows the timeline with the new range; moves in between are not the
    /// user's.
    bool m_isFollowingRange = false;
    bool m_hasUserMoved = false; ///< True if the user changed the visible range, the cursor, the selection or the selected row.
    LatestTask* m_job;
};

/// Returns the command line options, as separate words, for the pane's position: its cursor, visible range and selected row.
QStringList positionWords(ExperimentPane& pane);

} // namespace helio
