#pragma once

#include "core/timesync/clock_changes.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <vector>

namespace helio {

/// Decisions of the user about the clocks of the hosts, with undo. All views change clocks here (ViewContext::clocks()) and see the result
/// in the timelines that follow.
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
/// Ownership: the context owns it. Threads: UI thread. Signals fire only on change.
class ClockHistory : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    const ClockSettings& choice() const { return m_decided.clocks; } ///< The current choice; during a preview, the previewed one.

    /// Decides in one step. `what` names the change for texts such as "Undo offset of web". Drops a preview. Does nothing if `choice` is
    /// the current one.
    void set(ClockSettings choice, const QString& what);

    /// Names, colours and order of the hosts. They are decided here too, so that there is one history. Changes show at once
    /// (ViewContext::timeline()).
    const HostStyles& looks() const { return m_decided.looks; }
    void setLooks(HostStyles looks, const QString& what);

    void preview(ClockSettings choice); ///< Decides until keep() or dropPreview().
    bool isPreviewing() const { return m_isPreviewing; }
    void keep(const QString& what); ///< Turns the preview into a step, unless it changes nothing. Does nothing without a preview.
    void dropPreview(); ///< Restores the state before the preview.

    bool canUndo() const { return m_place > 0; }
    bool canRedo() const { return m_place < m_steps.size(); }
    QString undoText() const; ///< Name of the step that undo() takes back, e.g. "offset of web"; empty if there is none.
    QString redoText() const;
    /// Rank of the step that undo() takes back: later steps have higher numbers. If a window has several experiments, it undoes the latest.
    /// 0 if there is no step.
    std::size_t undoOrder() const;
    std::size_t redoOrder() const; ///< Rank of the step that redo() repeats; 0 if there is none.
    void undo(); ///< Drops a preview if there is one, else takes back a step.
    void redo();

    /// Sets the decisions for other traces and clears the history. For the session that opens the traces.
    void begin(ClockSettings choice = {}, HostStyles looks = {});

signals:
    void choiceChanged();
    void looksChanged();
    void previewingChanged();
    void stepsChanged(); ///< The steps that can be undone or redone changed.

private:
    struct Decided {
        ClockSettings clocks;
        HostStyles looks;
        bool operator==(const Decided&) const = default;
    };
    struct Step {
        Decided before;
        Decided after;
        QString what;
        std::size_t order;
    };

    void decide(Decided now, const QString& what);
    void add(Decided before, const QString& what);
    void take(Decided decided);
    void setPreviewing(bool isPreviewing);

    Decided m_decided;
    Decided m_beforePreview;
    bool m_isPreviewing = false;
    std::vector<Step> m_steps; ///< Steps before index m_place are in effect; the steps from m_place on were undone.
    std::size_t m_place = 0;
};

} // namespace helio
