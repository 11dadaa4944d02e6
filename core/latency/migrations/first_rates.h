#pragma once

#include "core/counters/formula.h"
#include "core/store/track_ref.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace helio {

/// A formula over what was counted after many switch-ins.
struct FirstRate {
    std::uint64_t measured = 0; ///< Switch-ins that it is of.
    std::optional<double> value; ///< With the sums of all. Nothing where FewestMeasured is more than were, or something is divided by 0.
    double error = 0; ///< Of the value, one standard error: by what it changes without each of them (the jackknife).
};
/// Of fewer nothing is said.
constexpr std::uint64_t FewestMeasured = 10;

/// Adds up the switch-ins of one thread for a rate.
class FirstSums {
public:
    /// `counts` may be empty: then it is not one.
    void add(const std::vector<double>& counts);
    std::uint64_t measured() const { return m_sums.empty() ? 0 : m_all.size() / m_sums.size(); }
    /// Of all of them together, by the formula's names.
    const std::vector<double>& sums() const { return m_sums; }
    /// Cost: the formula's for each of them.
    FirstRate rate(const CounterFormula& formula) const;

private:
    std::vector<double> m_all; ///< One behind the other.
    std::vector<double> m_sums;
};

using FirstSumsByThread = std::map<TrackRef, FirstSums>;
using FirstRateByThread = std::map<TrackRef, FirstRate>;

/// By thread, those that have a value.
FirstRateByThread ratesOf(const FirstSumsByThread& threads, const CounterFormula& formula);

/// All threads' as one. Where several were measured the error is by what the value changes without each thread: what one counts is much
/// alike from switch-in to switch-in.
FirstRate rateOf(const FirstSumsByThread& threads, const CounterFormula& formula);

/// By how much rates differ from others of the same threads.
struct FirstDifference {
    std::optional<double> value; ///< Nothing: no thread has both.
    double error = 0; ///< One standard error.
};

/// The mean of what each thread's rate differs from that of its own when it stayed, each as often as it was measured having moved. So it
/// does not say which threads move, as a difference of sums over all of them would. The error is by what it changes without each thread;
/// where one alone has both rates, from the errors of these.
FirstDifference differenceOf(const FirstRateByThread& moved, const FirstRateByThread& stayed);

} // namespace helio
