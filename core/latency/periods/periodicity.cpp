#include "core/latency/periods/periodicity.h"

#include "core/query/rows/duration_distribution.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace helio {
namespace {

constexpr std::size_t MostSampled = 1 << 18;
constexpr std::size_t MostLongest = 1 << 16;
constexpr std::size_t MostOfEach = 3;
constexpr std::size_t LeastLong = 8;
constexpr std::array<double, 2> LongShares{0.1, 0.01};
/// Number of searches: 1 for durations, and 2 each (begin and end times) for all intervals, the longest 10 %, the longest 1 %, and the
/// gaps.
constexpr double Series = 9;

bool isOfGaps(PeriodicProperty of) { return of == PeriodicProperty::GapBegins || of == PeriodicProperty::GapEnds; }

bool isLonger(TimeRange a, TimeRange b) { return lengthOf(a) > lengthOf(b); }

std::vector<std::int64_t> timesOf(const std::vector<TimeRange>& ranges, Timestamp TimeRange::*side)
{
    std::vector<std::int64_t> times(ranges.size());
    std::ranges::transform(ranges, times.begin(), [&](const TimeRange& it) { return nanoseconds(it.*side); });
    return times;
}

/// Collects the periods found in all searches.
class PeriodCollector {
public:
    explicit PeriodCollector(std::stop_token stop)
        : m_stop(std::move(stop))
    {
    }

    /// Searches for periods in values of one property. `from`: minimum duration of the examined intervals. `all`: number of intervals
    /// with that property; `values` may be a sample of them.
    void lookAt(PeriodicProperty of, Duration from, std::uint64_t all, std::vector<std::int64_t> values)
    {
        if (!m_stop.stop_requested())
            for (const FoundPeriod& it : findPeriods(std::move(values), MostOfEach, Series, m_stop))
                m_all.push_back({of, from, all, it});
    }
    void lookAtBoth(PeriodicProperty begins, PeriodicProperty ends, const std::vector<TimeRange>& ranges, std::uint64_t all,
                    bool areLongest)
    {
        const Duration from = areLongest && !ranges.empty() ? lengthOf(ranges.back()) : Duration{};
        lookAt(begins, from, all, timesOf(ranges, &TimeRange::begin));
        lookAt(ends, from, all, timesOf(ranges, &TimeRange::end));
    }

    std::vector<Periodicity> take()
    {
        std::ranges::stable_sort(m_all, std::greater(), [](const Periodicity& it) { return it.found.strength; });
        std::vector<Periodicity> kept;
        for (const Periodicity& it : m_all)
            if (std::ranges::none_of(kept, [&](const Periodicity& other) { return isRedundantTo(other, it); }) && !isMixOfTwo(it))
                kept.push_back(it);
        return m_stop.stop_requested() ? std::vector<Periodicity>() : kept;
    }

private:
    /// Returns by how much the number of intervals near a multiple of the period exceeds the number expected without a period, which
    /// is a share of 2 * Near.
    static double explained(const Periodicity& it) { return double(it.all) * (it.found.share - 2 * FoundPeriod::Near); }

    /// Returns true if the period `it` need not be reported besides the period `stronger`, because one of the two is a multiple of the
    /// other. Returns false, however, if `it` is the shorter one and explains many more intervals than `stronger`.
    static bool isRedundantTo(const Periodicity& stronger, const Periodicity& it)
    {
        // `it` is kept if it explains at least Many times as many intervals as `stronger`. `it` counts as shorter if the period of
        // `stronger` is longer by more than the factor Alike.
        constexpr double Many = 2, Alike = 1.5;
        if ((it.of == PeriodicProperty::Lengths) != (stronger.of == PeriodicProperty::Lengths) || !areHarmonics(it.found, stronger.found))
            return false;
        const bool isShorter = stronger.found.period > Alike * it.found.period;
        // If intervals repeat with the period of `stronger`, they also fit each fraction of this period. Therefore, `it` is a period of its
        // own only if clearly more intervals than by chance fit its period.
        const bool isClear = it.found.share > 3 * FoundPeriod::Near;
        return !isShorter || !isClear || isOfGaps(it.of) || explained(it) < Many * explained(stronger);
    }

