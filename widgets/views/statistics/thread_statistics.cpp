#include "widgets/views/statistics/thread_statistics.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/recording_kind.h"
#include "core/query/rows/sampled_use.h"
#include "widgets/time/time_format.h"
#include "widgets/views/statistics/statistics_model.h"

#include <QStringList>

#include <algorithm>
#include <map>
#include <memory>

namespace helio {

namespace {

QString text(std::string_view s) { return QString::fromUtf8(s.data(), qsizetype(s.size())); }

/// The words of states, made once: 100,000 lines share them.
class StateWords {
public:
    explicit StateWords(const Timeline& timeline)
        : m_timeline(timeline)
    {
    }
    const QString& of(TrackRef track, State state)
    {
        const StateSet& set = statesOf(m_timeline, track);
        return m_known.try_emplace({&set, state}, text(stateName(m_timeline, track, state))).first->second;
    }

private:
    const Timeline& m_timeline;
    std::map<std::pair<const StateSet*, State>, QString> m_known;
};

/// What samples tell of a thread whose states were not recorded.
void addSampled(ThreadStatistics& line, const SampledUse& use, TimeRange range)
{
    if (use.samples == 0)
        return;
    line.samples = use.samples;
    line.onCpu = std::min(use.onCpu(), range.duration());
    const double part = use.onCpu() > Duration(0) ? double(line.onCpu.count()) / double(use.onCpu().count()) : 0;
    const Duration user(std::int64_t(double(use.user.count()) * part));
    line.parts = {{QStringLiteral("running-user"), 0, user, {}, {}},
                  {QStringLiteral("running-kernel"), 0, line.onCpu - user, {}, {}},
                  {QStringLiteral("unknown"), 0, range.duration() - line.onCpu, {}, {}}};
}

/// With the host, where there are several: names and TIDs are alike on all of them.
QString nameOf(const Timeline& timeline, const Row& row)
{
    const std::string host = hostName(timeline, row.host);
    return host.empty() ? text(row.label) : text(row.label + " on " + host);
}

} // namespace

bool ThreadStatistics::isResting() const
{
    static const QStringList Resting{"sleeping", "waiting", "idle-kthread", "stopped", "parked", "unknown"};
    return !isLeast && onCpu == Duration(0) && std::ranges::all_of(parts, [](const Part& part) { return Resting.contains(part.state); });
}

bool ThreadStatistics::isUnknown() const
{
    return samples == 0 && std::ranges::all_of(parts, [](const Part& part) { return part.state == QLatin1String("unknown"); });
}

QString leftOutText(std::int64_t resting, std::int64_t unknown)
{
    const QString rested = resting == 1 ? StatisticsModel::tr("1 more thread only rested")
                                        : StatisticsModel::tr("%1 more threads only rested").arg(countText(resting));
    if (unknown == 0)
        return resting > 0 ? rested : QString();
    const QString unknowns = unknown == 1 ? StatisticsModel::tr("of 1 more thread the states are not known")
                                          : StatisticsModel::tr("of %1 more threads the states are not known").arg(countText(unknown));
    return resting > 0 ? rested + QStringLiteral(", ") + unknowns : unknowns.left(1).toUpper() + unknowns.mid(1);
}

std::vector<ThreadStatistics> threadStatistics(const Timeline& timeline, TimeRange range, std::stop_token stop)
{
    std::vector<ThreadStatistics> result;
    StateWords words(timeline);
    QString id;
    const auto setId = [&](const StateSet& set) { return id == QLatin1String(set.id.c_str()) ? id : (id = text(set.id)); };
    const std::vector<LossRange> gaps = losses(timeline, range);
    std::unique_ptr<const SampledUses> sampled; // Made when it is first needed: mostly never.
    for (const Row& row : rows(timeline, "control-flow")) {
        if (stop.stop_requested())
            return result;
        if (!row.ref.isValid() || row.kind != "thread" || !row.life.overlaps(range))
            continue;
        ThreadStatistics line{row.ref, nameOf(timeline, row), row.tid, setId(statesOf(timeline, row.ref)), {}, false, 0, {}};
        const bool mayMiss = isOfPart(timeline, row.ref.trace)
            || std::ranges::any_of(gaps, [&](const LossRange& gap) { return gap.trace == row.ref.trace; });
        for (const StateTotal& total : totals(timeline, row.ref, range)) {
            const QString& state = words.of(row.ref, total.state);
            if (isOnCpu(state.toStdString()))
                line.onCpu += total.total;
            line.isLeast |= mayMiss && state == "unknown";
            line.parts.push_back({state, total.count, total.total, total.min, total.max});
        }
        if (std::ranges::all_of(line.parts, [](const auto& part) { return part.state == "unknown"; })) {
            if (!sampled)
                sampled = std::make_unique<SampledUses>(timeline, range, stop);
            addSampled(line, sampled->of(row.ref), row.life.clippedTo(range));
        }
        line.covered = range.clippedTo(coveredRange(timeline, row.ref.trace)).duration();
        if (!line.parts.empty())
            result.push_back(std::move(line));
    }
    sortStatistics(result, {});
    return result;
}

void sortStatistics(std::vector<ThreadStatistics>& lines, StatisticsOrder order)
{
    const auto isBefore = [&](const ThreadStatistics& a, const ThreadStatistics& b) {
        switch (order.column) {
        case StatisticsOrder::Thread: return a.name.compare(b.name, Qt::CaseInsensitive) < 0;
        case StatisticsOrder::Tid: return a.tid < b.tid;
        default: return a.onCpu < b.onCpu;
        }
    };
    std::ranges::stable_sort(lines, [&](const auto& a, const auto& b) { return order.isDescending ? isBefore(b, a) : isBefore(a, b); });
}

} // namespace helio
