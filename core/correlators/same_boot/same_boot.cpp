#include "core/correlation/correlator.h"
#include "core/experiment/timeline.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace helio {
namespace {

bool isKernelTrace(const TraceInfo& info) { return info.text("domain") == "kernel"; }

/// Returns the difference between two offsets; 0 on overflow, because files may contain any offset.
Duration difference(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    return __builtin_sub_overflow(a, b, &result) ? Duration{} : Duration(result);
}

/// Returns the index of the kernel trace that has the same clock as the trace of `info`; nullopt if there is none.
std::optional<std::uint32_t> kernelTraceOf(const Timeline& timeline, const TraceInfo& info)
{
    if (info.clock.uuid.empty() || isKernelTrace(info))
        return {};
    for (std::uint32_t i = 0; i < timeline.traces.size(); ++i)
        if (const TraceInfo& other = timeline.traces[i].trace->info(); isKernelTrace(other) && other.clock.uuid == info.clock.uuid)
            return i;
    return {};
}

Diagnostic correctionNote(const TraceInfo& info, Duration correction)
{
    return {Diagnostic::Severity::Info,
            "clock-correction",
            info.path.string(),
            0,
            1,
            "same clock as the kernel trace, but with another offset to the epoch: its times are shifted by "
                + std::to_string(correction.count()) + " ns to match (--no-sync keeps them raw)"};
}

bool isMonotonic(const ClockInfo& clock) { return clock.name == "monotonic" || clock.name == "mono"; }

/// True if both traces may come from the same host: their hostnames are equal, or at least one hostname was not recorded.
bool mayShareHost(const TraceInfo& a, const TraceInfo& b) { return a.hostname.empty() || b.hostname.empty() || a.hostname == b.hostname; }

/// True if both traces are in the same folder, or one trace is in a subfolder of the folder that contains the other trace.
bool areBeside(const TraceInfo& a, const TraceInfo& b)
{
    const auto isBelow = [](const std::filesystem::path& path, const std::filesystem::path& folder) {
        const auto rest = path.lexically_relative(folder);
        return !rest.empty() && *rest.begin() != "..";
    };
    return isBelow(a.path, b.path.parent_path()) || isBelow(b.path, a.path.parent_path());
}

/// Returns the time range of a trace according to the headers of its packets; nullopt if no packet has a time range.
std::optional<HostRange> claimedRange(const Trace& trace)
{
    std::optional<HostRange> range;
    for (const StreamInfo& stream : trace.streams())
        for (const PacketInfo& packet : stream.packets)
            if (packet.range)
                range =
                    range ? HostRange{std::min(range->begin, packet.range->begin), std::max(range->end, packet.range->end)} : *packet.range;
    return range;
}

/// Returns `time` + `by` in ns. The sum is limited to the range of int64, because damaged files may contain any times and offsets.
std::int64_t shifted(HostTimestamp time, Duration by)
{
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(nanoseconds(time), by.count(), &sum))
        return sum;
    return by > Duration{} ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
}

/// True if the time range of trace `a`, shifted by `correction`, overlaps with the time range of trace `b`; false if one of these ranges is
/// unknown.
bool overlap(const Trace& a, Duration correction, const Trace& b)
{
    const auto mine = claimedRange(a);
    const auto theirs = claimedRange(b);
    return mine && theirs && shifted(mine->begin, correction) <= nanoseconds(theirs->end)
        && nanoseconds(theirs->begin) <= shifted(mine->end, correction);
}

/// Relation of a trace's clock to the clock of a reference trace: index of the reference trace, correction in ns to add to the trace's
/// times, and a sentence for the user.
struct Relation {
    std::uint32_t reference = 0;
    Duration correction{};
    std::string how;
};

/// ClockInfo::name of a trace in Chrome's JSON format. The format does not say which clock its times ("ts") come from.
constexpr std::string_view UnnamedClock = "ts";

