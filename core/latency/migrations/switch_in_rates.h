#pragma once

#include "core/counters/formula.h"
#include "core/store/track_ref.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace helio {

/// The value of a formula over the counts after many switch-ins.
struct SwitchInRate {
    std::uint64_t measured = 0; ///< Count of switch-ins with known counts.
    std::optional<double> value; ///< Value for the sums of all counts; nullopt if there are fewer than MinMeasuredSwitchIns or if the
                                 ///< formula divides by 0.
    double error = 0; ///< Standard error of the value, computed by leaving out one switch-in or thread at a time (the jackknife).
};
/// Minimum count of switch-ins for a rate.
constexpr std::uint64_t MinMeasuredSwitchIns = 10;

/// Collects the switch-ins of one thread to compute a rate.
class SwitchInCountSums {
public:
    /// Adds the counts of a switch-in; an empty vector is ignored.
    void add(const std::vector<double>& counts);
    std::uint64_t measured() const { return m_sums.empty() ? 0 : m_all.size() / m_sums.size(); }
    /// Returns the sums over all switch-ins, in the order of the formula's names.
    const std::vector<double>& sums() const { return m_sums; }
    /// Cost: evaluates the formula once for each switch-in.
    SwitchInRate rate(const CounterFormula& formula) const;

private:
    std::vector<double> m_all; ///< Counts of all switch-ins in sequence.
    std::vector<double> m_sums;
};

using CountSumsByThread = std::map<TrackRef, SwitchInCountSums>;
using RateByThread = std::map<TrackRef, SwitchInRate>;

/// Returns the rate of each thread that has a value.
RateByThread ratesOf(const CountSumsByThread& threads, const CounterFormula& formula);

/// Returns the rate over all threads. If several threads were measured, the jackknife leaves out one thread at a time, because the
/// counts of one thread resemble each other.
SwitchInRate rateOf(const CountSumsByThread& threads, const CounterFormula& formula);

/// Difference of two sets of rates of the same threads.
struct RateDifference {
    std::optional<double> value; ///< nullopt if no thread has both rates.
    double error = 0; ///< Standard error.
};

/// Returns the mean difference of each thread's rate after a migration from the rate of the same thread when it stayed, weighted by the
/// count of its migrations. Unlike a difference of total rates, it does not depend on which threads migrate. The error is computed by
/// leaving out one thread at a time; if only one thread has both rates, from the errors of these.
RateDifference differenceOf(const RateByThread& moved, const RateByThread& stayed);

} // namespace helio
