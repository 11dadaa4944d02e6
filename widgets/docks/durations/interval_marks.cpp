#include "widgets/docks/durations/interval_marks.h"

#include "core/latency/intervals/intervals.h"
#include "core/query/events/logged_arguments.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/segments/segments.h"
#include "widgets/time/qt_text.h"

#include <map>
#include <string_view>
#include <utility>

namespace helio {

namespace {

constexpr std::uint64_t NoHit = ~0ull; ///< Event number that no event has, so that lists of events mark no line for an interval.

/// Returns the thread of the interval's row; if unknown, the thread that the interval names.
QString placeText(const Timeline& timeline, const LocatedInterval& interval)
{
    const Store* const store = storeOf(timeline, interval.row);
    const auto row = store ? rowOf(timeline, TrackRef{interval.row.store, threadTrack(*store, interval.row.track)}) : std::nullopt;
    if (!interval.thread.empty() && (!row || row->tid < 0))
        return QString::fromStdString(interval.thread);
    if (!row)
        return QStringLiteral("\u2013");
    const QString name = QString::fromStdString(titleOf(timeline, *row));
    return row->shownTid() >= 0 ? QStringLiteral("%1 %2").arg(name).arg(row->tid) : name;
}

} // namespace

std::shared_ptr<const ListedCalls> listed(const std::shared_ptr<const Timeline>& timeline, const HistogramBucket& bucket,
                                          const std::vector<LocatedInterval>& intervals, bool areSystemCalls, const std::stop_token& stop)
{
    LoggedArguments arguments(timeline);
    auto found = std::make_shared<ListedCalls>();
    found->bucket = bucket;
    std::map<std::pair<TrackRef, std::string_view>, std::uint32_t> rows;
    for (const LocatedInterval& it : intervals) {
        const auto [row, isNew] = rows.try_emplace({it.row, it.thread}, std::uint32_t(found->threads.size()));
        if (isNew)
            found->threads.push_back(placeText(*timeline, it));
        found->calls.push_back({it.range, it.row, row->second});
        const Track* const track = areSystemCalls && !stop.stop_requested() ? trackOf(*timeline, it.row) : nullptr;
        if (track)
            found->calls.back().arguments = text(arguments.of(traceOf(*timeline, it.row.store), track->tid, it.range.begin));
    }
    return found;
}

void IntervalMarks::show(std::shared_ptr<const ListedCalls> listed, const QString& search)
{
    clear();
    const auto timeline = m_context.timeline();
    if (!listed || !timeline)
        return;
    m_listed = std::move(listed);
    m_search = search;
    std::vector<EventHit> marks;
    std::vector<SearchHits::HitRange> places;
    for (const ListedCalls::Call& it : m_listed->calls) {
        marks.push_back({NoHit, it.range.begin, it.row.isValid() ? traceOf(*timeline, it.row) : 0});
        places.push_back({it.range, it.row});
    }
    m_context.hits().begin(m_search);
    m_context.hits().append(marks, 1);
    m_context.hits().setPlaces(std::move(places));
    m_context.hits().finish(m_listed->isCut());
}

void IntervalMarks::clear()
{
    const bool wereShown = areShown();
    m_listed.reset();
    if (wereShown)
        m_context.hits().clear();
}

void IntervalMarks::setCurrent(std::size_t call)
{
    if (m_listed && !areShown()) // Forgets the marks, because another search replaced them.
        show(m_listed, m_search);
    m_context.hits().setCurrent(call);
}

std::optional<std::size_t> IntervalMarks::current() const
{
    const auto current = areShown() ? m_context.hits().current() : std::nullopt;
    const bool isOne = current && *current < m_listed->calls.size() && m_context.hits().placeOf(*current);
    return isOne ? current : std::nullopt;
}

QString makeNameFilter(const std::string& name)
{
    QString text = QString::fromStdString(name);
    text.replace('\\', QStringLiteral("\\\\")).replace('"', QStringLiteral("\\\""));
    return QStringLiteral("name == \"%1\"").arg(text);
}

} // namespace helio
