#pragma once

#include "widgets/async/latest_task.h"
#include "widgets/timeline/graph/tips/state_tip.h"

#include <QPointer>
#include <QTimer>

#include <functional>

namespace helio {

/// Position of a popup, in the coordinates of its owner.
struct TipPosition {
    QPoint pointer;
    int top = 0; ///< Top and bottom of the described row, which the popup does not cover.
    int bottom = 0;
};

/// Shows the popup of one widget: it appears when the pointer rests, and then follows the pointer. The widget reports pointer moves by
/// follow(), and answers wanted() with ask() or hide().
/// Threads: UI thread; the content is found on a thread of its own.
/// Ownership: owned by the widget.
class TipController : public QObject {
    Q_OBJECT

public:
    /// Takes content from the thread that finds it. May be called several times; each content replaces the previous one. nullopt: there is
    /// nothing to show.
    using Show = std::function<void(const std::optional<TipContent>&)>;
    /// Finds the content. Runs on the shower's own thread, so it holds copies of all it needs.
    using Find = std::function<void(std::stop_token, const Show&)>;
    /// Returns the position when the content has been found; nullopt if it is no longer wanted. Runs on the UI thread.
    using Place = std::function<std::optional<TipPosition>()>;

    explicit TipController(QWidget& owner);
    ~TipController() override;

    /// Reports that the pointer moved over something that may have a tooltip. wanted() is emitted at once while the popup is shown,
    /// otherwise after the pointer has rested.
    void follow();
    void ask(Find find, Place place); ///< Replaces a pending request.
    void hide(); ///< Hides the popup, drops a pending request, and stops waiting for the pointer to rest.
    bool isShown() const { return m_tip && m_tip->isVisible(); }

signals:
    void wanted();

private:
    void show(const std::optional<TipContent>& content, const Place& place);

    QWidget& m_owner;
    QPointer<StateTip> m_tip; ///< Null after its window was deleted, which may happen before the owner is deleted.
    QTimer m_rest;
    LatestTask m_job;
};

/// Finds the tooltip of a state, and then adds the code that samples met there.
TipController::Find stateTip(TipRequest question);
TipController::Find arrowTip(TipRequest question, Arrow arrow);

} // namespace helio
