#include "widgets/timeline/graph/tips/tip_shower.h"

namespace helio {

namespace {

constexpr int RestTime = 350; ///< ms

} // namespace

TipShower::TipShower(QWidget& owner)
    : m_owner(owner)
    , m_tip(new StateTip(&owner))
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(RestTime);
    connect(&m_rest, &QTimer::timeout, this, &TipShower::wanted);
}

TipShower::~TipShower() { delete m_tip; }

void TipShower::follow()
{
    if (isShown())
        emit wanted();
    else
        m_rest.start();
}

void TipShower::ask(Find find, Place place)
{
    m_job.post([this, find = std::move(find), place = std::move(place)](std::stop_token stop) -> LatestTask::Delivery {
        find(stop,
             [&](const std::optional<TipContent>& content) { m_job.deliver(stop, [this, content, place] { show(content, place); }); });
        return {};
    });
}

void TipShower::hide()
{
    m_rest.stop();
    m_job.cancel();
    if (m_tip)
        m_tip->hide();
}

void TipShower::show(const std::optional<TipContent>& content, const Place& place)
{
    const auto at = content ? place() : std::nullopt;
    if (!at)
        return hide();
    if (!m_tip)
        return; // The window is being deleted.
    m_tip->setContent(*content);
    QWidget* window = m_owner.window();
    const auto y = [&](int own) { return m_owner.mapTo(window, QPoint(0, own)).y(); };
    m_tip->place(window, m_owner.mapTo(window, at->pointer), y(at->top), y(at->bottom));
    m_tip->show();
}

TipShower::Find stateTip(TipQuestion question)
{
    return [question = std::move(question)](std::stop_token stop, const TipShower::Show& show) {
        auto content = tipFor(question, stop);
        show(content);
        const auto code = content ? sampledCodeFacts(question, stop) : TipContent().facts;
        if (code.empty())
            return;
        content->facts.insert(content->facts.end(), code.begin(), code.end());
        show(content);
    };
}

TipShower::Find arrowTip(TipQuestion question, Arrow arrow)
{
    return [question = std::move(question), arrow = std::move(arrow)](std::stop_token, const TipShower::Show& show) {
        show(tipFor(question, arrow));
    };
}

} // namespace helio
