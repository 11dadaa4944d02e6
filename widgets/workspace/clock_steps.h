#pragma once

#include "core/timesync/clock_changes.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <vector>

namespace helio {

/// What a person decides about the clocks of the hosts, step by step: what is decided now, and the way back. Every view changes clocks
/// here (ViewContext::clocks()), and sees where they are then in the timelines that follow.
///
///     const auto timeline = context.timeline();
///     ClockSteps& clocks = context.clocks();
///     clocks.set(withOffset(*timeline, clocks.choice(), host, 12ms), tr("offset of %1").arg(name));   // one step
///
/// While something is dragged, each move is a preview, reckoned from where it began; what it comes to in the end is one step:
///
///     m_from = context.timeline(); m_before = clocks.choice();                      // pressed
///     clocks.preview(shifted(*m_from, m_before, host, later));                      // moved, as often as you like
///     clocks.keep(tr("offset of %1").arg(name));                                    // released
///     clocks.dropPreview();                                                         // or Escape: as before
///
/// Who opens traces (the session) applies what is decided on a thread of its own: ViewContext::timelineChanged() follows, where
/// Timeline::clockChoice is what was decided. Previews that come faster than they are applied are skipped, never the last one. Decided
/// once, it goes on to hold when traces are opened once more or further analyses run.
///
/// Owned by the context. UI thread only. Signals fire only on change.
class ClockSteps : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    const ClockChoice& choice() const { return m_decided.clocks; } ///< Previews, too.

    /// Decides, as a step of its own; `what` says what is changed, for "Undo offset of web". A preview goes. Nothing where that is so
    /// already.
    void set(ClockChoice choice, const QString& what);

    /// What the hosts are called and look like, and in which order they stand, is decided here too, so that there is one way back. It is
    /// seen at once (ViewContext::timeline()).
    const HostLooks& looks() const { return m_decided.looks; }
    void setLooks(HostLooks looks, const QString& what);

    void preview(ClockChoice choice); ///< Decides for the moment.
    bool isPreviewing() const { return m_isPreviewing; }
    void keep(const QString& what); ///< The preview becomes a step; none where all is as before it. Nothing without one.
    void dropPreview(); ///< All is as before it.

    bool canUndo() const { return m_place > 0; }
    bool canRedo() const { return m_place < m_steps.size(); }
    QString undoWhat() const; ///< What undo() takes back: "offset of web". Empty: nothing.
    QString redoWhat() const;
    /// A number that is higher the later the step was taken that undo() takes back: of several experiments in a window the latest goes
    /// back. 0: none.
    std::size_t undoOrder() const;
    std::size_t redoOrder() const; ///< Of the step that redo() takes again.
    void undo(); ///< A preview goes instead.
    void redo();

    /// What is decided of other traces, from which there is no way back: for who opens them.
    void begin(ClockChoice choice = {}, HostLooks looks = {});

signals:
    void choiceChanged();
    void looksChanged();
    void previewingChanged();
    void stepsChanged(); ///< What can be undone or done again.

private:
    struct Decided {
        ClockChoice clocks;
        HostLooks looks;
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
    std::vector<Step> m_steps; ///< Those up to m_place were taken, the others taken back.
    std::size_t m_place = 0;
};

} // namespace helio
