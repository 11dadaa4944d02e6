#include "core/latency/periods/find_periods.h"

#include "core/latency/periods/spectrum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <optional>
#include <span>

namespace helio {
namespace {

constexpr std::size_t LeastInPart = 32;
constexpr double LeastRepeats = 6;
constexpr std::size_t Candidates = 24;
constexpr std::array<std::size_t, 4> Harmonics{1, 2, 4, 8};
constexpr double SearchedRanges = 3; ///< Number of searched ranges: the range of all values, its densest 1/64 and its densest 1/4096.
constexpr double PartOfAll = 64;
constexpr double Margin = 5; ///< Maximum error of the estimate Spectrum::roughLogChanceAt().
/// Limit for deciding that a lower frequency is the fundamental of the frequency under test. The decision uses those multiples of the lower
/// frequency that are not multiples of the frequency under test. If their power is noise with a probability below
/// exp(FundamentalThreshold), the lower frequency is the fundamental.
constexpr double FundamentalThreshold = -12;
constexpr double LogLeastChance = -9.210340371976182; ///< Natural logarithm of a chance of 1 in 10,000.
/// Minimum difference between two frequencies, in repeats; below it, they count as the same frequency.
constexpr double MinFrequencyDistance = 3;

/// Combines `count` independent chances by Fisher's method: returns the logarithm of the chance that the logarithms of so many
/// chances add up to `sumOfLogs` or less.
double together(double sumOfLogs, std::size_t count)
{
    const double sum = -sumOfLogs;
    double term = 1, all = 1;
    for (std::size_t i = 1; i < count; ++i)
        all += term *= sum / double(i);
    return std::min(0.0, std::log(all) - sum);
}

/// A line of the spectrum: its frequency in repeats over the whole range, and the logarithm of the chance that it is noise.
struct Line {
    double repeats = 0;
    double logChance = 0;
};

/// Searches for the periods of the values in one range.
class Search {
public:
    /// Requires: the values are sorted and not all equal.
    Search(std::span<const std::int64_t> values, std::uint64_t step, double leastRepeats, double series)
        : m_values(values)
        , m_spectrum(values, step)
        , m_least(std::max(LeastRepeats, leastRepeats))
        , m_series(series)
    {
    }

    double shortest() const { return m_spectrum.span() / m_spectrum.mostRepeats(); } ///< Shortest period that is searched for, in ns.
    double periodOf(const Line& line) const { return m_spectrum.span() / line.repeats; }

    /// Returns at most `most` periods in this range, starting with the one that is least likely to be due to chance. Leaves out
    /// multiples of the periods in `known`, which were found in larger ranges.
    std::vector<Line> lines(std::size_t most, const std::vector<FoundPeriod>& known, const std::stop_token& stop) const
    {
        const std::vector<Line> before = linesOf(known);
        std::vector<Line> all = before;
        for (const double peak : m_spectrum.peaks(m_least, Candidates)) {
            if (stop.stop_requested())
                return {};
            if (const auto line = isMultiple(all, peak) ? std::nullopt : lineAt(peak, all))
                all.push_back(*line);
        }
        const auto own = all.begin() + std::ptrdiff_t(before.size());
        std::stable_sort(own, all.end(), [](const Line& a, const Line& b) { return a.logChance < b.logChance; });
        std::vector<Line> found = before;
        for (auto it = own; it != all.end() && found.size() < before.size() + most; ++it)
            if (!isMultiple(found, it->repeats) && !isPart(found, it->repeats) && exactly(it->repeats, found) < LogLeastChance)
                found.push_back(*it);
        found.erase(found.begin(), found.begin() + std::ptrdiff_t(before.size()));
        return found;
    }

private:
    /// Returns the known periods as lines of this spectrum. Leaves out periods that repeat fewer than 4 * MinFrequencyDistance times
    /// in the examined range: their multiples are so close together that almost every frequency would count as a multiple.
    std::vector<Line> linesOf(const std::vector<FoundPeriod>& known) const
    {
        std::vector<Line> lines;
        for (const FoundPeriod& it : known)
            if (const double repeats = m_spectrum.span() / it.period; repeats >= 4 * MinFrequencyDistance)
                lines.push_back({repeats, it.logChance});
        return lines;
    }

