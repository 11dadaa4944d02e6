#pragma once

#include "widgets/timeline/graph/lanes/lane.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

namespace helio {

/// Scales of the numbers drawn as lines below rows: the largest value of each kind of numbers so far.
class LineScales {
public:
    void add(const std::string& kind, const Lane& lane)
    {
        double& most = m_most[kind];
        for (const Span& span : lane.spans.spans)
            most = std::max(most, numberOf(span));
    }
    void clear() { m_most.clear(); }

    static constexpr int Steps = 5;
    /// Returns the height of a value in steps, 0 to Steps - 1, relative to the largest value of its kind; -1 if the kind has no value above
    /// 0.
    int stepOf(std::string_view kind, const Span& span) const
    {
        const auto most = m_most.find(kind);
        if (most == m_most.end() || most->second <= 0)
            return -1;
        return std::clamp(int(numberOf(span) / most->second * Steps), 0, Steps - 1);
    }

private:
    static double numberOf(const Span& span) { return double(std::int32_t(span.value)); }

    std::map<std::string, double, std::less<>> m_most;
};

} // namespace helio
