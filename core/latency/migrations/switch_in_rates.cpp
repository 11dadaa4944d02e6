#include "core/latency/migrations/switch_in_rates.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

namespace helio {
namespace {

/// Computes the standard error of a value with the jackknife method: the value is computed several times, each time with one part of
/// the data left out. add() takes the results.
class Jackknife {
public:
    explicit Jackknife(double all)
        : m_all(all)
    {
    }
    void add(double without)
    {
        ++m_count;
        m_sum += without - m_all;
        m_squares += (without - m_all) * (without - m_all);
    }
    double error() const
    {
        return m_count == 0 ? 0 : std::sqrt(std::max(0.0, (m_count - 1) / m_count * (m_squares - m_sum * m_sum / m_count)));
    }

private:
    double m_all;
    double m_count = 0;
    double m_sum = 0; ///< Sum of the differences between each value passed to add() and m_all, the value of the whole data.
    double m_squares = 0;
};

/// Returns the formula's value for `sums`, the counts summed over `measured` switch-ins, with its standard error. `parts` are the
/// contributions to the sums that the jackknife leaves out, one at a time: the counts of one switch-in or of one thread.
SwitchInRate rateOfParts(const CounterFormula& formula, std::uint64_t measured, const std::vector<double>& sums,
                         std::span<const double* const> parts)
{
    SwitchInRate rate{measured, {}, 0};
    const auto all = measured < MinMeasuredSwitchIns ? std::nullopt : formula.value(sums);
    if (!all)
        return rate;
    Jackknife jackknife(*all);
    std::vector<double> others(sums.size());
    for (const double* const part : parts) {
        std::ranges::transform(sums, std::span(part, sums.size()), others.begin(), std::minus<>());
        const auto without = formula.value(others);
        if (!without)
            return rate;
        jackknife.add(*without);
    }
    rate.value = all;
    rate.error = jackknife.error();
    return rate;
}

/// Difference between one thread's rates after migrations and without migration, with its error, in the formula's unit. The weight is the
/// number of measured migrations.
struct OwnDifference {
    double weight = 0;
    double value = 0;
    double error = 0;
};

std::vector<OwnDifference> ownDifferences(const RateByThread& moved, const RateByThread& stayed)
{
    std::vector<OwnDifference> all;
    for (const auto& [thread, after] : moved)
        if (const auto before = stayed.find(thread); before != stayed.end())
            all.push_back({double(after.measured), *after.value - *before->second.value, std::hypot(after.error, before->second.error)});
    return all;
}

} // namespace

void SwitchInCountSums::add(const std::vector<double>& counts)
{
    m_all.insert(m_all.end(), counts.begin(), counts.end());
    m_sums.resize(std::max(m_sums.size(), counts.size()));
    std::ranges::transform(counts, m_sums, m_sums.begin(), std::plus<>());
}

SwitchInRate SwitchInCountSums::rate(const CounterFormula& formula) const
{
    std::vector<const double*> each;
    for (std::size_t at = 0; at < m_all.size(); at += m_sums.size())
        each.push_back(&m_all[at]);
    return rateOfParts(formula, measured(), m_sums, each);
}

RateByThread ratesOf(const CountSumsByThread& threads, const CounterFormula& formula)
{
    RateByThread rates;
    for (const auto& [thread, sums] : threads)
        if (const SwitchInRate rate = sums.rate(formula); rate.value)
            rates.emplace(thread, rate);
    return rates;
}

SwitchInRate rateOf(const CountSumsByThread& threads, const CounterFormula& formula)
{
    std::vector<const SwitchInCountSums*> measured;
    for (const auto& [thread, sums] : threads)
        if (sums.measured() > 0)
            measured.push_back(&sums);
    if (measured.size() == 1)
        return measured.front()->rate(formula);
    std::uint64_t count = 0;
    std::vector<double> sums;
    std::vector<const double*> ofThreads;
    for (const SwitchInCountSums* const it : measured) {
        count += it->measured();
        sums.resize(it->sums().size());
        std::ranges::transform(it->sums(), sums, sums.begin(), std::plus<>());
        ofThreads.push_back(it->sums().data());
    }
    return rateOfParts(formula, count, sums, ofThreads);
}

RateDifference differenceOf(const RateByThread& moved, const RateByThread& stayed)
{
    const std::vector<OwnDifference> all = ownDifferences(moved, stayed);
    if (all.size() <= 1)
        return all.empty() ? RateDifference() : RateDifference{all.front().value, all.front().error};
    double weight = 0, sum = 0;
    for (const OwnDifference& it : all) {
        weight += it.weight;
        sum += it.weight * it.value;
    }
    Jackknife jackknife(sum / weight);
    for (const OwnDifference& it : all)
        jackknife.add((sum - it.weight * it.value) / (weight - it.weight));
    return {sum / weight, jackknife.error()};
}

} // namespace helio
