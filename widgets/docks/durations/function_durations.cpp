#include "widgets/docks/durations/function_durations.h"

#include "core/profiling/calls/call_facts.h"
#include "core/query/rows/frame_text.h"

#include <map>
#include <utility>

namespace helio {

namespace {

constexpr std::size_t MostBuckets = 72;

QString threadText(const Row& thread)
{
    const QString name = QString::fromStdString(thread.label);
    return thread.tid >= 0 ? QStringLiteral("%1 %2").arg(name).arg(thread.tid) : name;
}

std::shared_ptr<const FunctionDurations> made(FunctionDurations durations, std::stop_token stop)
{
    std::vector<std::int64_t> lengths = durations.calls.lengths(std::move(stop));
    durations.logarithmic = bucketsOf(lengths, MostBuckets, true);
    durations.linear = bucketsOf(lengths, MostBuckets, false);
    durations.lengths = summarizeDurations(std::move(lengths));
    return std::make_shared<const FunctionDurations>(std::move(durations));
}

} // namespace

std::shared_ptr<const FunctionDurations> computeDurations(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const CallNames> names,
                                                          const SampledFunction& function, std::stop_token stop)
{
    const FunctionCalls calls(*timeline, *names, function);
    return made({std::move(timeline), std::move(names), calls, function, function.label(), {}, {}, {}}, std::move(stop));
}

std::shared_ptr<const FunctionDurations> computeDurations(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const CallNames> names,
                                                          const Segment& call, std::stop_token stop)
{
    const FunctionCalls calls(*timeline, *names, call);
    std::string label = frameText(*timeline, call.store, call.recorded.stack());
    return made({std::move(timeline), std::move(names), calls, calls.function(), std::move(label), {}, {}, {}}, std::move(stop));
}

std::shared_ptr<const ListedCalls> findBucketCalls(const FunctionDurations& durations, const HistogramBucket& bucket, std::stop_token stop)
{
    auto found = std::make_shared<ListedCalls>();
    found->bucket = bucket;
    std::map<TrackRef, std::uint32_t> byRow; // Each depth of a thread's calls is a row of its own, so several rows share a thread.
    std::map<QString, std::uint32_t> byText;
    for (const Segment& call : durations.calls.findByDuration(bucket.from, bucket.to, MostListedCalls, std::move(stop))) {
        const auto [row, isNew] = byRow.try_emplace(call.row());
        if (isNew) {
            const QString text = threadText(threadOf(*durations.timeline, call));
            const auto [thread, isFirst] = byText.try_emplace(text, std::uint32_t(found->threads.size()));
            if (isFirst)
                found->threads.push_back(text);
            row->second = thread->second;
        }
        found->calls.push_back({call, row->second});
    }
    return found;
}

QString makeNameFilter(const FunctionDurations& durations)
{
    QString name = QString::fromStdString(durations.label);
    name.replace('\\', QStringLiteral("\\\\")).replace('"', QStringLiteral("\\\""));
    return QStringLiteral("name == \"%1\"").arg(name);
}

QString makeDurationSearch(const FunctionDurations& durations, const HistogramBucket& bucket)
{
    return QStringLiteral("%3 && duration >= %1ns && duration < %2ns")
        .arg(bucket.from.count())
        .arg(bucket.to.count())
        .arg(makeNameFilter(durations));
}

} // namespace helio
