#pragma once

#include "core/counters/formula.h"
#include "core/store/track_ref.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace helio {

/// Value of a formula, computed from the counts after many switch-ins.
struct SwitchInRate {
    std::uint64_t measured = 0; ///< Number of switch-ins with known counts.
    /// Value of the formula for the counts summed over all measured switch-ins. nullopt if fewer than MinMeasuredSwitchIns were measured,
    /// or if the formula divides by 0.
    std::optional<double> value;
    double error = 0; ///< Standard error of `value`, computed with the jackknife: by leaving out one switch-in or one thread at a time.
};
/// Minimum number of measured switch-ins for a rate.
constexpr std::uint64_t MinMeasuredSwitchIns = 10;

/// Collects the counts after the switch-ins of one thread, and computes their rate.
class SwitchInCountSums {
public:
    /// Adds the counts of one switch-in. An empty vector (counts unknown) is ignored.
    void add(const std::vector<double>& counts);
    std::uint64_t measured() const { return m_sums.empty() ? 0 : m_all.size() / m_sums.size(); }
    /// Returns the counts summed over all switch-ins, indexed like the names in the formula.
    const std::vector<double>& sums() const { return m_sums; }
    /// Returns the formula's value for the collected counts.
    /// Cost: evaluates the formula once for each switch-in.
    SwitchInRate rate(const CounterFormula& formula) const;

private:
    /// Counter values of all switch-ins, one switch-in after the other, in the order of add(). Each switch-in has m_sums.size() values, one
    /// for each name in the formula.
    std::vector<double> m_all;
    std::vector<double> m_sums;
};

using CountSumsByThread = std::map<TrackRef, SwitchInCountSums>;
using RateByThread = std::map<TrackRef, SwitchInRate>;

/// Returns the rates of the threads; threads for which the formula has no value are left out.
RateByThread ratesOf(const CountSumsByThread& threads, const CounterFormula& formula);

/// Returns the rate over the switch-ins of all threads. The standard error is computed with the jackknife method. It leaves out one thread
/// at a time, because the counts of a thread resemble each other; if only one thread was measured, it leaves out one switch-in at a time.
SwitchInRate rateOf(const CountSumsByThread& threads, const CounterFormula& formula);

/// Difference between two sets of rates of the same threads.
struct RateDifference {
    std::optional<double> value; ///< Mean difference; nullopt if no thread has a rate in both sets.
    double error = 0; ///< Standard error of `value`.
};

/// Returns the weighted mean of the differences between a thread's rate after migrations (`moved`) and the same thread's rate without
/// migration (`stayed`). Weights are the numbers of measured migrations. Unlike a difference of total rates, the result does not depend on
/// which threads migrate. The error is computed by leaving out one thread at a time; with only one thread, from the errors of its two
/// rates.
RateDifference differenceOf(const RateByThread& moved, const RateByThread& stayed);

} // namespace helio
