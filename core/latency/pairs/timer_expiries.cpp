#include "core/latency/pairs/timer_expiries.h"

#include "core/experiment/timeline.h"
#include "core/query/events/events.h"
#include "core/query/rows/lost_times.h"
#include "core/query/rows/state_causes.h"
#include "core/query/rows/statistics.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace helio {
namespace {

constexpr std::size_t MostSet = 1'000'000; ///< Maximum number of timers that are tracked for one host; more than any kernel has.

/// Role of an event. Cancel events are ignored: a cancelled timer cannot expire before it is started again, and the new start replaces the
/// old one. Besides, many kernels record a cancel event just before each expiry.
enum class TimerEvent : std::uint8_t { Other, Start, Expire };

/// Returns the role of an event, given a name such as "timer_hrtimer_start", "timer:hrtimer_start" or "hrtimer_start".
TimerEvent eventNamed(std::string_view name)
{
    const auto is = [&](std::string_view own) {
        return name.ends_with(own)
            && (name.size() == own.size() || name == "timer_" + std::string(own) || name == "timer:" + std::string(own));
    };
    return is("hrtimer_start") ? TimerEvent::Start : is("hrtimer_expire_entry") ? TimerEvent::Expire : TimerEvent::Other;
}

struct TimerType {
    explicit TimerType(const EventType& type)
        : event(eventNamed(type.name))
    {
        if (event == TimerEvent::Other)
            return;
        timer = FieldRef::find(type, "hrtimer");
        time = FieldRef::find(type, event == TimerEvent::Start ? "expires" : "now");
        function = FieldRef::find(type, "function");
        if (!timer.isValid() || !time.isValid())
            event = TimerEvent::Other;
    }

    TimerEvent event;
    FieldRef timer;
    FieldRef time; ///< Field with a time of the timer's clock in ns: in a start event the due time, in an expiry event the current time.
    FieldRef function;
};

/// Returns the time of the kernel's monotonic clock at an event, in ns; nullopt if the trace has another clock. Most timers use the
/// monotonic clock.
std::optional<std::int64_t> monotonicAt(const Trace& trace, const EventView& event)
{
    constexpr std::int64_t Second = 1'000'000'000;
    const ClockInfo& clock = trace.info().clock;
    std::int64_t value = 0;
    if (clock.name != "monotonic" || clock.frequency != Second || __builtin_sub_overflow(nanoseconds(event.time()), clock.offset, &value))
        return {};
    return value;
}

/// The timers of one host, and the latest clock reading of each CPU.
class HostTimers {
public:
    void start(std::uint64_t timer, std::int64_t expires, Timestamp at)
    {
        if (m_set.size() < MostSet || m_set.contains(timer))
            m_set.insert_or_assign(timer, Set{expires, at});
    }

    struct TimerDelay {
        TimeRange range;
        Timestamp startedAt{};
    };
    /// Handles the call of a timer's handler. Returns the delay since the due time; nullopt if unknown. `now`: last reading of the timer's
    /// clock before the call. `monotonic`: time of the monotonic clock at the call.
    std::optional<TimerDelay> expire(std::uint64_t timer, std::int32_t cpu, std::int64_t now, std::optional<std::int64_t> monotonic,
                                     Timestamp at)
    {
        ExpiryBatch& batch = m_batches[cpu];
        if (batch.now != now)
            batch = {now, at};
        const auto set = m_set.extract(timer);
        if (!set)
            return {};
        std::int64_t late = 0;
        if (__builtin_sub_overflow(now, set.mapped().expires, &late))
            return {};
        std::int64_t since = 0, all = 0;
        if (monotonic && !__builtin_sub_overflow(*monotonic, now, &since) && since >= 0 && since < OtherClock) {
            if (__builtin_sub_overflow(*monotonic, set.mapped().expires, &all))
                return {};
            return TimerDelay{{late < 0 ? at : at - Duration(all), at}, set.mapped().at};
        }
        const Timestamp due = batch.begin - Duration(std::max<std::int64_t>(late, 0));
        return TimerDelay{{late < 0 ? at : std::min(due, at), at}, set.mapped().at};
    }

private:
    /// If two clock readings differ by this or more, in ns, they are considered readings of different clocks.
    static constexpr std::int64_t OtherClock = 1'000'000'000;
    struct Set {
        std::int64_t expires = 0;
        Timestamp at{};
    };
    /// Consecutive calls of timer handlers on a CPU with the same `now`, because the kernel read the clock only once for all of them.
    struct ExpiryBatch {
        std::int64_t now = 0; ///< Clock reading that all calls of the batch have in common, in ns.
        Timestamp begin{}; ///< Time of the first handler call with the clock reading `now`.
    };
    std::unordered_map<std::uint64_t, Set> m_set;
    std::map<std::int32_t, ExpiryBatch> m_batches; ///< Latest batch of each CPU, keyed by CPU number.
};

/// Returns the roles of the event types. The role is Other if a type was recorded only in part: the recorded start of a timer may
/// then not be the one that belongs to an expiry.
std::vector<TimerType> typesOf(const Trace& trace)
{
    std::vector<TimerType> types;
    for (const auto& type : trace.eventTypes()) {
        const bool isPart = isSampled(trace, static_cast<EventTypeId>(types.size()));
        types.emplace_back(*type);
        if (isPart)
            types.back().event = TimerEvent::Other;
    }
    return types;
}

/// Finds the times in which the thread on a CPU is unknown, e.g. because switches of idle threads were not recorded and these threads have
/// no other events. A CPU without any known thread is ignored.
class UnknownThreadTimes {
public:
    explicit UnknownThreadTimes(const Timeline& timeline)
        : m_timeline(timeline)
    {
    }
    bool touch(std::uint32_t trace, std::int32_t cpu, TimeRange range)
    {
        const auto [it, isNew] = m_cpus.try_emplace({trace, cpu});
        if (isNew) {
            const TrackRef row = attributeOf(m_timeline, cpuRow(m_timeline, trace, cpu), TrackRole::CpuThread);
            const TimeRange all{Timestamp::min(), Timestamp::max()};
            it->second = row.isValid() && hasMeaning(row, all, [](StateCategory meaning) { return meaning != StateCategory::Unknown; })
                ? row
                : TrackRef();
        }
        return it->second.isValid()
            && hasMeaning(it->second, range, [](StateCategory meaning) { return meaning == StateCategory::Unknown; });
    }

private:
    template <typename Is> bool hasMeaning(TrackRef row, TimeRange range, Is is) const
    {
        return std::ranges::any_of(totals(m_timeline, row, range),
                                   [&](const StateTotal& it) { return it.total > Duration() && is(meaningOf(m_timeline, row, it.state)); });
    }

