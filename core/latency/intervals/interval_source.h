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

/// Sources of intervals whose durations can be shown: calls, system calls, wake-ups, waits, network packets, pairs of events. Commands and
/// docks use only this interface. Each file in core/latency/sources implements one source.
namespace helio {

struct IntervalKind {
    std::string id; ///< Id of the kind: a stable word of the command line, e.g. "syscall", "packet".
    std::string title; ///< Title in the window, e.g. "System calls".
    std::string nameTitle; ///< Title of the table column with the intervals' names, e.g. "System call".
    int order = 0; ///< Position of the kind in lists; smaller values come first.
    std::string valueTitle{}; ///< Title of the table column with the values of the segments; empty if the segments have no values.
    bool areSegments = false;
    bool areCalls = false; ///< True if the intervals are calls of functions. The value of a segment is then the call's self time in ns.
    bool areOfThreads = false; ///< True if each interval belongs to a thread, even if no view shows the thread's row.
    bool areNamedByThread = false; ///< True if `name` in a filter means the name of the thread, and matches any name that the thread had.
    bool areWakeups = false; ///< True if each interval is a wait for a CPU after a wake-up.
    bool areTransits = false; ///< True if each interval is the transit of a packet between hosts.
    bool hasFields = false; ///< True if the intervals have fields: texts of the form "k=v;k=v".
    bool operator==(const IntervalKind&) const = default;
};

/// Interval that a source passes to `take`. All references and views in it are valid only during that call.
struct SourceInterval {
    TimeRange range; ///< Begin and end of the interval. Because of clock errors, a packet may end before it begins.
    /// Row on which the interval begins; `ref` of the row is not valid if the row is unknown. The row keeps its address while the source
    /// iterates.
    const Row& row;
    std::string_view name; ///< Name of the interval without the host; empty if the interval has no name.
    std::string_view fields{}; ///< Fields of the interval as "k=v;k=v", escaped.
    const Segment* segment = nullptr; ///< The segment if the interval is a segment, else nullptr.
    const SampledFunction* function = nullptr; ///< The called function if the interval is a call, else nullptr.
    /// Error bound of a network packet's transit time; Duration::max() if unknown; nullopt for other intervals.
    std::optional<Duration> error{};
    TrackRef shown{}; ///< Row on which the interval is shown; not valid if it is shown on `row`.
    bool isUnfinished = false; ///< True for a call without a recorded exit, so that its duration is a minimum.
};

enum class IntervalOrder : std::uint8_t {
    ByBegin, ///< Intervals come in order of start times; intervals with equal start times come in the order of their rows.
    ByRow, ///< Row after row if the source supports this order, which needs less time and memory; else like ByBegin.
};

struct IntervalRequest {
    TimeRange range{Timestamp::min(), Timestamp::max()}; ///< Time range in which the requested intervals must lie completely.
    IntervalOrder order = IntervalOrder::ByBegin;
    bool areNamedByHosts = false; ///< True to name packets by their hosts instead of their connections.
    /// Returns true for wanted rows. Called once for each row, which then keeps its address. If empty, all rows are wanted.
    std::function<bool(const Row&)> accepts{};
    const std::vector<Row>* rows = nullptr; ///< Wanted rows: a subset of IntervalSource::rows(); nullptr if all rows are wanted.
};

/// Source of the intervals of one kind in a timeline.
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

    /// Calls `take` for each requested interval. Returns the number of intervals that were skipped because events were lost during them.
    /// Stops early once `stop` is requested.
    virtual std::uint64_t forEach(const IntervalRequest& request, const Take& take, const std::stop_token& stop) const = 0;

    /// Returns the rows that can be requested separately (IntervalRequest::rows), even on several threads at once. Empty if the source does
    /// not support separate requests.
    virtual std::vector<Row> rows() const { return {}; }

    /// Returns true if the CPUs of the intervals are known.
    /// Cost: may read segments until a segment with a known CPU is found.
    virtual bool knowsCpus() const { return !m_kind.areOfThreads; }

    /// Returns the name of a needed event that some trace recorded only in part (sampled), e.g. "sched_switch"; the intervals of that
    /// trace are then missing. Empty if the traces recorded all needed events completely.
    virtual std::string sampledEvents() const { return {}; }

private:
    IntervalKind m_kind;
};

using IntervalSources = std::vector<std::unique_ptr<IntervalSource>>;

/// Functions with which a file in core/latency/sources creates its sources. Each of these files defines one factory.
struct IntervalSourceFactory {
    /// Appends the sources of all kinds that the timeline has. nullptr if the kinds cannot be listed, because the user defines a
    /// kind by writing its id, e.g. "state:blocked".
    void (*list)(const std::shared_ptr<const Timeline>& timeline, IntervalSources& sources);
    /// Creates the source of the kind with this id. The result contains nullptr if the id belongs to another factory. A factory sets
    /// `parse` itself to nullptr if `list` appends the sources of all its kinds.
    /// Errors: Usage if the id belongs to this factory, but the timeline does not have the kind.
    Result<std::unique_ptr<IntervalSource>> (*parse)(const std::shared_ptr<const Timeline>& timeline, std::string_view id,
                                                     const std::vector<std::string>& views);
};
/// Returns all factories; the build generates the list from core/latency/sources/*_intervals.cpp.
std::span<const IntervalSourceFactory* const> intervalSourceFactories();

/// Returns the sources of all kinds that the timeline has, calls first, network packets last. If segments and another kind have the same
/// id, the other kind is dropped. Cost: a scan of the tracks.
IntervalSources intervalSources(const std::shared_ptr<const Timeline>& timeline);

/// Finds the source of a kind: one of intervalSources(), or one that the id defines, e.g. "state:blocked" or "EVENT(FIELD) ->
/// EVENT(FIELD)". The result contains nullptr if no source matches the id. `views`: the views in which states are searched; empty for all
/// views.
/// Errors: Usage if the timeline does not have the states or events that the id names.
Result<std::unique_ptr<IntervalSource>> findIntervalSource(const std::shared_ptr<const Timeline>& timeline, std::string_view id,
                                                           const std::vector<std::string>& views = {});

} // namespace helio
