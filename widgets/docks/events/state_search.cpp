#include "widgets/docks/events/state_search.h"

#include "core/query/filters/state_search.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/thread_cpu_times.h"
#include "core/query/rows/views.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace helio {

namespace {

constexpr std::uint64_t NoEvent = ~0ull; ///< Event number that no event has, so that lists of events mark no line for a state.

QString textOf(std::string_view text) { return QString::fromUtf8(text.data(), qsizetype(text.size())); }

/// Names of threads that made calls. The name is the label of the thread's row with states if states were recorded, otherwise the label of
/// the thread's row in the view of calls.
class CallerNames {
public:
    explicit CallerNames(const Timeline& timeline)
        : m_timeline(timeline)
    {
    }
    QString of(const Row& calls, const Row& thread)
    {
        if (!m_threads) // Make the index of threads only when the first row of calls is found.
            m_threads.emplace(m_timeline, TimeRange{});
        const TrackRef states = m_threads->rowOf(calls.ref, calls.life);
        const auto row = states.isValid() ? helio::rowOf(m_timeline, states) : std::nullopt;
        return textOf(row ? row->label : thread.label);
    }

private:
    const Timeline& m_timeline;
    std::optional<ThreadCpuTimes> m_threads;
};

/// Returns the rows with found intervals, from all views.
std::map<TrackRef, FoundIntervalRow> rowsOf(const Timeline& timeline, std::span<const std::string> views, const StateFindings& findings)
{
    std::map<TrackRef, FoundIntervalRow> found;
    for (const StateGroup& group : findings.groups)
        if (group.track.isValid())
            found.try_emplace(group.track);
    for (const StateHit& hit : findings.hits)
        found.try_emplace(hit.track);
    CallerNames callers(timeline);
    const std::vector<HostFacts> hosts = hostFacts(timeline);
    for (const std::string& view : views) {
        const std::vector<Row> all = rows(timeline, view);
        for (const Row& row : all) {
            const auto it = found.find(row.ref);
            if (it == found.end())
                continue;
            const QString host = row.host < hosts.size() ? textOf(hosts[row.host].label) : QString();
            if (row.valueKind != ValueKind::Frame || row.parent < 0) {
                it->second = {textOf(row.label), row.tid, row.cpu, host, {}, row.ref};
                continue;
            }
            const Row& thread = all[std::size_t(row.parent)]; // A row of a single depth has no thread name, so the parent's is used.
            it->second = {callers.of(row, thread), thread.tid, row.cpu, host, textOf(row.label), thread.ref};
            if (const auto group = found.find(thread.ref); group != found.end())
                group->second.label = it->second.label;
        }
    }
    return found;
}

} // namespace

const FoundIntervalRow& StateSearchResult::rowOf(TrackRef track) const
{
    static const FoundIntervalRow None;
    const auto it = rows.find(track);
    return it != rows.end() ? it->second : None;
}

QString StateSearchResult::stateOf(const StateHit& hit) const { return textOf(stateName(*timeline, hit.track, hit.state)); }

QString StateSearchResult::detailOf(const StateHit& hit) const { return textOf(values->of(hit.track, hit.value)); }

StateSearch::StateSearch(SearchHits& marks, QObject* parent)
    : QObject(parent)
    , m_marks(marks)
{
}

void StateSearch::start(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const Expression> expression, Target of)
{
    const QString text = textOf(expression->text());
    m_marks.await(text);
    m_halt = std::stop_source();
    m_job.post([this, timeline, expression, text, of, halt = m_halt](std::stop_token stop) mutable -> LatestTask::Delivery {
        const std::stop_callback alsoThen(stop, [&halt] { halt.request_stop(); });
        const std::vector<std::string> views = viewsOfStates(*timeline);
        if (of == Target::CallsIfNamed) {
            const bool areCalls = searchesFunctions(*timeline, *expression, views, halt.get_token());
            if (halt.stop_requested())
                return [this] { m_marks.finish(true); };
            if (!areCalls)
                return [this] { emit decided(false); };
            m_job.deliver(stop, [this] { emit decided(true); });
        }
        double reported = 0;
        const auto progress = [&](double share, std::uint64_t) {
            if (share - reported < 0.01)
                return;
            reported = share;
            m_job.deliver(stop, [this, share] { m_marks.append({}, std::min(share, 0.999)); });
        };
        constexpr TimeRange Always{Timestamp::min(), Timestamp::max()};
        auto found = std::make_shared<StateSearchResult>();
        found->timeline = timeline;
        found->findings = of == Target::States ? findStates(*timeline, *expression, views, Always, progress, halt.get_token())
                                               : findCalls(*timeline, *expression, views, Always, progress, halt.get_token());
        found->rows = rowsOf(*timeline, views, found->findings);
        found->values = std::make_shared<const ValueFormatter>(*timeline);
        return [this, text, found] { take(text, found); };
    });
}

void StateSearch::take(const QString& text, std::shared_ptr<const StateSearchResult> found)
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

void StateSearch::stop() { m_halt.request_stop(); }

void StateSearch::clear()
{
    m_job.cancel();
    if (!std::exchange(m_found, nullptr))
        return;
    emit foundChanged();
}

} // namespace helio