    /// Returns true if the frequency of `it` is only a sum or difference of the frequencies of two other periods. If intervals repeat
    /// with two periods, the gaps between them also repeat with these sums and differences. If many intervals overlap, so do the
    /// times of the intervals, but with at most a tenth (MaxResidualStrength) of the strength.
    bool isMixOfTwo(const Periodicity& it) const
    {
        constexpr double MaxResidualStrength = 0.1;
        if (it.of == PeriodicProperty::Lengths)
            return false;
        std::vector<const Periodicity*> others;
        for (const Periodicity& other : m_all)
            if ((other.of == PeriodicProperty::Begins || other.of == PeriodicProperty::Ends)
                && (isOfGaps(it.of) || it.found.strength < MaxResidualStrength * other.found.strength))
                others.push_back(&other);
        for (const Periodicity* a : others)
            for (const Periodicity* b : others)
                if (!areHarmonics(a->found, b->found) && isSumOf(it.found, a->found, b->found))
                    return true;
        return false;
    }
    static double spanOf(const FoundPeriod& it) { return double(std::uint64_t(it.last) - std::uint64_t(it.first)); }
    static bool isSumOf(const FoundPeriod& it, const FoundPeriod& a, const FoundPeriod& b)
    {
        // Number of tested multiples of half the frequency of `a` or `b`, positive and negative: up to 8 times the frequency.
        constexpr int Most = 16;
        // Tolerances for frequencies, in repeats during the range in which a period was found: OwnTolerance for the frequency of
        // `it`, OtherTolerance for the frequencies of `a` and `b`.
        constexpr double OwnTolerance = 1, OtherTolerance = 0.05;
        for (int timesA = -Most; timesA <= Most; ++timesA) {
            // Test whether 2 * f = timesA * fa + timesB * fb. Here, f, fa and fb are the frequencies of `it`, `a` and `b`. The factor 2
            // allows multiples of fa / 2 and fb / 2. `rest` is 2 * f - timesA * fa, which must be close to timesB * fb.
            const double rest = 2 / it.period - timesA / a.period;
            const double timesB = std::round(rest * b.period);
            const double near = OwnTolerance / spanOf(it) + OtherTolerance * (std::abs(timesA) / spanOf(a) + std::abs(timesB) / spanOf(b));
            if (timesA != 0 && timesB != 0 && std::abs(timesB) <= Most && std::abs(rest - timesB / b.period) < near)
                return true;
        }
        return false;
    }