    /// True if the frequency is a multiple of a frequency in `found`.
    static bool isMultiple(const std::vector<Line>& found, double repeats)
    {
        return std::ranges::any_of(found, [&](const Line& it) {
            const double times = std::max(1.0, std::round(repeats / it.repeats));
            return std::abs(repeats - times * it.repeats) < MinFrequencyDistance;
        });
    }
    static bool isPart(const std::vector<Line>& found, double repeats)
    {
        return std::ranges::any_of(found, [&](const Line& it) {
            const double times = std::max(1.0, std::round(it.repeats / repeats));
            return std::abs(it.repeats - times * repeats) < MinFrequencyDistance;
        });
    }

    /// Returns the period for a peak of the spectrum; nullopt if the peak may be due to chance. Power at multiples of the frequencies in
    /// `known` is ignored.
    std::optional<Line> lineAt(double peak, const std::vector<Line>& known) const
    {
        if (best([&](std::size_t multiple) { return m_spectrum.roughLogChanceAt(peak, multiple); }) + logOfTrials() > Margin)
            return {};
        const double own = m_spectrum.refined(peak, 1);
        if (exactly(own, known) > 0)
            return {};
        constexpr std::size_t MostOthers = 2;
        const double separateFundamental = fundamental(own, MostOthers), commonFundamental = fundamental(own, 0);
        auto line = foundAt(separateFundamental, known);
        // Two fundamentals are possible for the peak: `separateFundamental` if the multiples with power may belong to separate
        // periods, `commonFundamental` if all of them belong to one period. Try `commonFundamental` if `separateFundamental` is not
        // significant.
        return line || separateFundamental == commonFundamental ? line : foundAt(commonFundamental, known);
    }
    std::optional<Line> foundAt(double repeats, const std::vector<Line>& known) const
    {
        const double at = m_spectrum.refined(repeats, Harmonics.back());
        const Line line{at, exactly(at, known)};
        return line.logChance < LogLeastChance && at >= m_least && !isEcho(at, known) ? std::optional(line) : std::nullopt;
    }
    double exactly(double repeats, const std::vector<Line>& known) const
    {
        const auto logChanceAt = [&](std::size_t multiple) {
            const double at = repeats * double(multiple);
            return isMultiple(known, at) ? 0 : m_spectrum.logChanceAt(at);
        };
        return best(logChanceAt) + logOfTrials();
    }

    /// Returns true if the exact values have no power at the frequency. The peak is then an artefact of the grid: the alias of a
    /// frequency that is too high for the grid's resolution.
    bool isEcho(double repeats, const std::vector<Line>& known) const
    {
        // Without a period, the powers of the Harmonics.back() = 8 multiples add up to about 8, with a standard deviation of sqrt(8).
        // A sum of at least 20 cannot come from noise.
        constexpr double LeastPower = 20;
        const auto powers = m_spectrum.powersOfValues(m_values, repeats, Harmonics.back());
        double sum = 0;
        for (std::size_t i = 0; i < powers.size(); ++i)
            sum += isMultiple(known, repeats * double(i + 1)) ? 0 : powers[i];
        return sum < LeastPower;
    }

