#pragma once

#include <optional>
#include <string>
#include <vector>

namespace helio::bench {

/// What is to be reached (and is shown in the table, never asserted: times are the machine's too).
struct Goal {
    double limit = 0;
    bool isAtMost = true;
    bool isOfRatio = false; ///< Of Figure::ratio(), not of its value.
};
inline Goal atMost(double limit) { return {limit, true, false}; }
inline Goal atLeast(double limit) { return {limit, false, false}; }
inline Goal timesTheirs(double factor) { return {factor, false, true}; }

struct Figure {
    std::string id; ///< Stable: two versions are compared by it.
    std::string what;
    std::string unit;
    double value = 0; ///< The best of several runs, or a percentile.
    std::optional<double> median = {}; ///< Of the same runs.
    std::optional<double> theirs = {}; ///< babeltrace2's best, same unit, same trace, same run.
    std::optional<Goal> goal = {};
    bool isMoreBetter = false; ///< A rate, not a cost.

    /// How many times better than babeltrace2.
    std::optional<double> ratio() const;
    std::optional<bool> isReached() const;
};

struct Group {
    std::string title;
    std::vector<Figure> figures;
};

/// All that was measured, in order. One thread.
class Figures {
public:
    void begin(std::string title) { m_groups.push_back({std::move(title), {}}); }
    void add(Figure figure);
    /// Printed with the table: why something is not there.
    void note(std::string text);

    const std::vector<Group>& groups() const { return m_groups; }
    const std::vector<std::string>& notes() const { return m_notes; }
    const Figure* find(const std::string& id) const;

private:
    std::vector<Group> m_groups;
    std::vector<std::string> m_notes;
};

} // namespace helio::bench