    std::stop_token m_stop;
    std::vector<Periodicity> m_all;
};

std::string percent(double share) { return std::to_string(std::lround(share * 100)) + " %"; }

/// Returns a text for the examined intervals, for example "all 2489", "the 249 longest (33.1 ms and longer)" or "69 of all 488".
std::string whichOf(const Periodicity& it)
{
    const std::string part = it.found.count < it.all ? std::to_string(it.found.count) + " of " : std::string();
    const std::string count = std::to_string(std::max(it.all, it.found.count));
    return it.from == Duration{} ? part + "all " + count
                                 : part + "the " + count + " longest" + (isOfGaps(it.of) ? " gaps between them" : "") + " ("
            + roundedDurationText(double(it.from.count())) + " and longer)";
}

/// Returns an upper bound of a chance as text, for example "< 1/1000" or "< 10⁻¹²".
std::string chanceWords(double logChance)
{
    static constexpr std::array<const char*, 10> Superscripts{"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                                              "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    const auto power = static_cast<int>(std::floor(-logChance / std::log(10.0)));
    if (power < 6)
        return "< 1/" + std::to_string(std::lround(std::pow(10.0, power)));
    std::string text = "< 10\u207b";
    for (const char digit : std::to_string(power))
        text += Superscripts[static_cast<std::size_t>(digit - '0')];
    return text;
}

} // namespace

void PeriodicityDetector::RangeSample::add(TimeRange range)
{
    ++m_count;
    m_dice = m_dice * 6364136223846793005 + 1442695040888963407;
    if (m_sample.size() < MostSampled)
        m_sample.push_back(range);
    else if (const std::uint64_t place = (m_dice >> 16) % m_count; place < MostSampled)
        m_sample[place] = range;
    m_longest.push_back(range);
    if (m_longest.size() < 2 * MostLongest)
        return;
    std::ranges::nth_element(m_longest, m_longest.begin() + MostLongest, isLonger);
    m_longest.resize(MostLongest);
}

std::vector<TimeRange> PeriodicityDetector::RangeSample::longest(double share) const
{
    const auto wanted = static_cast<std::uint64_t>(double(m_count) * share);
    const bool areAllThere = wanted <= MostLongest;
    std::vector<TimeRange> all = areAllThere ? m_longest : m_sample;
    const auto count = areAllThere ? static_cast<std::size_t>(wanted) : static_cast<std::size_t>(double(all.size()) * share);
    if (count < LeastLong || count >= all.size())
        return {};
    std::ranges::stable_sort(all, isLonger);
    all.resize(count);
    return all;
}

void PeriodicityDetector::add(TimeRange interval)
{
    interval.end = std::max(interval.begin, interval.end);
    if (m_end != Timestamp::min() && interval.begin > m_end)
        m_gaps.add({m_end, interval.begin});
    m_end = std::max(m_end, interval.end);
    m_intervals.add(interval);
}

std::vector<Periodicity> PeriodicityDetector::find(std::stop_token stop) const
{
    PeriodCollector findings(std::move(stop));
    std::vector<std::int64_t> lengths(m_intervals.sample().size());
    std::ranges::transform(m_intervals.sample(), lengths.begin(), [](const TimeRange& it) { return lengthOf(it).count(); });
    findings.lookAt(PeriodicProperty::Lengths, {}, m_intervals.count(), std::move(lengths));
    findings.lookAtBoth(PeriodicProperty::Begins, PeriodicProperty::Ends, m_intervals.sample(), m_intervals.count(), false);
    const auto partOf = [](const RangeSample& kept, double share) { return static_cast<std::uint64_t>(double(kept.count()) * share); };
    for (const double share : LongShares)
        findings.lookAtBoth(PeriodicProperty::Begins, PeriodicProperty::Ends, m_intervals.longest(share), partOf(m_intervals, share), true);
    findings.lookAtBoth(PeriodicProperty::GapBegins, PeriodicProperty::GapEnds, m_gaps.longest(LongShares.front()),
                        partOf(m_gaps, LongShares.front()), true);
    return findings.take();
}

Duration Periodicity::period() const { return Duration(std::llround(found.period)); }

std::int64_t Periodicity::phase() const
{
    const auto after = static_cast<std::uint64_t>(std::llround(found.phase));
    const auto at = static_cast<std::int64_t>(static_cast<std::uint64_t>(found.first) + after);
    return of == PeriodicProperty::Lengths ? std::llround(std::fmod(double(at), found.period)) : at;
}

bool Periodicity::has(TimeRange interval) const
{
    if (!isOfGaps(of) && lengthOf(interval) < from)
        return false;
    const bool isAtBegin = of == PeriodicProperty::Begins || of == PeriodicProperty::GapEnds; // A gap ends where an interval begins.
    const std::int64_t value =
        of == PeriodicProperty::Lengths ? lengthOf(interval).count() : nanoseconds(isAtBegin ? interval.begin : interval.end);
    if (value < found.first || value > found.last)
        return false;
    const double turns = (double(value - found.first) - found.phase) / found.period;
    return std::abs(turns - std::round(turns)) <= FoundPeriod::Near;
}

std::string roundedDurationText(double ns)
{
    static constexpr std::array<std::pair<double, const char*>, 4> Units{{{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}}};
    const auto unit = std::ranges::find_if(Units, [ns](const auto& it) { return std::abs(ns) >= it.first * 0.999995 || it.first == 1; });
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.5g %s", ns / unit->first, unit->second);
    return text.data();
}

std::string describePeriod(const Periodicity& it, const std::function<std::string(Timestamp)>& timeText)
{
    static constexpr std::array<const char*, 5> Verbs{"are within ", "begin within ", "end within ", "begin within ", "end within "};
    const std::string phase =
        it.of == PeriodicProperty::Lengths ? roundedDurationText(double(it.phase())) : timeText(timestamp(it.phase()));
    return percent(it.found.share) + " of " + (it.of == PeriodicProperty::Lengths ? "the durations of " : "") + whichOf(it) + ' '
        + Verbs[static_cast<std::size_t>(it.of)] + roundedDurationText(it.found.period * FoundPeriod::Near) + " of " + phase
        + " + n \u00d7 " + roundedDurationText(it.found.period) + "; 20 % expected by chance, p " + chanceWords(it.found.logChance);
}

} // namespace helio