/// Finds a reference trace for a trace that was recorded without a boot ID; nullopt if there is none. Three cases:
/// (1) Both traces use CLOCK_MONOTONIC and may come from the same host. In addition, their offsets to the epoch differ by less than 1 s or,
/// if only the reference trace has an offset, their times overlap with this offset. (2) The trace is Chrome JSON beside a trace with
/// CLOCK_MONOTONIC: its unnamed clock is assumed to be CLOCK_MONOTONIC if the times then overlap. (3) The trace has wall-clock times, but
/// no hostname, and is beside the reference trace: both wall clocks are assumed to be the same. The reference trace has wall-clock times,
/// except in case (2), and its host is known, except in cases (2) and (3). For "beside", see areBeside().
/// `references`: indices of the traces that may be the reference.
std::optional<Relation> relationOf(const Timeline& timeline, std::uint32_t trace, std::span<const std::uint32_t> references)
{
    // Maximum difference between two offsets of CLOCK_MONOTONIC to the epoch that different tracers measured during one boot.
    constexpr Duration LargestDifference = std::chrono::seconds(1);
    const TraceInfo& info = timeline.traces[trace].trace->info();
    if (!info.clock.uuid.empty() || !info.hasTimes)
        return {};
    for (const std::uint32_t i : references) {
        const TraceInfo& other = timeline.traces[i].trace->info();
        if (i == trace || !mayShareHost(info, other))
            continue;
        const Duration correction = difference(other.clock.offset, info.clock.offset);
        if (info.clock.name == UnnamedClock && isMonotonic(other.clock) && areBeside(info, other)
            && overlap(*timeline.traces[trace].trace, correction, *timeline.traces[i].trace))
            return Relation{i, correction,
                            "its clock is not recorded; it is taken to be CLOCK_MONOTONIC, because its times then overlap with "
                                + other.name};
        if (!other.clock.isAbsolute)
            continue;
        if (other.clock.uuid.empty() && other.hostname.empty()) {
            if (info.clock.isAbsolute && info.hostname.empty() && areBeside(info, other))
                return Relation{
                    i, {}, "wall clock, like " + other.name + "; no host is recorded, and they are taken to be of the same host"};
            continue;
        }
        if (isMonotonic(info.clock) && isMonotonic(other.clock)) {
            const bool isSameBoot = info.clock.isAbsolute ? -LargestDifference < correction && correction < LargestDifference
                                                          : overlap(*timeline.traces[trace].trace, correction, *timeline.traces[i].trace);
            if (isSameBoot)
                return Relation{i, correction, "same clock (CLOCK_MONOTONIC) as " + other.name};
        }
        if (info.clock.isAbsolute && info.hostname.empty() && areBeside(info, other))
            return Relation{i, {}, "wall clock, like " + other.name + "; the host is not recorded and taken to be the same"};
    }
    return {};
}

/// Aligns user-space traces with the kernel trace of the same boot. Both tracers read the same clock, but measure its offset to the epoch
/// separately, with differences of ns to µs. Therefore all traces get the kernel trace's offset. Recordings without a boot ID (perf.data,
/// trace.dat, strace) are related by the name of their clock, see relationOf().
class SameBoot final : public Correlator {
public:
    std::string_view id() const override { return "same-boot"; }
    When when() const override { return When::Opened; }

    bool appliesTo(const Timeline& timeline) const override { return timeline.traces.size() > 1; }

    Result<Correlation> make(const Timeline& timeline, const CorrelatorRequest&, std::stop_token) const override
    {
        // Only a trace that keeps its own times is a reference. Of two traces that could be references of each other, the one with the more
        // reliable clock is, or else the first one.
        std::vector<std::uint32_t> order(timeline.traces.size());
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::stable_sort(order, {}, [&](std::uint32_t i) {
            const ClockInfo& clock = timeline.traces[i].trace->info().clock;
            return !clock.uuid.empty() ? 0 : !isMonotonic(clock) ? 3 : clock.isAbsolute ? 1 : 2;
        });
        std::vector<std::uint32_t> references;
        Correlation found;
        for (const std::uint32_t i : order) {
            const TraceInfo& info = timeline.traces[i].trace->info();
            const auto kernel = kernelTraceOf(timeline, info);
            if (!kernel) {
                if (auto relation = relationOf(timeline, i, references))
                    found.clocks.push_back(
                        {i, ClockTransform(relation->correction), relation->reference,
                         Diagnostic{Diagnostic::Severity::Info, "clock-relation", info.path.string(), 0, 1, std::move(relation->how)}});
                else
                    references.push_back(i);
                continue;
            }
            const Duration correction = difference(timeline.traces[*kernel].trace->info().clock.offset, info.clock.offset);
            if (correction == Duration{})
                references.push_back(i);
            else
                found.clocks.push_back({i, ClockTransform(correction), *kernel, correctionNote(info, correction)});
        }
        return found;
    }
};

} // namespace

extern const BuiltinCorrelator sameBootRelation{[]() -> std::shared_ptr<const Correlator> { return std::make_shared<SameBoot>(); }};

} // namespace helio
