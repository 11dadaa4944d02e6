#include "core/query/migrations/first_rates.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

namespace helio {
namespace {

/// The standard error of what many make together, by what it is without each of them.
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
    double m_sum = 0; ///< Of differences from the value of all.
    double m_squares = 0;
};

std::vector<double> without(const std::vector<double>& all, const double* one)
{
    std::vector<double> others(all.size());
    std::ranges::transform(all, std::span(one, all.size()), others.begin(), std::minus<>());
    return others;
}

/// What one thread's rates differ by.
struct OwnDifference {
    double weight = 0;
    double value = 0;
    double error = 0;
};

std::vector<OwnDifference> ownDifferences(const FirstRateByThread& moved, const FirstRateByThread& stayed)
{
    std::vector<OwnDifference> all;
    for (const auto& [thread, after] : moved)
        if (const auto before = stayed.find(thread); before != stayed.end())
            all.push_back({double(after.measured), *after.value - *before->second.value, std::hypot(after.error, before->second.error)});
    return all;
}

} // namespace

void FirstSums::add(const std::vector<double>& counts)
{
    m_all.insert(m_all.end(), counts.begin(), counts.end());
    m_sums.resize(std::max(m_sums.size(), counts.size()));
    std::ranges::transform(counts, m_sums, m_sums.begin(), std::plus<>());
}

FirstRate FirstSums::rate(const CounterFormula& formula) const
{
    FirstRate rate;
    rate.measured = measured();
    const auto all = rate.measured < FewestMeasured ? std::nullopt : formula.value(m_sums);
    if (!all)
        return rate;
    Jackknife jackknife(*all);
    for (std::size_t at = 0; at < m_all.size(); at += m_sums.size())
        if (const auto value = formula.value(without(m_sums, &m_all[at])))
            jackknife.add(*value);
        else
            return rate;
    rate.value = all;
    rate.error = jackknife.error();
    return rate;
}

FirstRateByThread ratesOf(const FirstSumsByThread& threads, const CounterFormula& formula)
{
    FirstRateByThread rates;
    for (const auto& [thread, sums] : threads)
        if (const FirstRate rate = sums.rate(formula); rate.value)
            rates.emplace(thread, rate);
    return rates;
}

FirstRate rateOf(const FirstSumsByThread& threads, const CounterFormula& formula)
{
    std::vector<const FirstSums*> measured;
    for (const auto& [thread, sums] : threads)
        if (sums.measured() > 0)
            measured.push_back(&sums);
    if (measured.size() == 1)
        return measured.front()->rate(formula);
    FirstRate rate;
    std::vector<double> sums;
    for (const FirstSums* const it : measured) {
        rate.measured += it->measured();
        sums.resize(it->sums().size());
        std::ranges::transform(it->sums(), sums, sums.begin(), std::plus<>());
    }
    const auto all = rate.measured < FewestMeasured ? std::nullopt : formula.value(sums);
    if (!all)
        return rate;
    Jackknife jackknife(*all);
    for (const FirstSums* const it : measured)
        if (const auto value = formula.value(without(sums, it->sums().data())))
            jackknife.add(*value);
        else
            return rate;
    rate.value = all;
    rate.error = jackknife.error();
    return rate;
}

FirstDifference differenceOf(const FirstRateByThread& moved, const FirstRateByThread& stayed)
{
    const std::vector<OwnDifference> all = ownDifferences(moved, stayed);
    if (all.size() <= 1)
        return all.empty() ? FirstDifference() : FirstDifference{all.front().value, all.front().error};
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
