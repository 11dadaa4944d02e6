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
    int top = 0; ///< Top of the row that the popup describes and must not cover.
    int bottom = 0;
};

/// Shows the tooltip popup of one widget: it appears when the pointer rests, and then follows the pointer. The widget calls follow() when
/// the pointer moves, and ask() or hide() when wanted() is emitted.
/// Threads: UI thread; the content is computed on a thread of its own.
/// Ownership: owned by the widget.
class TipController : public QObject {
    Q_OBJECT

public:
    /// Callback that receives the content of the popup; nullopt if there is nothing to show. May be called several times: each content
    /// replaces the previous one. Runs on the thread of Find.
    using Show = std::function<void(const std::optional<TipContent>&)>;
    /// Function that computes the content and passes it to `show`. Runs on a thread of the controller, so it must only use its own
    /// copies of data.
    using Find = std::function<void(std::stop_token, const Show&)>;
    /// Function that returns the popup's position once the content is computed; nullopt if the popup is no longer wanted. Runs on the UI
    /// thread.
    using FindPosition = std::function<std::optional<TipPosition>()>;

    explicit TipController(QWidget& owner);
    ~TipController() override;

    /// Reports that the pointer moved over an object that may have a tooltip. wanted() is emitted at once while a popup is shown, otherwise
    /// after the pointer has rested.
    void follow();
    void ask(Find find, FindPosition place); ///< Requests the content of a popup; replaces a pending request.
    void hide(); ///< Hides the popup, cancels a pending request, and stops waiting for the pointer to rest.
    bool isShown() const { return m_tip && m_tip->isVisible(); }

signals:
    void wanted();

private:
    void show(const std::optional<TipContent>& content, const FindPosition& place);

    QWidget& m_owner;
    QPointer<StateTip> m_tip; ///< Popup; null after its window was deleted, which may happen before the owner is deleted.
    QTimer m_rest;
    LatestTask m_job;
};

/// Returns a function that computes the tooltip of a state in two steps: it first shows the state, and then adds the code from the samples
/// at the pointer.
TipController::Find stateTip(TipRequest question);
TipController::Find arrowTip(TipRequest question, Arrow arrow);

} // namespace helio
