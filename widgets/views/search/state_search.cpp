#include "widgets/views/search/state_search.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/views.h"

#include <algorithm>

namespace helio {

namespace {

constexpr std::uint64_t NoEvent = ~0ull; ///< The number of none: lists of events mark no line for a state.

QString textOf(std::string_view text) { return QString::fromUtf8(text.data(), qsizetype(text.size())); }

/// The rows of all views that something was found in.
std::map<TrackRef, FoundRow> rowsOf(const Timeline& timeline, std::span<const std::string> views, const StateFindings& findings)
{
    std::map<TrackRef, FoundRow> found;
    for (const StateGroup& group : findings.groups)
        if (group.track.isValid())
            found.try_emplace(group.track);
    const std::vector<HostFacts> hosts = hostFacts(timeline);
    for (const std::string& view : views)
        for (const Row& row : rows(timeline, view))
            if (const auto it = found.find(row.ref); it != found.end())
                it->second = {textOf(row.label), row.tid, row.cpu, row.host < hosts.size() ? textOf(hosts[row.host].label) : QString()};
    return found;
}

} // namespace

const FoundRow& FoundStates::rowOf(TrackRef track) const
{
    static const FoundRow None;
    const auto it = rows.find(track);
    return it != rows.end() ? it->second : None;
}

QString FoundStates::stateOf(const StateHit& hit) const { return textOf(stateName(*timeline, hit.track, hit.state)); }

QString FoundStates::detailOf(const StateHit& hit) const { return textOf(valueText(*timeline, hit.track, hit.value)); }

StateSearch::StateSearch(SearchHits& marks, QObject* parent)
    : QObject(parent)
    , m_marks(marks)
{
}

void StateSearch::start(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const Expression> expression)
{
    const QString text = textOf(expression->text());
    m_marks.await(text);
    m_halt = std::stop_source();
    m_job.post([this, timeline, expression, text, halt = m_halt](std::stop_token stop) mutable -> LatestJob::Delivery {
        const std::stop_callback alsoThen(stop, [&halt] { halt.request_stop(); });
        const std::vector<std::string> views = viewsOf(*timeline);
        double reported = 0;
        const auto progress = [&](double share, std::uint64_t) {
            if (share - reported < 0.01)
                return;
            reported = share;
            m_job.deliver(stop, [this, share] { m_marks.append({}, std::min(share, 0.999)); });
        };
        auto found = std::make_shared<FoundStates>();
        found->timeline = timeline;
        found->findings = findStates(*timeline, *expression, views, {Timestamp::min(), Timestamp::max()}, progress, halt.get_token());
        found->rows = rowsOf(*timeline, views, found->findings);
        return [this, text, found] { take(text, found); };
    });
}

void StateSearch::take(const QString& text, std::shared_ptr<const FoundStates> found)
{
    m_found = std::move(found);
    std::vector<EventHit> marks;
    marks.reserve(m_found->findings.hits.size());
    for (const StateHit& hit : m_found->findings.hits)
        marks.push_back({NoEvent, hit.range.begin, traceOf(*m_found->timeline, hit.track)});
    m_marks.begin(text);
    m_marks.append(marks, 1);
    m_marks.finish(m_found->findings.isCut() || m_found->findings.wasStopped);
    emit foundChanged();
}

void StateSearch::stop()
{
    m_halt.request_stop();
}

void StateSearch::clear()
{
    m_job.cancel();
    if (!std::exchange(m_found, nullptr))
        return;
    emit foundChanged();
}

} // namespace helio
