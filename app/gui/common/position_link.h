#pragma once

#include "app/cli/selection/position_options.h"

#include <QObject>
#include <QStringList>

namespace helio {

class ExperimentPane;
class LatestTask;

/// Moves a pane to a position of the command line as soon as its traces show it: first cursor and visible range, then view and row. The row
/// may need traces that are still being read. Each part is applied only once, and not after the user has moved. Deletes itself when done.
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
    bool m_isFollowingRange = false; ///< True from a change of the whole range until the timeline with this range is shown.
    bool m_hasUserMoved = false; ///< True if the user changed visible range, cursor, selection or row.
    LatestTask* m_job;
};

/// Returns the command line options, as separate words, for the pane's position: its cursor, visible range and selected row.
QStringList positionWords(ExperimentPane& pane);

} // namespace helio
