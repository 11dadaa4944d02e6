#pragma once

#include "core/profiling/samples/stack_names.h"
#include "core/query/rows/rows.h"
#include "core/query/segments/segments.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

/// Sources of intervals whose durations can be shown: calls, system calls, wake-ups, waits, packets, pairs of events. Commands and docks
/// use only this interface; each file in core/latency/sources implements one source.
namespace helio {

struct IntervalKind {
    std::string id; ///< Stable word of the command line, e.g. "syscall", "packet".
    std::string title; ///< Title in the window, e.g. "System calls".
    std::string nameTitle; ///< Title of the column with the intervals' names, e.g. "System call".
    int order = 0; ///< Position in lists; smaller values come first.
    std::string valueTitle{}; ///< Title of the column with the segments' values; empty if they have none.
    bool areSegments = false;
    bool areCalls = false; ///< True if the intervals are calls of functions; the value of a segment is then the self time in ns.
    bool areOfThreads = false; ///< True if each interval belongs to a thread, even if no view shows the thread's row.
    bool areNamedByThread = false; ///< True if `name` in a filter means the thread's name, and matches any name that the thread had.
    bool areWakeups = false; ///< True if each interval is a wait for a CPU after a wake-up.
    bool areTransits = false; ///< True if each interval is the transit of a packet between hosts.
    bool hasFields = false; ///< True if intervals have fields: texts like "k=v;k=v".
    bool operator==(const IntervalKind&) const = default;
};

/// An interval as its source passes it to `take`. All references and views in it are valid during that call only.
struct SourceInterval {
    TimeRange range; ///< Begin and end. The range of a packet may end before it begins, because of clock errors.
    /// Row on which the interval begins; its `ref` is not valid if no row is known. The row stays at its address while the source iterates.
    const Row& row;
    std::string_view name; ///< Name without the host; empty if the interval has no name.
    std::string_view fields{}; ///< Fields as "k=v;k=v", escaped.
    const Segment* segment = nullptr; ///< Segment that the interval is; nullptr if it is not a segment.
    const SampledFunction* function = nullptr; ///< Called function; nullptr if the interval is not a call.
    std::optional<Duration> error{}; ///< Error bound of a packet's duration; Duration::max() if unknown.
    TrackRef shown{}; ///< Row on which the interval is shown; not valid if that is `row`.
};

enum class IntervalOrder : std::uint8_t {
    ByBegin, ///< In order of begin times; intervals that begin at the same time come in the order of the rows.
    ByRow, ///< One row after the other, if the source supports that; takes less time and memory.
};

struct IntervalRequest {
    TimeRange range{Timestamp::min(), Timestamp::max()}; ///< Only intervals that lie wholly in the range.
    IntervalOrder order = IntervalOrder::ByBegin;
    bool areNamedByHosts = false; ///< Packets are named by their hosts instead of their connection.
    /// Returns true for the wanted rows; called once for each row, which then stays at its address. Empty: all rows.
    std::function<bool(const Row&)> accepts{};
    const std::vector<Row>* rows = nullptr; ///< Wanted rows, a subset of IntervalSource::rows(); nullptr: all rows.
};

/// One kind of intervals of a timeline.
/// Threads: any but the UI thread, one at a time.
class IntervalSource {
public:
    using Take = std::function<void(const SourceInterval&)>;

    explicit IntervalSource(IntervalKind kind)
        : m_kind(std::move(kind))
    {
    }
    virtual ~IntervalSource() = default;

    const IntervalKind& kind() const { return m_kind; }

    /// Calls `take` for each requested interval. Returns the number of intervals that were left out because events were lost during them.
    /// Ends early once `stop` is requested.
    virtual std::uint64_t forEach(const IntervalRequest& request, const Take& take, const std::stop_token& stop) const = 0;

    /// Returns the rows that can be requested separately (IntervalRequest::rows), even on several threads at once. Empty if the source does
    /// not support that.
    virtual std::vector<Row> rows() const { return {}; }

    /// True if the CPU of the intervals is known.
    /// Cost: may read segments until one names its CPU.
    virtual bool knowsCpus() const { return !m_kind.areOfThreads; }

    /// Events that some trace sampled, so that intervals with them are left out: "sched_switch"; empty if there are none.
    virtual std::string sampledEvents() const { return {}; }

private:
    IntervalKind m_kind;
};

using IntervalSources = std::vector<std::unique_ptr<IntervalSource>>;

/// Functions that each file in core/latency/sources defines.
struct IntervalSourceFactory {
    /// Appends the sources of all kinds that the timeline has. nullptr if kinds of this form cannot be listed, because each id describes
    /// one.
    void (*list)(const std::shared_ptr<const Timeline>& timeline, IntervalSources& sources);
    /// Makes the source that an id describes; the result holds nullptr if the id has another form. The function is nullptr if `list`
    /// appends all kinds.
    /// Errors: Usage if the id has this form, but the timeline has no such kind.
    Result<std::unique_ptr<IntervalSource>> (*parse)(const std::shared_ptr<const Timeline>& timeline, std::string_view id,
                                                     const std::vector<std::string>& views);
};
/// Returns all factories; the build generates the list from core/latency/sources/*_intervals.cpp.
std::span<const IntervalSourceFactory* const> intervalSourceFactories();

/// Lists the kinds that the timeline has, calls first, packets last. If segments and something else have the same id, the segments stay.
/// Cost: a look at the tracks.
IntervalSources intervalSources(const std::shared_ptr<const Timeline>& timeline);

/// Finds the source of a kind: one of intervalSources(), or one that the id describes, e.g. "state:blocked" or "EVENT(FIELD) ->
/// EVENT(FIELD)". The result holds nullptr if there is none. `views`: the views in which states are searched; empty: all views.
/// Errors: Usage if the timeline does not have what the id describes.
Result<std::unique_ptr<IntervalSource>> findIntervalSource(const std::shared_ptr<const Timeline>& timeline, std::string_view id,
                                                           const std::vector<std::string>& views = {});

} // namespace helio
