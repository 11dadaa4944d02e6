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
constexpr double Scales = 3; ///< All, and two parts of it.
constexpr double PartOfAll = 64;
constexpr double Margin = 5; ///< By so much the logarithm of a rough chance may be wrong.
constexpr double AddsSomething = -12; ///< The same of what a part of a frequency has to add to be the fundamental.
constexpr double LogLeastChance = -9.210340371976182; ///< Of 1 in 10,000.
constexpr double Same = 3; ///< Repeats; what is nearer to each other is one.

/// The logarithm of the chance that so many independent chances together are as small as their logarithms' sum says (Fisher).
double together(double sumOfLogs, std::size_t count)
{
    const double sum = -sumOfLogs;
    double term = 1, all = 1;
    for (std::size_t i = 1; i < count; ++i)
        all += term *= sum / double(i);
    return std::min(0.0, std::log(all) - sum);
}

struct Line {
    double repeats = 0;
    double logChance = 0;
};

/// The periods of values in one stretch.
class Search {
public:
    /// Requires: they are sorted, and not all alike.
    Search(std::span<const std::int64_t> values, std::uint64_t step, double leastRepeats, double series)
        : m_values(values)
        , m_spectrum(values, step)
        , m_least(std::max(LeastRepeats, leastRepeats))
        , m_series(series)
    {
    }

    double shortest() const { return m_spectrum.span() / m_spectrum.mostRepeats(); } ///< Ns.
    double periodOf(const Line& line) const { return m_spectrum.span() / line.repeats; }

    /// The least likely by chance first. What is known from all values is not among them.
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
    /// Those that come so often in this stretch that something fits between their multiples.
    std::vector<Line> linesOf(const std::vector<FoundPeriod>& known) const
    {
        std::vector<Line> lines;
        for (const FoundPeriod& it : known)
            if (const double repeats = m_spectrum.span() / it.period; repeats >= 4 * Same)
                lines.push_back({repeats, it.logChance});
        return lines;
    }

    /// Of another one.
    static bool isMultiple(const std::vector<Line>& found, double repeats)
    {
        return std::ranges::any_of(found, [&](const Line& it) {
            const double times = std::max(1.0, std::round(repeats / it.repeats));
            return std::abs(repeats - times * it.repeats) < Same;
        });
    }
    static bool isPart(const std::vector<Line>& found, double repeats)
    {
        return std::ranges::any_of(found, [&](const Line& it) {
            const double times = std::max(1.0, std::round(it.repeats / repeats));
            return std::abs(it.repeats - times * repeats) < Same;
        });
    }

    /// What is at multiples of those that are known says nothing of this one.
    std::optional<Line> lineAt(double peak, const std::vector<Line>& known) const
    {
        if (best([&](std::size_t multiple) { return m_spectrum.roughLogChanceAt(peak, multiple); }) + logOfTrials() > Margin)
            return {};
        const double own = m_spectrum.refined(peak, 1);
        if (exactly(own, known) > 0)
            return {};
        constexpr std::size_t MostOthers = 2;
        const double apart = fundamental(own, MostOthers), asOne = fundamental(own, 0);
        auto line = foundAt(apart, known);
        return line || apart == asOne ? line : foundAt(asOne, known); // What is too weak alone may be one.
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

    /// Whether the values themselves have nothing there: it is what the grid makes of multiples that are too fast for it.
    bool isEcho(double repeats, const std::vector<Line>& known) const
    {
        constexpr double LeastPower = 20; // Of what has none it is Harmonics.back(), give or take its root.
        const auto powers = m_spectrum.powersOfValues(m_values, repeats, Harmonics.back());
        double sum = 0;
        for (std::size_t i = 0; i < powers.size(); ++i)
            sum += isMultiple(known, repeats * double(i + 1)) ? 0 : powers[i];
        return sum < LeastPower;
    }

    /// As low as there is something that what was found so far does not have.
    double fundamental(double repeats, std::size_t mostOthers) const
    {
        for (const int part : {2, 3, 5, 7, 4, 6})
            if (const double lower = repeats / part; lower >= m_least && addsTo(lower, part, mostOthers))
                return fundamental(lower, mostOthers);
        return repeats;
    }
    /// Something has power at its multiples that are none of the known frequency's. Where all that does is another frequency or two (as of
    /// 4 and 7 ms at their common 28), these are other periods, which are left to be found by themselves.
    bool addsTo(double lower, int part, std::size_t mostOthers) const
    {
        std::vector<int> others{part};
        while (const int strongest = strongestBeside(others, lower))
            if (strongest == 1 || others.size() > mostOthers)
                return true;
            else
                others.push_back(strongest);
        return false;
    }
    /// Of its first multiples that are none of the others'. 0: nothing is there.
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
        return together(sum, MostAdded) < AddsSomething ? strongest : 0;
    }

    /// With as many multiples as make it the least likely.
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
    /// How often something could have stood out: at every half repeat, for so many numbers of multiples, in every stretch and series.
    double logOfTrials() const { return std::log(2 * m_spectrum.mostRepeats() * double(Harmonics.size()) * Scales * m_series); }

    std::span<const std::int64_t> m_values;
    periods::Spectrum m_spectrum;
    double m_least;
    double m_series;
};

double after(std::int64_t from, std::int64_t value) { return double(std::uint64_t(value) - std::uint64_t(from)); }

/// Where in the period they are: from 0 to 1, sorted.
std::vector<double> turnsOf(std::span<const std::int64_t> values, double period)
{
    std::vector<double> turns(values.size());
    std::ranges::transform(values, turns.begin(),
                           [&](std::int64_t value) { return std::fmod(after(values.front(), value), period) / period; });
    std::ranges::sort(turns);
    return turns;
}

/// The mean of their directions.
std::complex<double> directionOf(std::span<const double> turns)
{
    std::complex<double> sum;
    for (const double turn : turns)
        sum += std::polar(1.0, 2 * std::numbers::pi * turn);
    return sum / double(turns.size());
}

/// A fifth of the circle, where the most of them are, and these.
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

/// The part of so many equal ones that has the most values.
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

bool areOfOne(const FoundPeriod& a, const FoundPeriod& b)
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
        if (part.size() < (parts > 1 ? LeastInPart : LeastToRepeat) || part.front() == part.back())
            break;
        const Search search(part, step, parts > 1 ? after(part.front(), part.back()) / shortest : 0, series);
        const std::vector<Line> lines = search.lines(most, found, stop);
        for (const Line& line : lines)
            if (const FoundPeriod here = described(part, search.periodOf(line), line.logChance);
                std::ranges::none_of(found, [&](const FoundPeriod& it) { return areOfOne(it, here); }))
                found.push_back(here);
        shortest = search.shortest();
    }
    std::ranges::stable_sort(found, {}, &FoundPeriod::logChance);
    found.resize(std::min(found.size(), stop.stop_requested() ? 0 : most));
    return found;
}

} // namespace helio
