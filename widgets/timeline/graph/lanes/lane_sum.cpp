#include "widgets/timeline/graph/lanes/lane_sum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace helio {

LaneSum::LaneSum(TimeRange window, Duration resolution)
    : m_window(window)
    , m_resolution(std::max(Duration(1), resolution))
    , m_columns(std::size_t((std::max(Duration(0), window.duration()) + m_resolution - Duration(1)) / m_resolution))
    , m_parts(States)
    , m_wholeChanges(States)
{
}

void LaneSum::add(const Spans& spans, std::uint8_t firstState)
{
    const auto column = [this](Timestamp at) {
        return std::clamp(double((at - m_window.begin).count()) / double(m_resolution.count()), 0.0, double(m_columns));
    };
    for (const Span& span : spans.spans) {
        const double from = column(span.range.begin);
        const double to = column(span.range.end);
        if (to <= from)
            continue;
        if (span.count <= 1) {
            spread(std::size_t(span.state) + firstState, from, to, 1);
            continue;
        }
        std::size_t share = span.firstShare;
        for (std::uint32_t mask = span.mask; mask && share < spans.shares.size(); mask &= mask - 1)
            spread(std::size_t(std::countr_zero(mask)) + firstState, from, to, double(spans.shares[share++]) / 255);
    }
}

void LaneSum::spread(std::size_t state, double from, double to, double amount)
{
    if (state >= States)
        return;
    if (!(m_mask >> state & 1U)) {
        m_mask |= 1U << state;
        m_parts[state].resize(m_columns + 1);
        m_wholeChanges[state].resize(m_columns + 1);
    }
    const auto first = std::size_t(from);
    const auto last = std::size_t(to);
    std::vector<float>& parts = m_parts[state];
    if (first == last) {
        parts[first] += float((to - from) * amount);
        return;
    }
    parts[first] += float((double(first + 1) - from) * amount);
    parts[last] += float((to - double(last)) * amount);
    m_wholeChanges[state][first + 1] += float(amount);
    m_wholeChanges[state][last] -= float(amount);
}

void LaneSum::take(Spans& out) const
{
    out.clear();
    std::array<float, States> whole{};
    for (std::size_t i = 0; i < m_columns; ++i) {
        Span span;
        span.range = {m_window.begin + m_resolution * std::int64_t(i),
                      std::min(m_window.end, m_window.begin + m_resolution * std::int64_t(i + 1))};
        span.longest = span.range.duration();
        span.count = 2; // 2 means "several"; the exact number of intervals is not used.
        span.firstShare = std::uint32_t(out.shares.size());
        std::uint8_t most = 0;
        for (std::uint32_t mask = m_mask; mask; mask &= mask - 1) {
            const auto state = std::size_t(std::countr_zero(mask));
            whole[state] += m_wholeChanges[state][i];
            const float share = std::min(1.0f, m_parts[state][i] + whole[state]);
            if (share <= 1e-4f)
                continue;
            const auto stored = std::uint8_t(std::max(1L, std::lround(share * 255)));
            span.mask |= 1U << state;
            out.shares.push_back(stored);
            if (stored > most)
                span.state = State(state);
            most = std::max(most, stored);
        }
        if (span.mask != 0)
            out.spans.push_back(span);
    }
}

} // namespace helio
