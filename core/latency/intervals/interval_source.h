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

/// Kinds of intervals whose durations are asked for: calls, system calls, wake-ups, waits, packets, pairs of events. Commands and docks
/// know them by this interface alone; each kind is a file of core/latency/sources.
namespace helio {

struct IntervalKind {
    std::string id; ///< Stable word of the command line: "syscall", "packet".
    std::string title; ///< "System calls"
    std::string nameTitle; ///< Title of a column of the intervals' names: "System call".
    int order = 0; ///< Ascending in lists.
    std::string valueTitle{}; ///< Title of the segments' values; empty if they have none.
    bool areSegments = false;
    bool areCalls = false; ///< Calls of functions: a value is the time in the function itself in ns.
    bool areOfThreads = false; ///< Each interval is of a thread, even if it is not on a view's row.
    bool areNamedByThread = false; ///< A filter's `name` is any name that the thread held.
    bool areWakeups = false; ///< Each interval is a wait for a CPU after a wake-up.
    bool areTransits = false; ///< Each interval is a packet's way between hosts.
    bool hasFields = false; ///< Intervals have texts "k=v;k=v".
    bool operator==(const IntervalKind&) const = default;
};

/// An interval as its source hands it over. Views are valid during the call.
struct SourceInterval {
    TimeRange range; ///< A packet's may end before it begins.
    const Row& row; ///< Where the interval begins; `ref` is not valid if no row is known. Stays at its address while the source iterates.
    std::string_view name; ///< Without the host; empty if it has none.
    std::string_view fields{}; ///< "k=v;k=v", escaped.
    const Segment* segment = nullptr; ///< nullptr if it is no segment.
    const SampledFunction* function = nullptr; ///< The function that a frame is in; nullptr if `name` is not that of a frame.
    std::optional<Duration> error{}; ///< Error bound of a packet's duration; Duration::max() if unknown.
    TrackRef shown{}; ///< The row to show; not valid: `row`.
};

enum class IntervalOrder : std::uint8_t {
    ByBegin, ///< Intervals that begin together are in the order of the rows.
    ByRow, ///< One row after the other where the source can, which takes less time and memory.
};

struct IntervalRequest {
    TimeRange range{Timestamp::min(), Timestamp::max()}; ///< Intervals that lie in it as a whole.
    IntervalOrder order = IntervalOrder::ByBegin;
    bool areNamedByHosts = false; ///< Packets are named by their hosts instead of their connection.
    std::function<bool(const Row&)> accepts{}; ///< Asked once for each row, whose address stays the same. Empty: all rows.
    const std::vector<Row>* rows = nullptr; ///< Some of IntervalSource::rows(); nullptr: all.
};

/// One kind of intervals of a timeline. Threads: any but the UI thread, one at a time.
class IntervalSource {
public:
    using Take = std::function<void(const SourceInterval&)>;

    explicit IntervalSource(IntervalKind kind)
        : m_kind(std::move(kind))
    {
    }
    virtual ~IntervalSource() = default;

    const IntervalKind& kind() const { return m_kind; }

    /// Calls `take` for each requested interval. Returns how many are left out since events were lost meanwhile. Ends early once `stop` is
    /// requested.
    virtual std::uint64_t forEach(const IntervalRequest& request, const Take& take, const std::stop_token& stop) const = 0;

    /// Rows that can be asked for one by one (IntervalRequest::rows), on several threads at once. Empty: the source does not know them.
    virtual std::vector<Row> rows() const { return {}; }

    /// True if the CPU of intervals is known. Cost: up to reading segments until one says so.
    virtual bool knowsCpus() const { return !m_kind.areOfThreads; }

    /// Events that some trace sampled, so that intervals with them are left out: "sched_switch"; empty if there are none.
    virtual std::string sampledEvents() const { return {}; }

private:
    IntervalKind m_kind;
};

using IntervalSources = std::vector<std::unique_ptr<IntervalSource>>;

/// What a file of core/latency/sources defines.
struct IntervalSourceFactory {
    /// Appends the kinds that the timeline has. nullptr: kinds of this form cannot be listed.
    void (*list)(const std::shared_ptr<const Timeline>& timeline, IntervalSources& sources);
    /// Makes the kind that an id describes; nullptr inside if the id is of another form. nullptr: `list` has all kinds.
    /// Errors: Usage: the id is of this form, and the timeline has no such kind.
    Result<std::unique_ptr<IntervalSource>> (*parse)(const std::shared_ptr<const Timeline>& timeline, std::string_view id,
                                                     const std::vector<std::string>& views);
};
/// Filled by the build from core/latency/sources/*_intervals.cpp.
std::span<const IntervalSourceFactory* const> intervalSourceFactories();

/// Lists the kinds that the timeline has, calls first, packets last. If segments and something else have the same id, the segments stay.
/// Cost: a look at the tracks.
IntervalSources intervalSources(const std::shared_ptr<const Timeline>& timeline);

/// Finds the kind with that id, of intervalSources() or described by the id: "state:blocked", "EVENT(FIELD) -> EVENT(FIELD)". nullptr
/// inside if there is none. `views`: the views whose states are looked at; empty: all. Errors: Usage: the timeline does not have what the
/// id describes.
Result<std::unique_ptr<IntervalSource>> findIntervalSource(const std::shared_ptr<const Timeline>& timeline, std::string_view id,
                                                           const std::vector<std::string>& views = {});

} // namespace helio
