#pragma once

#include <optional>
#include <string>
#include <vector>

namespace helio::bench {

/// Target for a figure. The table shows it; nothing asserts it, because times depend on the machine.
struct Goal {
    double limit = 0;
    bool isAtMost = true;
    bool comparesRatio = false; ///< True if the limit applies to Figure::ratio(), false if it applies to the value.
};
inline Goal atMost(double limit) { return {limit, true, false}; }
inline Goal atLeast(double limit) { return {limit, false, false}; }
inline Goal atLeastTimesTheirs(double factor) { return {factor, false, true}; }

struct Figure {
    std::string id; ///< Identifies the figure when results of two versions are compared; must not change.
    std::string what;
    std::string unit;
    double value = 0; ///< Best value of several runs, or a percentile.
    std::optional<double> median = {}; ///< Median of all runs of the measurement, in the unit of `value`; nullopt if not measured.
    std::optional<double> theirs = {}; ///< Best value of the tool `tool` in the same unit, for the same trace in the same run.
    std::optional<Goal> goal = {};
    bool isHigherBetter = false; ///< True for rates, false for costs.
    std::string tool = "babeltrace2"; ///< Name of the program with which Heliograph is compared.

    /// Factor by which the value is better than that of `tool`; empty if there is nothing to compare with.
    std::optional<double> ratio() const;
    std::optional<bool> isReached() const;
};

struct Group {
    std::string title;
    std::vector<Figure> figures;
};

/// All figures (measured values) of one execution of the benchmark, in the order in which they were added.
/// Threads: one thread only.
class Figures {
public:
    void begin(std::string title) { m_groups.push_back({std::move(title), {}}); }
    void add(Figure figure);
    /// Adds a line that is printed with the table, e.g. the reason for a missing figure.
    void note(std::string text);

    const std::vector<Group>& groups() const { return m_groups; }
    const std::vector<std::string>& notes() const { return m_notes; }
    const Figure* find(const std::string& id) const;

private:
    std::vector<Group> m_groups;
    std::vector<std::string> m_notes;
};

} // namespace helio::bench