    /// Returns the fundamental: the lowest fraction of the frequency that explains more power than the frequency itself
    /// (isBetterFundamental()).
    double fundamental(double repeats, std::size_t mostOthers) const
    {
        for (const int part : {2, 3, 5, 7, 4, 6})
            if (const double lower = repeats / part; lower >= m_least && isBetterFundamental(lower, part, mostOthers))
                return fundamental(lower, mostOthers);
        return repeats;
    }
    /// Returns true if `lower` is a better fundamental than the frequency under test, which is part * lower. For this, multiples of
    /// `lower` that are not multiples of the frequency under test must have significant power. Returns false if the multiples of at most
    /// `mostOthers` further frequencies explain this power, because these are then separate periods. For example, periods of 4 ms and 7 ms
    /// do not make 28 ms a period.
    bool isBetterFundamental(double lower, int part, std::size_t mostOthers) const
    {
        std::vector<int> others{part};
        while (const int strongest = strongestBeside(others, lower))
            if (strongest == 1 || others.size() > mostOthers)
                return true;
            else
                others.push_back(strongest);
        return false;
    }
    /// Returns the factor of the strongest multiple of `lower` among the first MostAdded multiples. Multiples with a factor
    /// divisible by a number in `others` do not count. Returns 0 if the MostAdded multiples together have no significant power.
    int strongestBeside(const std::vector<int>& others, double lower) const
    {
        constexpr int MostAdded = 4;
        double sum = 0, least = 0;
        int strongest = 1;
        for (int i = 1, count = 0; count < MostAdded; ++i)
            if (std::ranges::none_of(others, [i](int other) { return i % other == 0; })) {
                const double logChance = m_spectrum.logChanceAt(lower * i);
                sum += logChance;
                ++count;
                if (logChance < least) {
                    least = logChance;
                    strongest = i;
                }
            }
        return together(sum, MostAdded) < FundamentalThreshold ? strongest : 0;
    }

    /// Returns the logarithm of the lowest chance that a set of multiples of a frequency is noise. The sets are the first 1, 2, 4 and 8
    /// multiples (Harmonics). `logChanceAt` returns the logarithm of the chance of one multiple; the chances of a set are combined.
    template <typename LogChanceAt> static double best(const LogChanceAt& logChanceAt)
    {
        double sum = 0, least = 0;
        std::size_t at = 0;
        for (const std::size_t count : Harmonics) {
            while (at < count)
                sum += logChanceAt(++at);
            least = std::min(least, together(sum, count) + std::log(double(count)));
        }
        return least;
    }
    /// Returns the logarithm of the number of tests that a search makes. Each frequency up to mostRepeats() is tested in steps of
    /// half a repeat, with each number of multiples in Harmonics, in each range and for each series. The caller adds this logarithm
    /// to the logarithm of the lowest chance: with many tests, the lowest chance is low even without a period.
    double logOfTrials() const { return std::log(2 * m_spectrum.mostRepeats() * double(Harmonics.size()) * SearchedRanges * m_series); }