    const Timeline& m_timeline;
    /// Track with the thread that runs on the CPU, keyed by trace and CPU; not valid if no thread of the CPU is known.
    std::map<std::pair<std::uint32_t, std::int32_t>, TrackRef> m_cpus;
};

} // namespace

bool hasTimerExpiries(const Timeline& timeline)
{
    const auto has = [](const std::vector<TimerType>& types, TimerEvent event) {
        return std::ranges::find(types, event, &TimerType::event) != types.end();
    };
    return std::ranges::any_of(timeline.traces, [&](const TimelineTrace& trace) {
        const auto types = typesOf(*trace.trace);
        return has(types, TimerEvent::Start) && has(types, TimerEvent::Expire);
    });
}

void forEachTimerExpiry(const std::shared_ptr<const Timeline>& timeline, TimeRange window,
                        const std::function<void(const TimerExpiry&)>& take, std::stop_token stop)
{
    std::vector<std::vector<TimerType>> traces;
    for (const TimelineTrace& trace : timeline->traces)
        traces.push_back(typesOf(*trace.trace));
    std::vector<HostTimers> hosts(timeline->hosts.size());
    const LostEventTimes lost(*timeline, {Timestamp::min(), window.end});
    UnknownThreadTimes unknown(*timeline);
    // Read from the beginning of the traces, because a timer may have been set long before the time range.
    EventCursor events(timeline, Timestamp::min());
    while (!stop.stop_requested() && events.next() && events.time() <= window.end) {
        const EventView& event = events.event();
        const TimerType& type = traces[events.trace()][static_cast<std::size_t>(event.record->type)];
        if (type.event == TimerEvent::Other)
            continue;
        const auto timer = type.timer.integer(event);
        const auto time = type.time.integer(event);
        if (!timer || !time)
            continue;
        const std::uint32_t host = timeline->traces[events.trace()].host;
        const auto key = static_cast<std::uint64_t>(*timer);
        if (type.event == TimerEvent::Start)
            hosts[host].start(key, *time, events.time());
        else if (const auto late = hosts[host].expire(key, event.cpu(), *time, monotonicAt(*timeline->traces[events.trace()].trace, event),
                                                      events.time());
                 late && late->range.begin >= window.begin && !lost.touch(host, {late->startedAt, events.time()})
                 && !unknown.touch(events.trace(), event.cpu(), {late->startedAt, events.time()}))
            take({late->range, static_cast<std::uint64_t>(type.function.integerOr(event, 0)), events.trace(), event.cpu()});
    }
}

std::string functionText(const TimerExpiry& expiry)
{
    std::array<char, 18> text{'0', 'x'};
    const auto end = std::to_chars(text.data() + 2, text.data() + text.size(), expiry.function, 16).ptr;
    return {text.data(), end};
}

} // namespace helio
