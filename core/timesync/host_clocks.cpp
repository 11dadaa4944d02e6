#include "core/timesync/host_clocks.h"

#include "core/correlation/guests.h"
#include "core/correlation/transmissions.h"
#include "core/experiment/host_alignment.h"
#include "core/timesync/clock_changes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace helio {
namespace {

TracePacketCounts packetCountsOf(const Timeline& timeline, const Transmissions& messages, std::uint32_t host, bool isOfOthers)
{
    TracePacketCounts sum;
    for (std::size_t trace = 0; trace < messages.traces.size(); ++trace) {
        if ((timeline.traces[trace].host == host) == isOfOthers)
            continue;
        sum.out += messages.traces[trace].out;
        sum.in += messages.traces[trace].in;
        sum.unnamed += messages.traces[trace].unnamed;
        sum.matched += messages.traces[trace].matched;
    }
    return sum;
}

std::string whyIn(const TracePacketCounts& own, const TracePacketCounts& others)
{
    const std::uint64_t all = own.out + own.in;
    if (own.matched > 0)
        return {};
    if (all == 0)
        return own.unnamed > 0 ? ": its packet events do not identify the packets" : ": none of its packets were recorded";
    const std::string count = ": " + std::to_string(all) + " of its packets recorded";
    if (others.out + others.in == 0)
        return count + ", but none on another host";
    if (own.out == 0)
        return count + " on arrival, but none on departure";
    if (own.in == 0)
        return count + " on departure, but none on arrival";
    return count + ", none of them on another host: they went elsewhere, or their addresses are translated (NAT)";
}

/// Returns why none of the host's packets is matched with a packet on another host, as the end of a sentence: ": none of its packets were
/// recorded". Empty if some packets are matched or if no correlator searched for packets.
std::string unmatchedReason(const Timeline& timeline, std::uint32_t host)
{
    for (const auto& relation : timeline.relations)
        if (relation && relation->messages && relation->messages->kind != GuestMessages)
            return whyIn(packetCountsOf(timeline, *relation->messages, host, false),
                         packetCountsOf(timeline, *relation->messages, host, true));
    return {};
}

std::string printed(const char* format, double value)
{
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

/// Returns the maximum error over the range if one straight line (fit.line) converts the host's times. Outside of the time span of the
/// messages, the error grows with the distance from that span.
Duration errorIn(HostRange range, const TimelineHost& host)
{
    const ClockFit& fit = host.path.fit;
    Duration error = fit.lineError;
    for (const HostTimestamp at : {range.begin, range.end})
        if (const Duration there = host.clock.errorAt(at); there == Duration::max())
            return there;
        else if (at < fit.span.begin || at > fit.span.end)
            error = std::max(error, there + std::chrono::abs(fit.line(at) - host.clock(at)));
    return error;
}

/// Returns the largest error of the clock over the range. 0 for a clock set by hand without an error bound; its 1 ns of rounding is not
/// reported as a bound.
Duration boundIn(HostRange range, const TimelineHost& host)
{
    const Duration bound = std::max({host.path.fit.error, host.clock.errorAt(range.begin), host.clock.errorAt(range.end)});
    return host.method == ClockMethod::Manual && bound <= Duration(1) ? Duration{} : bound;
}

/// Returns the clock that was read from a file for the host; nullptr if it was not read from a file.
const ClockOverride* fromFile(const Timeline& timeline, std::uint32_t host)
{
    const ClockOverride* given = givenOf(timeline, timeline.clockSettings, host);
    return timeline.hosts[host].method == ClockMethod::Manual && given && given->origin ? given : nullptr;
}

/// Returns the indexes of the hosts with these labels; empty if a label belongs to no host.
std::vector<std::uint32_t> hostsNamed(const Timeline& timeline, const std::vector<std::string>& labels)
{
    std::vector<std::uint32_t> hosts;
    for (const std::string& label : labels)
        if (const auto host = findHostByName(timeline, label))
            hosts.push_back(*host);
    return hosts.size() == labels.size() ? hosts : std::vector<std::uint32_t>();
}

void applyFileFacts(const Timeline& timeline, const ClockOverride& given, HostClockFacts& facts)
{
    const ClockOrigin& origin = *given.origin;
    // Returns the error bound to show: `then` from the file, or `now`, which was computed for the open traces. The bound in the file holds
    // only for the time range of the traces for which the file was written. Therefore use `now` if it is larger by more than 1 ns
    // (rounding).
    const auto stated = [](Duration now, Duration then) { return now - then > Duration(1) ? now : then; };
    facts.error = stated(facts.error, given.error);
    facts.bound = stated(facts.bound, origin.bound);
    facts.isFromFile = true;
    facts.method = origin.method;
    facts.quality = origin.quality;
    facts.outliers = origin.outliers;
    const std::vector<std::uint32_t> path = hostsNamed(timeline, origin.path);
    if (path.size() > 1 && path.front() == timeline.reference && path.back() == facts.host)
        facts.path = path;
}

HostClockFacts factsOf(const Timeline& timeline, std::uint32_t index)
{
    const TimelineHost& host = timeline.hosts[index];
    HostClockFacts facts;
    facts.host = index;
    facts.label = host.label;
    facts.name = host.shownName();
    for (std::uint32_t trace = 0; trace < timeline.traces.size(); ++trace)
        if (timeline.traces[trace].host == index)
            facts.traces.push_back(trace);
    facts.method = host.method;
    facts.quality = host.quality;
    if (!host.path.isReached && host.path.hosts.empty()) {
        facts.error = facts.bound = facts.minError = Duration::max();
        return facts;
    }
    facts.path.assign(host.path.hosts.rbegin(), host.path.hosts.rend());
    facts.path.push_back(index);
    if (host.path.hosts.empty())
        return facts;
    const ClockFit& fit = host.path.fit;
    facts.line = fit.line;
    const HostRange range = hostRange(timeline, index);
    facts.error = errorIn(range, host);
    facts.bound = boundIn(range, host);
    facts.minError = fit.minError;
    facts.driftError = fit.driftError;
    if (host.method != ClockMethod::Manual && hasUnknownManualError(timeline, facts))
        facts.bound = facts.minError = Duration::max(), facts.driftError.reset();
    facts.matches = fit.arrivals + fit.departures;
    facts.matchesTo = fit.arrivals;
    facts.matchesFrom = fit.departures;
    facts.outliers = fit.outliers.size();
    facts.intervals = fit.intervals;
    if (const ClockOverride* given = fromFile(timeline, index))
        applyFileFacts(timeline, *given, facts);
    facts.messages = messagesOf(timeline, facts.method);
    // The clock comes from a file, and no correlation of the timeline has messages of its method, so their plural noun is unknown. Use the
    // name of the method instead.
    if (facts.messages.empty() && facts.matches > 0)
        facts.messages = wordOf(facts.method);
    const HostTimestamp middle = range.begin + (range.end - range.begin) / 2;
    facts.offset = host.clock(middle).time_since_epoch() - middle.time_since_epoch();
    return facts;
}

/// Returns a duration as text with at most three significant digits, or six from one second on.
std::string shortText(Duration duration)
{
    const auto ns = static_cast<double>(duration.count());
    if (ns < 1e3)
        return printed("%.0f ns", ns);
    return ns < 1e6 ? printed("%.3g µs", ns / 1e3) : ns < 1e9 ? printed("%.3g ms", ns / 1e6) : printed("%.6g s", ns / 1e9);
}

std::string aheadText(Duration offset, const std::string& reference)
{
    if (offset == Duration{})
        return "same as " + reference;
    // The code adds the offset to the host's times. A positive offset therefore means that the host's clock is behind.
    return shortText(std::chrono::abs(std::max(offset, -Duration::max()))) + (offset < Duration{} ? " ahead of " : " behind ") + reference;
}

} // namespace

std::vector<HostClockFacts> hostClocks(const Timeline& timeline)
{
    std::vector<HostClockFacts> all;
    for (std::uint32_t host = 0; host < timeline.hosts.size(); ++host)
        all.push_back(factsOf(timeline, host));
    return all;
}

std::string roughText(Duration duration)
{
    const std::int64_t ns = duration.count();
    // The text has at most 3 digits for durations below 1 s, else at most 6. Further digits are rounded up.
    const std::int64_t unitLimit = ns < 1'000'000'000 ? 1'000 : 1'000'000;
    std::int64_t step = 1;
    while (ns / step >= unitLimit)
        step *= 10;
    const std::int64_t over = ns % step;
    return shortText(over == 0 || ns > INT64_MAX - step ? duration : Duration(ns - over + step));
}

std::string_view wordOf(ClockMethod method)
{
    switch (method) {
    case ClockMethod::None: return "none";
    case ClockMethod::Reference: return "reference";
    case ClockMethod::Packets: return "packets";
    case ClockMethod::Tsc: return "tsc";
    case ClockMethod::Hypercalls: return "hypercalls";
    case ClockMethod::SameBoot: return "same-boot";
    case ClockMethod::Manual: return "manual";
    }
    return "none";
}

std::string_view wordOf(FitQuality quality)
{
    switch (quality) {
    case FitQuality::None: return "none";
    case FitQuality::Failed: return "failed";
    case FitQuality::OneWay: return "one-way";
    case FitQuality::Approximate: return "approximate";
    case FitQuality::Accurate: return "accurate";
    }
    return "none";
}

ClockMethod methodOf(std::string_view word)
{
    using enum ClockMethod;
    for (const ClockMethod method : {None, Reference, Packets, Tsc, Hypercalls, SameBoot})
        if (wordOf(method) == word)
            return method;
    return Manual;
}

FitQuality qualityOf(std::string_view word)
{
    using enum FitQuality;
    for (const FitQuality quality : {Failed, OneWay, Approximate, Accurate})
        if (wordOf(quality) == word)
            return quality;
    return None;
}

bool hasUnknownManualError(const Timeline& timeline, const HostClockFacts& clock)
{
    const auto hand = findManualHostOnPath(timeline, clock);
    return hand && timeline.hosts[*hand].path.fit.error == Duration::max();
}

std::optional<std::uint32_t> findManualHostOnPath(const Timeline& timeline, const HostClockFacts& clock)
{
    for (const std::uint32_t host : clock.path)
        if (host != clock.host && timeline.hosts[host].method == ClockMethod::Manual && !fromFile(timeline, host))
            return host;
    return {};
}

namespace {

/// Returns the clock's error as the end of a sentence, for example ", accurate to ±628 µs (±193 µs at best)".
std::string surenessOf(const Timeline& timeline, const HostClockFacts& clock)
{
    if (clock.bound == Duration::max() && clock.quality == FitQuality::OneWay)
        return ", accuracy unknown: its " + clock.messages + " go one way only";
    if (clock.bound == Duration::max() || hasUnknownManualError(timeline, clock))
        return ", accuracy unknown";
    const std::string bound = roughText(clock.bound);
    const std::string least = roughText(clock.minError);
    return ", accurate to ±" + bound + (least != bound ? " (±" + least + " at best)" : "");
}

/// Returns ", by way of HOST" if the clock is related to the reference through another host; else an empty text.
std::string wayOf(const Timeline& timeline, const HostClockFacts& clock)
{
    if (const auto hand = findManualHostOnPath(timeline, clock))
        return ", via " + timeline.hosts[*hand].shownName() + ", which is set by hand";
    return clock.path.size() > 2 ? ", via " + timeline.hosts[clock.path[clock.path.size() - 2]].shownName() : "";
}

std::string earlyPart(const Timeline& timeline, const HostClockFacts& clock)
{
    const std::string early = causalityViolationsText(timeline, clock.host);
    return early.empty() ? early : "; " + early;
}

} // namespace

std::string causalityViolationsText(const Timeline& timeline, std::uint32_t host)
{
    const CausalityViolations& early = timeline.hosts[host].early;
    return early.contradictsClock() ? std::to_string(early.count) + " of " + std::to_string(early.of) + ' '
            + messagesOfRelation(timeline, early.relation) + " arrive before they were sent"
                                    : std::string();
}

std::string driftText(const HostClockFacts& clock)
{
    if (!clock.driftError)
        return printed("%.3g", -clock.line.driftPpm());
    const double error = static_cast<double>(*clock.driftError) * 1e-6;
    const int digits = error >= 10 ? 0 : error >= 1 ? 1 : error >= 0.1 ? 2 : 3;
    // Value of the last shown digit of the drift, in ppm. Rounding to this digit adds up to half of this value to the error.
    const double unit = std::pow(10.0, -digits);
    char text[64];
    std::snprintf(text, sizeof text, "%.*f ± %.*f", digits, std::round(-clock.line.driftPpm() / unit) * unit + 0.0, digits,
                  std::ceil(error / unit + 0.5) * unit);
    return text;
}

std::string sentenceOf(const Timeline& timeline, const HostClockFacts& clock)
{
    const std::string& reference = timeline.hosts[timeline.reference].shownName();
    const std::string& name = timeline.hosts[clock.host].shownName();
    if (clock.method == ClockMethod::Reference)
        return name + ": the reference";
    if (clock.quality == FitQuality::Failed)
        return name + ": its messages contradict each other, so its times are left raw";
    if (clock.path.empty())
        return name
            + (clock.method == ClockMethod::Manual
                   ? ": its times are left raw"
                   : ": its clock cannot be related to that of " + reference + unmatchedReason(timeline, clock.host));
    const bool isOnReference = clock.path.front() == timeline.reference;
    std::string text = name + ": " + aheadText(clock.offset, isOnReference ? reference : timeline.hosts[clock.path.front()].shownName());
    if (clock.line.gain != 0)
        text += ", drift " + driftText(clock) + " ppm";
    if (clock.method == ClockMethod::Manual)
        return text + ", set by hand" + (clock.bound > Duration{} ? surenessOf(timeline, clock) : "") + earlyPart(timeline, clock);
    text += surenessOf(timeline, clock);
    if (!clock.messages.empty())
        text += ", from " + std::to_string(clock.matches) + " " + clock.messages;
    if (clock.outliers > 0)
        text += " (" + std::to_string(clock.outliers) + " contradict the others)";
    return text + wayOf(timeline, clock) + (clock.isFromFile ? ", from a clock file" : "") + earlyPart(timeline, clock)
        + (isOnReference ? "" : "; neither can be related to " + reference);
}

std::vector<Message> clockMessages(const Timeline& timeline)
{
    std::vector<Message> all;
    if (timeline.hosts.size() < 2 || !timeline.appliesClocks)
        return all;
    for (const HostClockFacts& clock : hostClocks(timeline)) {
        const bool isDoubtful =
            clock.quality == FitQuality::Failed || clock.outliers > 0 || timeline.hosts[clock.host].early.contradictsClock();
        Message message;
        message.severity = isDoubtful ? Diagnostic::Severity::Warning : Diagnostic::Severity::Info;
        message.kind = "host-clock";
        message.text = "Clock of " + sentenceOf(timeline, clock) + '.';
        all.push_back(std::move(message));
    }
    return all;
}

ClockMethod bestMessageMethod(const Timeline& timeline, std::uint32_t host)
{
    ClockMethod best = ClockMethod::None;
    for (const auto& relation : timeline.relations) {
        if (!relation || !relation->comparisons)
            continue;
        for (const HostComparison& it : *relation->comparisons)
            if ((it.pair.here == host || it.pair.there == host) && it.pair.fit.quality > FitQuality::Failed)
                best = std::max(best, it.method);
    }
    return best;
}

std::string messagesOf(const Timeline& timeline, ClockMethod method)
{
    for (const auto& relation : timeline.relations)
        if (relation && relation->messages && relation->comparisons)
            for (const HostComparison& it : *relation->comparisons)
                if (it.method == method && !it.messages.empty())
                    return relation->messages->plural;
    return {};
}

std::string messagesOfRelation(const Timeline& timeline, std::size_t relation) { return timeline.relations[relation]->messages->plural; }

std::string messagesPlural(const Timeline& timeline)
{
    std::string found;
    for (const auto& relation : timeline.relations)
        if (relation && relation->messages && !relation->messages->all.empty())
            found = found.empty() ? relation->messages->plural : "messages";
    return found.empty() ? "messages" : found;
}

} // namespace helio
