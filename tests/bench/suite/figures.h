#pragma once

#include <optional>
#include <string>
#include <vector>

namespace helio::bench {

/// A goal for a figure. It is shown in the table and never asserted, because times depend on the machine.
struct Goal {
    double limit = 0;
    bool isAtMost = true;
    bool comparesRatio = false; ///< True if the limit is for Figure::ratio() and not for the value.
};
inline Goal atMost(double limit) { return {limit, true, false}; }
inline Goal atLeast(double limit) { return {limit, false, false}; }
inline Goal atLeastTimesTheirs(double factor) { return {factor, false, true}; }

struct Figure {
    std::string id; ///< Must be stable: results of two versions are compared by it.
    std::string what;
    std::string unit;
    double value = 0; ///< The best of several runs, or a percentile.
    std::optional<double> median = {}; ///< Median of the runs of `value`.
    std::optional<double> theirs = {}; ///< babeltrace2's best, in the same unit, for the same trace in the same run.
    std::optional<Goal> goal = {};
    bool isHigherBetter = false; ///< True for rates, false for costs.

    /// Factor by which it is better than babeltrace2.
    std::optional<double> ratio() const;
    std::optional<bool> isReached() const;
};

struct Group {
    std::string title;
    std::vector<Figure> figures;
};

/// All figures, in order.
/// Threads: one thread only.
class Figures {
public:
    void begin(std::string title) { m_groups.push_back({std::move(title), {}}); }
    void add(Figure figure);
    /// Adds a line that is printed with the table, e.g. why a figure is missing.
    void note(std::string text);

    const std::vector<Group>& groups() const { return m_groups; }
    const std::vector<std::string>& notes() const { return m_notes; }
    const Figure* find(const std::string& id) const;

private:
    std::vector<Group> m_groups;
    std::vector<std::string> m_notes;
};

} // namespace helio::bench
