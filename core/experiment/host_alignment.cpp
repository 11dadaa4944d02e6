#include "core/experiment/host_alignment.h"

#include "core/correlation/transmissions.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <utility>

namespace helio {
namespace {

using HostsOfPair = std::pair<std::uint32_t, std::uint32_t>;

HostsOfPair hostsOf(const HostClockPair& pair) { return std::minmax(pair.here, pair.there); }

/// Returns for each pair of hosts the comparison with the best method.
std::map<HostsOfPair, const HostComparison*> comparisonsOf(const Timeline& timeline)
{
    std::map<HostsOfPair, const HostComparison*> best;
    for (const auto& relation : timeline.relations) {
        if (!relation || !relation->comparisons)
            continue;
        for (const HostComparison& it : *relation->comparisons) {
            if (it.pair.here >= timeline.hosts.size() || it.pair.there >= timeline.hosts.size())
                continue;
            const HostComparison*& known = best[hostsOf(it.pair)];
            if (!known || it.method > known->method)
                known = &it;
        }
    }
    return best;
}

/// Returns the error bound of the clock; if only its points have error bounds, the largest of them.
Duration errorOf(const ClockOverride& given)
{
    if (given.error != Duration::max() || given.points.empty())
        return given.error;
    return std::ranges::max_element(given.points, {}, &ClockPoint::error)->error;
}

/// Converts a clock that the user or a file set to a fit. `middle` is the middle of the host's traces. The error bound at `middle`
/// is that of the line, even if the line is anchored at a time far away.
ClockFit fitOfOverride(const ClockOverride& given, HostTimestamp middle)
{
    const ClockLine& line = *given.line;
    const Duration error = errorOf(given);
    constexpr Duration Apart = std::chrono::hours(24);
    ClockFit fit;
    fit.quality = FitQuality::Accurate;
    fit.line = line;
    for (const Duration at : {-Apart, Apart})
        fit.points.push_back({middle + at, line(middle + at), error});
    if (!given.points.empty() && ClockTransform::through(given.points)) {
        fit.points = given.points;
        if (given.isBent)
            fit.intervals = intervalsThrough(fit.points);
    } else if (line.gain == 0)
        // The anchor of the line (`line.at`) may be decades away from the trace, and rounding errors grow with the distance, so use a point
        // in the middle of the trace.
        fit.points = {{middle, line(middle), error}};
    fit.span = {line.at, line.at};
    fit.surest = line.at;
    fit.error = fit.lineError = fit.minError = error;
    if (given.origin) {
        fit.error = given.origin->bound;
        fit.driftError = given.origin->driftError;
        if (given.origin->quality == FitQuality::OneWay)
            fit.quality = FitQuality::OneWay;
        fit.arrivals = given.origin->arrivals;
        fit.departures = given.origin->departures;
    }
    for (const ClockPoint& point : given.points)
        fit.minError = std::min(fit.minError, point.error);
    return fit;
}

/// Returns the trace whose clock is the host's clock: the kernel trace, else the first trace. Null if the host has no trace.
const TimelineTrace* mainTraceOf(const Timeline& timeline, std::uint32_t host)
{
    const TimelineTrace* main = nullptr;
    for (const TimelineTrace& t : timeline.traces)
        if (t.host == host && (!main || (main->trace->info().text("domain") != "kernel" && t.trace->info().text("domain") == "kernel")))
            main = &t;
    return main;
}

/// Returns the clock that the user set for the host, else the offset that the user set for the trace with the host's clock; nullopt if the
/// user set neither.
std::optional<ClockOverride> givenFor(const Timeline& timeline, std::uint32_t host)
{
    // A clock that the user set for the whole host has priority over an offset that the user set for a single trace.
    if (const ClockOverride* chosen = findOverride(timeline.hosts[host], timeline.clockSettings.hosts))
        return *chosen;
    if (const TimelineTrace* main = mainTraceOf(timeline, host); main && main->given)
        return ClockOverride{ClockLine{hostTime(0), Timestamp(*main->given), 0}};
    return {};
}

/// Returns the host that the user chose as reference, else the host of the first trace without a clock from the user.
std::uint32_t referenceOf(const Timeline& timeline)
{
    if (const auto chosen = findHostByName(timeline, timeline.clockSettings.reference))
        return *chosen;
    for (const TimelineTrace& t : timeline.traces)
        if (!givenFor(timeline, t.host))
            return t.host;
    return timeline.traces.empty() ? 0 : timeline.traces.front().host;
}

struct KnownComparisons {
    /// Pairs of hosts whose clocks were compared. Paths between hosts consist of these pairs. Pairs with a host in `raw` are left out.
    std::vector<HostClockPair> pairs;
    std::map<HostsOfPair, ClockMethod> methods;
    std::set<std::uint32_t> raw; ///< Hosts whose times stay as recorded (raw), because the user set this.
    std::set<std::uint32_t> failed; ///< Hosts with a comparison (HostComparison) of messages that contradict each other.
};

KnownComparisons collectComparisons(const Timeline& timeline)
{
    KnownComparisons known;
    std::map<std::uint32_t, ClockOverride> given;
    for (std::uint32_t host = 0; host < timeline.hosts.size(); ++host)
        if (auto it = givenFor(timeline, host); it && host != timeline.reference)
            given.emplace(host, *it);
    for (const auto& [hosts, compared] : comparisonsOf(timeline)) {
        const auto isRaw = [&](std::uint32_t host) { return given.contains(host) && !given.at(host).line; };
        if (isRaw(hosts.first) || isRaw(hosts.second))
            continue;
        if (compared->pair.fit.quality == FitQuality::Failed)
            known.failed.insert({hosts.first, hosts.second});
        known.pairs.push_back(compared->pair);
        known.methods[hosts] = compared->method;
    }
    for (const auto& [host, it] : given) {
        if (!it.line) {
            known.raw.insert(host);
            continue;
        }
        const HostsOfPair hosts = std::minmax(host, timeline.reference);
        std::erase_if(known.pairs, [&](const HostClockPair& pair) { return hostsOf(pair) == hosts; });
        known.pairs.push_back({host, timeline.reference, fitOfOverride(it, middleOfHost(timeline, host)), true});
        known.methods[hosts] = ClockMethod::Manual;
    }
    return known;
}

/// Leaves the host's times as recorded, because no usable clock relates the host to the reference host.
void leaveRaw(TimelineHost& host)
{
    host.clock = {};
    host.path = {};
    host.method = ClockMethod::None;
    host.quality = FitQuality::Failed;
}

/// Returns the quality that the window shows for a fit: FitQuality::None if the error is unknown. The error is unknown for clocks that the
/// user set, and for paths that contain such clocks.
FitQuality qualityOf(const ClockFit& fit)
{
    return fit.error == Duration::max() && fit.quality != FitQuality::OneWay ? FitQuality::None : fit.quality;
}

void takePath(TimelineHost& host, std::uint32_t index, HostClockPath path, const KnownComparisons& known)
{
    host.clock = {};
    host.method = ClockMethod::None;
    host.quality = known.failed.contains(index) ? FitQuality::Failed : FitQuality::None;
    host.path = std::move(path);
    if (host.path.hosts.empty())
        return;
    host.quality = qualityOf(host.path.fit);
    host.method = known.methods.at(std::minmax(index, host.path.hosts.front()));
    if (const auto clock = ClockTransform::through(host.path.fit.points))
        host.clock = *clock;
    else
        leaveRaw(host);
}

/// Returns the paths to the reference host; for hosts without such a path, the paths to the first host that they are connected to.
std::vector<HostClockPath> pathsToRoots(const Timeline& timeline, const std::vector<HostClockPair>& pairs)
{
    const auto hosts = static_cast<std::uint32_t>(timeline.hosts.size());
    auto paths = findClockPaths(timeline.reference, hosts, pairs);
    for (std::uint32_t root = 0; root < hosts; ++root) {
        if (paths[root].isReached || !paths[root].hosts.empty())
            continue;
        auto toRoot = findClockPaths(root, hosts, pairs);
        for (std::uint32_t host = 0; host < hosts; ++host)
            if (!paths[host].isReached && paths[host].hosts.empty()) {
                paths[host] = std::move(toRoot[host]);
                paths[host].isReached = false;
            }
    }
    return paths;
}

/// True if a correlator related the trace's clock directly to the clock of another host; such a relation has priority.
bool isOnOtherHost(const Timeline& timeline, const TimelineTrace& t)
{
    return t.clockReference && timeline.traces[*t.clockReference].host != t.host;
}

/// Returns one name for all clocks of a kernel that tools name differently. perf's own clock and ftrace's clocks "local" and "global" are
/// the scheduler's clock.
std::string_view commonName(std::string_view clock)
{
    using Names = std::pair<std::string_view, std::string_view>;
    constexpr std::array Common{Names{"mono", "monotonic"}, Names{"mono_raw", "monotonic_raw"}, Names{"boot", "boottime"},
                                Names{"local", "perf"}, Names{"global", "perf"}};
    const auto* const found = std::ranges::find(Common, clock, &Names::first);
    return found == Common.end() ? clock : found->second;
}

/// True if times of both clocks of one host are comparable: both count from the Unix epoch, or they are the same clock.
bool haveSameClock(const ClockInfo& a, const ClockInfo& b)
{
    return a.isAbsolute == b.isAbsolute && (a.isAbsolute || commonName(a.name) == commonName(b.name));
}

bool isFoundFromMessages(const TimelineHost& host) { return host.method == ClockMethod::Packets || host.method == ClockMethod::Hypercalls; }

/// Returns the rank of a comparison as evidence for a clock that the user set; the highest rank wins. Comparisons with the first host on
/// the clock's path rank highest. Ties are decided by the method, then by the number of messages.
auto rankOf(const TimelineHost& host, const ClockEvidence& it)
{
    return std::tuple(it.neighbour == host.path.hosts.front(), it.compared->method, it.compared->messages.size());
}

bool comesEarly(const Timeline& timeline, const Transmission& message)
{
    return timeline.traces[message.toTrace].clock(message.received) < timeline.traces[message.fromTrace].clock(message.sent);
}

} // namespace

std::optional<std::uint32_t> findHostByName(const Timeline& timeline, std::string_view labelOrId)
{
    for (std::uint32_t host = 0; host < timeline.hosts.size(); ++host)
        if (timeline.hosts[host].id == labelOrId || timeline.hosts[host].label == labelOrId)
            return host;
    return {};
}

void alignHosts(Timeline& timeline)
{
    timeline.reference = referenceOf(timeline);
    const KnownComparisons known = collectComparisons(timeline);
    auto paths = pathsToRoots(timeline, known.pairs);
    for (std::uint32_t host = 0; host < timeline.hosts.size(); ++host) {
        takePath(timeline.hosts[host], host, std::move(paths[host]), known);
        if (known.raw.contains(host))
            timeline.hosts[host].method = ClockMethod::Manual;
    }
    if (!timeline.hosts.empty()) {
        timeline.hosts[timeline.reference].method = ClockMethod::Reference;
        // The reference clock needs no comparison. Messages of other hosts that contradict each other must not mark it as Failed.
        timeline.hosts[timeline.reference].quality = FitQuality::None;
    }
    const bool isReferenceChosen = findHostByName(timeline, timeline.clockSettings.reference) == timeline.reference;
    for (TimelineTrace& t : timeline.traces) {
        const bool isHostChosen =
            findOverride(timeline.hosts[t.host], timeline.clockSettings.hosts) || (isReferenceChosen && t.host == timeline.reference);
        if (t.given && !(isHostChosen && timeline.appliesClocks))
            t.clock = t.ownClock.shiftedBy(*t.given);
        else if (timeline.appliesClocks && !isOnOtherHost(timeline, t))
            t.clock = t.ownClock.composedWith(timeline.hosts[t.host].clock);
        else
            t.clock = t.ownClock;
    }
}

std::uint32_t rootOf(const Timeline& timeline, std::uint32_t host)
{
    const std::vector<std::uint32_t>& path = timeline.hosts[host].path.hosts;
    return path.empty() ? host : path.back();
}

bool areComparable(const Timeline& timeline, std::uint32_t a, std::uint32_t b)
{
    if (a == b || (timeline.hosts[a].isSynchronized && timeline.hosts[b].isSynchronized))
        return true;
    return timeline.appliesClocks && rootOf(timeline, a) == rootOf(timeline, b);
}

std::optional<std::uint32_t> findOtherClock(const Timeline& timeline, std::uint32_t trace)
{
    const TimelineTrace& it = timeline.traces[trace];
    if (it.given || it.clockReference || !it.trace->info().hasTimes)
        return {};
    for (std::uint32_t i = 0; i < trace; ++i) {
        const TimelineTrace& other = timeline.traces[i];
        if (other.host != it.host || other.given || other.clockReference || !other.trace->info().hasTimes)
            continue;
        return haveSameClock(it.trace->info().clock, other.trace->info().clock) ? std::nullopt : std::optional(i);
    }
    return {};
}

void retimeLinks(Timeline& timeline)
{
    const auto kinds = timeline.correlatorRegistry->all();
    for (std::size_t kind = 0; kind < timeline.relations.size() && kind < kinds.size(); ++kind) {
        if (!timeline.relations[kind] || !timeline.relations[kind]->messages)
            continue;
        auto relation = std::make_shared<Correlation>(*timeline.relations[kind]);
        relation->links = kinds[kind]->linksOn(timeline, *relation);
        timeline.relations[kind] = std::move(relation);
    }
}

HostRange hostRange(const Timeline& timeline, std::uint32_t host)
{
    HostRange all;
    for (const TimelineTrace& t : timeline.traces) {
        if (t.host != host)
            continue;
        const HostRange own = t.facts && t.facts->isComplete() ? t.facts->summary().range : t.claimed;
        all = all == HostRange{} ? own : HostRange{std::min(all.begin, own.begin), std::max(all.end, own.end)};
    }
    return all;
}

HostTimestamp middleOfHost(const Timeline& timeline, std::uint32_t host)
{
    const HostRange range = hostRange(timeline, host);
    return range.begin + (range.end - range.begin) / 2;
}

ClockEvidence findClockEvidence(const Timeline& timeline, std::uint32_t host)
{
    const TimelineHost& it = timeline.hosts[host];
    const bool isFound = isFoundFromMessages(it);
    ClockEvidence best;
    if (!timeline.appliesClocks || (!isFound && it.method != ClockMethod::Manual) || it.path.hosts.empty())
        return best;
    for (std::size_t relation = 0; relation < timeline.relations.size(); ++relation) {
        if (!timeline.relations[relation] || !timeline.relations[relation]->comparisons)
            continue;
        for (const HostComparison& compared : *timeline.relations[relation]->comparisons) {
            const HostClockPair& pair = compared.pair;
            const ClockEvidence found{&compared, relation, pair.here == host ? pair.there : pair.here};
            if ((pair.here != host && pair.there != host) || compared.messages.empty())
                continue;
            const bool isOfPath = compared.method == it.method && found.neighbour == it.path.hosts.front();
            const bool isWanted = isFound ? isOfPath : rootOf(timeline, found.neighbour) == rootOf(timeline, host);
            if (isWanted && (!best.compared || rankOf(it, found) > rankOf(it, best)))
                best = found;
        }
    }
    return best;
}

void countCausalityViolations(Timeline& timeline)
{
    for (std::uint32_t host = 0; host < timeline.hosts.size(); ++host) {
        timeline.hosts[host].early = {};
        if (timeline.hosts[host].method != ClockMethod::Manual)
            continue;
        const auto [compared, relation, neighbour] = findClockEvidence(timeline, host);
        if (!compared || !timeline.relations[relation]->messages)
            continue;
        CausalityViolations& early = timeline.hosts[host].early;
        early = {0, compared->messages.size(), compared->pair.fit.outliers.size(), relation};
        for (const std::uint32_t place : compared->messages)
            early.count += comesEarly(timeline, timeline.relations[relation]->messages->all[place]);
    }
}

} // namespace helio
