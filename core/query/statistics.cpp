#include "core/query/statistics.h"

#include "core/experiment/timeline.h"

#include <bit>

namespace helio {
namespace {

enum class Use : std::uint8_t { None, User, Kernel, Interrupt, Unknown };

/// What a state of a thread or CPU row means for the use of the CPU.
Use useOf(std::string_view state)
{
    if (state == "running-user" || state == "running" || state == "user")
        return Use::User;
    if (state == "running-syscall" || state == "running-kernel" || state == "page-fault" || state == "exiting" || state == "syscall"
        || state == "kernel")
        return Use::Kernel;
    if (state == "interrupted" || state == "irq" || state == "softirq")
        return Use::Interrupt;
    return state == "unknown" ? Use::Unknown : Use::None;
}

std::vector<Use> usesOf(const StateSet& set)
{
    std::vector<Use> uses(32, Use::None);
    for (std::size_t i = 0; i < set.states.size() && i < uses.size(); ++i)
        uses[i] = useOf(set.states[i]);
    return uses;
}

/// Adds `amount` of a bucketed quantity that lies evenly over `range`.
template <typename Add>
void spread(TimeRange range, TimeRange window, std::size_t buckets, const Add& add)
{
    const TimeRange part = range.clippedTo(window);
    if (part.isEmpty())
        return;
    const double width = double(window.duration().count()) / double(buckets);
    const double from = double((part.begin - window.begin).count()) / width;
    const double to = double((part.end - window.begin).count()) / width;
    for (auto b = std::size_t(from); b < buckets && double(b) < to; ++b)
        add(b, std::min(to, double(b + 1)) - std::max(from, double(b)));
}

void addCpu(const Timeline& timeline, TrackRef cpu, TimeRange window, std::size_t buckets, std::vector<CpuUse>& sums, std::stop_token stop)
{
    const std::vector<Use> uses = usesOf(statesOf(timeline, cpu));
    Spans found;
    const Duration resolution = std::max(Duration(1), window.duration() / std::int64_t(buckets));
    spans(timeline, cpu, window, resolution, found, std::move(stop));
    const auto take = [&](TimeRange range, std::size_t state, float share) {
        spread(range, window, buckets, [&](std::size_t b, double part) {
            const float amount = share * float(part);
            switch (uses[state]) {
            case Use::User: sums[b].user += amount; break;
            case Use::Kernel: sums[b].kernel += amount; break;
            case Use::Interrupt: sums[b].interrupt += amount; break;
            case Use::Unknown: sums[b].unknown += amount; break;
            case Use::None: break;
            }
        });
    };
    for (const Span& span : found.spans) {
        if (span.count == 1) {
            take(span.range, static_cast<std::size_t>(span.state) & 31, 1);
            continue;
        }
        std::size_t share = span.firstShare;
        for (std::uint32_t mask = span.mask; mask && share < found.shares.size(); mask &= mask - 1)
            take(span.range, std::size_t(std::countr_zero(mask)), float(found.shares[share++]) / 255);
    }
}

} // namespace

std::vector<StateTotal> totals(const Timeline& timeline, TrackRef track, TimeRange range)
{
    if (track.trace >= timeline.traces.size() || !timeline.traces[track.trace].store)
        return {};
    const TimelineTrace& t = timeline.traces[track.trace];
    return t.store->totals(track.track, t.clock.inverse(range));
}

double busyShare(const Timeline& timeline, TrackRef track, TimeRange range)
{
    if (range.isEmpty())
        return 0;
    const std::vector<Use> uses = usesOf(statesOf(timeline, track));
    Duration busy{};
    for (const StateTotal& total : totals(timeline, track, range)) {
        const Use use = uses[static_cast<std::size_t>(total.state) & 31];
        if (use != Use::None && use != Use::Unknown)
            busy += total.total;
    }
    return double(busy.count()) / double(range.duration().count());
}

std::vector<double> eventDensity(const Timeline& timeline, std::uint32_t host, TimeRange window, std::size_t buckets)
{
    std::vector<double> counts(buckets);
    if (window.isEmpty())
        return counts;
    for (const TimelineTrace& t : timeline.traces) {
        if (t.host != host || !t.store)
            continue;
        const auto density = t.store->density();
        for (std::size_t i = 0; i < density.size(); ++i) {
            // All are as long as the first; the last may be cut by the trace's end, which only spreads its events a little.
            const Duration length = density.size() > 1 ? density[1].begin - density[0].begin : Duration(1);
            const HostRange own{density[i].begin, density[i].begin + length};
            spread(t.clock(own), window, buckets, [&](std::size_t b, double part) {
                const double whole = double(length.count()) * double(buckets) / double(window.duration().count());
                counts[b] += double(density[i].events) * part / whole;
            });
        }
    }
    return counts;
}

std::vector<CpuUse> cpuUse(const Timeline& timeline, std::uint32_t host, TimeRange window, std::size_t buckets, std::stop_token stop)
{
    std::vector<CpuUse> sums(buckets);
    if (window.isEmpty() || buckets == 0)
        return sums;
    std::size_t cpus = 0;
    for (std::uint32_t i = 0; i < timeline.traces.size(); ++i) {
        const TimelineTrace& t = timeline.traces[i];
        if (t.host != host || !t.store)
            continue;
        const auto tracks = t.store->tracks();
        for (std::uint32_t n = 0; n < tracks.size(); ++n) {
            if (tracks[n].kind != "cpu")
                continue;
            ++cpus;
            addCpu(timeline, {i, TrackId{n}}, window, buckets, sums, stop);
        }
    }
    for (CpuUse& use : sums) {
        use.user /= float(std::max<std::size_t>(1, cpus));
        use.kernel /= float(std::max<std::size_t>(1, cpus));
        use.interrupt /= float(std::max<std::size_t>(1, cpus));
        use.unknown /= float(std::max<std::size_t>(1, cpus));
    }
    return sums;
}

std::vector<LossRange> losses(const Timeline& timeline, TimeRange window)
{
    std::vector<LossRange> all;
    for (std::uint32_t i = 0; i < timeline.traces.size(); ++i) {
        const TimelineTrace& t = timeline.traces[i];
        if (!t.store)
            continue;
        for (const Loss& loss : t.store->losses())
            if (const TimeRange range = t.clock(loss.range); range.overlaps(window))
                all.push_back({range, loss.events, loss.cpu, i});
    }
    return all;
}

} // namespace helio
