#pragma once

#include "core/findings/finding.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// The occurrences of a finding: ranges of time, each on a row.
/// Threads: to be used by one thread.
/// Memory: 32 bytes for each occurrence.
class Occurrences {
public:
    struct Occurrence {
        TimeRange range;
        TrackRef row{}; ///< Row that shows the occurrence; not valid if no row does.
    };

    void add(TimeRange range, TrackRef row) { m_all.push_back({range, row}); }
    std::uint64_t count() const { return m_all.size(); }
    const std::vector<Occurrence>& all() const { return m_all; }
    /// Returns the time in which there was an occurrence; time in which several overlap counts once.
    /// Cost: sorts the occurrences.
    Duration covered() const;
    Duration total() const; ///< Returns the sum of the durations, saturated.
    std::vector<std::int64_t> lengths() const; ///< Returns the durations in ns, in the order of add().
    const Occurrence& longest() const; ///< Returns the longest occurrence, the first if there are several. Requires: count() > 0.

    /// Sets the members of a finding that follow from its occurrences: `explained`, `range`, `rows`, `evidence` and `occurrences`.
    /// `describe` returns the text of an occurrence; it is called for those that are kept. Requires: count() > 0.
    void fill(Finding& finding, const std::function<std::string(const Occurrence&)>& describe) const;

private:
    std::vector<Occurrence> m_all;
};

/// Returns a duration as text with at most three significant digits, for example "39.7 ms" or "10 ms".
std::string shortDuration(Duration length);

/// Returns a number with its noun, for example "1 thread" or "12 400 threads". Without `plural`, the plural is formed with an "s".
std::string countText(std::uint64_t count, std::string_view singular, std::string_view plural = {});

/// Returns a share of a whole as text, for example "76 %", or "0.4 %" if it is below 10 %.
std::string shareText(double share);

} // namespace helio