    std::span<const std::int64_t> m_values;
    periods::Spectrum m_spectrum;
    double m_least;
    double m_series;
};

double after(std::int64_t from, std::int64_t value) { return double(std::uint64_t(value) - std::uint64_t(from)); }

/// Returns the sorted phases of the values in the period, from 0 to 1.
std::vector<double> turnsOf(std::span<const std::int64_t> values, double period)
{
    std::vector<double> turns(values.size());
    std::ranges::transform(values, turns.begin(),
                           [&](std::int64_t value) { return std::fmod(after(values.front(), value), period) / period; });
    std::ranges::sort(turns);
    return turns;
}

/// Returns the mean of the phases as a vector, with each phase as a direction on the unit circle.
std::complex<double> directionOf(std::span<const double> turns)
{
    std::complex<double> sum;
    for (const double turn : turns)
        sum += std::polar(1.0, 2 * std::numbers::pi * turn);
    return sum / double(turns.size());
}

/// Returns the phases in the fifth of the circle that contains most of the phases.
std::vector<double> gatheredOf(std::span<const double> turns)
{
    constexpr double Width = 2 * FoundPeriod::Near;
    std::size_t begin = 0, most = 0, end = 0;
    for (std::size_t from = 0; from < turns.size(); ++from) {
        const auto at = [&](std::size_t i) { return turns[i % turns.size()] + double(i / turns.size()); };
        while (end < from + turns.size() && at(end) <= turns[from] + Width)
            ++end;
        if (end - from > most) {
            most = end - from;
            begin = from;
        }
    }
    std::vector<double> gathered;
    for (std::size_t i = begin; i < begin + most; ++i)
        gathered.push_back(turns[i % turns.size()]);
    return gathered;
}

FoundPeriod described(std::span<const std::int64_t> values, double period, double logChance)
{
    FoundPeriod found{period, 0, 0, 0, values.size(), values.front(), values.back(), logChance};
    const std::vector<double> turns = turnsOf(values, period);
    found.strength = std::abs(directionOf(turns));
    double turn = std::arg(directionOf(gatheredOf(turns))) / (2 * std::numbers::pi);
    turn -= std::floor(turn);
    found.phase = std::min(turn, 1 - 1e-12) * period;
    const auto isNear = [&](double it) { return std::min(std::abs(it - turn), 1 - std::abs(it - turn)) <= FoundPeriod::Near; };
    found.share = double(std::ranges::count_if(turns, isNear)) / double(values.size());
    return found;
}

/// Returns the values in the densest one of `parts` equal parts of the range.
std::span<const std::int64_t> densestPart(std::span<const std::int64_t> values, double parts)
{
    const double size = after(values.front(), values.back()) / parts;
    std::span<const std::int64_t> densest;
    for (auto begin = values.begin(); begin != values.end();) {
        const double part = std::floor(after(values.front(), *begin) / size);
        const auto end = std::partition_point(begin, values.end(),
                                              [&](std::int64_t it) { return std::floor(after(values.front(), it) / size) <= part; });
        if (std::size_t(end - begin) > densest.size())
            densest = {begin, end};
        begin = end;
    }
    return densest;
}

} // namespace

double FoundPeriod::chance() const { return std::min(1.0, std::exp(logChance)); }

bool areHarmonics(const FoundPeriod& a, const FoundPeriod& b)
{
    constexpr double MostTimes = 32, Near = 1.5, Drift = 0.002;
    const double span = std::min(after(a.first, a.last), after(b.first, b.last));
    const double more = span / std::min(a.period, b.period), fewer = span / std::max(a.period, b.period);
    const double times = std::round(more / fewer);
    return times < MostTimes && std::abs(more - times * fewer) < std::max(std::min(Near, fewer / 4), Drift * more);
}

std::vector<FoundPeriod> findPeriods(std::vector<std::int64_t> values, std::size_t most, double series, std::stop_token stop)
{
    std::ranges::sort(values);
    const std::uint64_t step = values.empty() ? 1 : periods::stepOf(values);
    std::vector<FoundPeriod> found;
    std::span<const std::int64_t> part = values;
    double shortest = std::numeric_limits<double>::infinity();
    for (double parts = 1; parts <= PartOfAll * PartOfAll && !stop.stop_requested(); parts *= PartOfAll) {
        if (parts > 1)
            part = densestPart(values, parts);
        if (part.size() < (parts > 1 ? LeastInPart : MinPeriodicValues) || part.front() == part.back())
            break;
        const Search search(part, step, parts > 1 ? after(part.front(), part.back()) / shortest : 0, series);
        const std::vector<Line> lines = search.lines(most, found, stop);
        for (const Line& line : lines)
            if (const FoundPeriod here = described(part, search.periodOf(line), line.logChance);
                std::ranges::none_of(found, [&](const FoundPeriod& it) { return areHarmonics(it, here); }))
                found.push_back(here);
        shortest = search.shortest();
    }
    std::ranges::stable_sort(found, {}, &FoundPeriod::logChance);
    found.resize(std::min(found.size(), stop.stop_requested() ? 0 : most));
    return found;
}

} // namespace helio
