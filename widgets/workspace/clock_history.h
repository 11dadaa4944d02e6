#pragma once

#include "core/timesync/clock_changes.h"
#include "widgets/workspace/change_history.h"

#include <QObject>
#include <QString>

namespace helio {

/// Decisions of the user about the clocks of the hosts, recorded in a history of changes. All views change clocks here
/// (ViewContext::clocks()) and see the result in the timelines that follow.
///
///     const auto timeline = context.timeline();
///     ClockHistory& clocks = context.clocks();
///     clocks.set(withOffset(*timeline, clocks.choice(), host, 12ms), tr("offset of %1").arg(name));   // one step
///
/// During a drag each move is a preview, computed from the state at the press; the final state is one step:
///
///     m_from = context.timeline(); m_before = clocks.choice();                      // pressed
///     clocks.preview(shifted(*m_from, m_before, host, later));                      // moved, any number of times
///     clocks.keep(tr("offset of %1").arg(name));                                    // released
///     clocks.dropPreview();                                                         // or Escape: as before
///
/// The session, which opens traces, applies decisions on another thread. ViewContext::timelineChanged() follows with a timeline that has
/// the decision as Timeline::clockSettings. Previews that come faster than they are applied are skipped, but never the last one. A decision
/// stays valid when traces are opened again or further analyses run.
///
/// Ownership: the context owns it.
/// Threads: UI thread. Signals are only emitted on change.
class ClockHistory : public QObject {
    Q_OBJECT

public:
    explicit ClockHistory(ChangeHistory& changes, QObject* parent = nullptr);

    const ClockSettings& choice() const { return m_decided.clocks; } ///< Current clock settings; during a preview, the previewed ones.

    /// Sets the clocks, as one undo step. `what`: name of the step in texts such as "Undo offset of web". Ends a preview without keeping
    /// it. Does nothing if `choice` is the current one.
    void set(ClockSettings choice, const QString& what);

    /// Names, colours and order of the hosts. They are changed here so that there is a single history. Changes are visible at once
    /// (ViewContext::timeline()).
    const HostStyles& looks() const { return m_decided.looks; }
    void setLooks(HostStyles looks, const QString& what);

    void preview(ClockSettings choice); ///< Applies clock settings until keep() or dropPreview() is called.
    bool isPreviewing() const { return m_isPreviewing; }
    /// Makes the preview an undo step named `what`, unless nothing changed. Does nothing without a preview.
    void keep(const QString& what);
    void dropPreview(); ///< Ends the preview and restores the state before it.

    /// Sets the state for newly opened traces, and drops the changes of clocks and hosts from the history. Called by the session that opens
    /// the traces.
    void begin(ClockSettings choice = {}, HostStyles looks = {});

signals:
    void choiceChanged();
    void looksChanged();
    void previewingChanged();

private:
    struct Decided {
        ClockSettings clocks;
        HostStyles looks;
        bool operator==(const Decided&) const = default;
    };

    void decide(Decided now, const QString& what);
    void add(Decided before, const QString& what);
    void take(Decided decided);
    void setPreviewing(bool isPreviewing);

    ChangeHistory& m_changes;
    Decided m_decided;
    Decided m_beforePreview;
    bool m_isPreviewing = false;
};

} // namespace helio
