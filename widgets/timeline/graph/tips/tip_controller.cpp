#include "widgets/timeline/graph/tips/tip_controller.h"

namespace helio {

namespace {

constexpr int RestTime = 350; ///< Time in ms for which the pointer must rest before a tooltip appears.

} // namespace

TipController::TipController(QWidget& owner)
    : m_owner(owner)
    , m_tip(new StateTip(&owner))
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(RestTime);
    connect(&m_rest, &QTimer::timeout, this, &TipController::wanted);
}

TipController::~TipController() { delete m_tip; }

void TipController::follow()
{
    if (isShown())
        emit wanted();
    else
        m_rest.start();
}

void TipController::ask(Find find, FindPosition place)
{
    m_job.post([this, find = std::move(find), place = std::move(place)](std::stop_token stop) -> LatestTask::Delivery {
        find(stop,
             [&](const std::optional<TipContent>& content) { m_job.deliver(stop, [this, content, place] { show(content, place); }); });
        return {};
    });
}

void TipController::hide()
{
    m_rest.stop();
    m_job.cancel();
    if (m_tip)
        m_tip->hide();
}

void TipController::show(const std::optional<TipContent>& content, const FindPosition& place)
{
    const auto at = content ? place() : std::nullopt;
    if (!at)
        return hide();
    if (!m_tip)
        return; // The popup was deleted with its window.
    m_tip->setContent(*content);
    QWidget* window = m_owner.window();
    const auto y = [&](int own) { return m_owner.mapTo(window, QPoint(0, own)).y(); };
    m_tip->place(window, m_owner.mapTo(window, at->pointer), y(at->top), y(at->bottom));
    m_tip->show();
}

TipController::Find stateTip(TipRequest question)
{
    return [question = std::move(question)](std::stop_token stop, const TipController::Show& show) {
        auto content = tipFor(question, stop);
        show(content);
        if (const QString conclusion = content ? waitConclusion(question, stop) : QString(); !conclusion.isEmpty()) {
            content->cause = conclusion + (content->cause.isEmpty() ? QStringLiteral(".") : QStringLiteral(". ") + content->cause);
            show(content);
        }
        if (content)
            content->recorded = recordedCallFields(question, stop);
        if (content && !content->recorded.empty())
            show(content);
        const auto code = content ? sampledCodeFacts(question, stop) : TipContent().facts;
        if (code.empty())
            return;
        content->facts.insert(content->facts.end(), code.begin(), code.end());
        show(content);
    };
}

TipController::Find arrowTip(TipRequest question, Arrow arrow)
{
    return [question = std::move(question), arrow = std::move(arrow)](std::stop_token, const TipController::Show& show) {
        show(tipFor(question, arrow));
    };
}

} // namespace helio
