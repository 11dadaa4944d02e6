#pragma once

#include "widgets/async/latest_job.h"
#include "widgets/timeline/graph/tips/state_tip.h"

#include <QPointer>
#include <QTimer>

#include <functional>

namespace helio {

/// Where a popup stands, in the coordinates of the widget it belongs to.
struct TipPlace {
    QPoint pointer;
    int top = 0; ///< Of what the words are about: the popup leaves that band free.
    int bottom = 0;
};

/// The popup of one widget: it comes when the pointer rests and follows it from then on, and its words are found off the UI thread. The
/// widget owns the shower, reports how the pointer moves, and answers wanted() with ask() or hide(). UI thread but for what is said below.
class TipShower : public QObject {
    Q_OBJECT

public:
    /// Takes words from the thread that finds them, once or several times, each time in place of those before. Nothing: there are none.
    using Show = std::function<void(const std::optional<TipContent>&)>;
    /// Finds the words. Runs on the shower's own thread, so it keeps all it needs.
    using Find = std::function<void(std::stop_token, const Show&)>;
    /// Asked on the UI thread when words have been found. Nothing: they are no longer wanted.
    using Place = std::function<std::optional<TipPlace>()>;

    explicit TipShower(QWidget& owner);
    ~TipShower() override;

    /// The pointer moved where there may be something to say: wanted() comes at once while the popup is shown, else after a moment.
    void follow();
    void ask(Find find, Place place); ///< In place of what was asked before.
    void hide(); ///< Also drops what was asked, and does not wait for the pointer to rest.
    bool isShown() const { return m_tip && m_tip->isVisible(); }

signals:
    void wanted();

private:
    void show(const std::optional<TipContent>& content, const Place& place);

    QWidget& m_owner;
    QPointer<StateTip> m_tip; ///< The window that it is shown in may take it along before the owner goes.
    QTimer m_rest;
    LatestJob m_job;
};

/// The words for a state, and then those for the code that samples met there.
TipShower::Find stateTip(TipQuestion question);
TipShower::Find arrowTip(TipQuestion question, Arrow arrow);

} // namespace helio
