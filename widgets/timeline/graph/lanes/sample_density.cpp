#include "widgets/timeline/graph/lanes/sample_density.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace helio {

namespace {

constexpr double TickRoom = 4; ///< Distance in pixels between ticks from which they can be distinguished well.

} // namespace

void SampleDensity::layOut(const Lane& lane, const TimeScale& scale, int first, int columns)
{
    m_columns.assign(std::size_t(std::max(0, columns)), {});
    m_isCrowded = false;
    if (lane.samplePeriod <= Duration(0))
        return;
    const double period = scale.xAt(lane.window.begin + lane.samplePeriod) - scale.xAt(lane.window.begin);
    m_steps.assign(m_columns.size() + 1, {});
    for (const SampleTicks& it : lane.samples) {
        const double at = scale.xAt(it.at) - first;
        if (it.mode != SampleMode::Event) // Events have no period, so they do not count as busy time.
            add(at - period, at + period * double(it.count - 1), it.mode);
    }
    std::size_t sampled = 0;
    Shares whole{};
    for (std::size_t x = 0; x < m_columns.size(); ++x) {
        Shares& column = m_columns[x];
        for (std::size_t mode = 0; mode < SampleModes; ++mode)
            column[mode] += whole[mode] += m_steps[x][mode];
        const float sum = std::accumulate(column.begin(), column.end(), 0.0f);
        sampled += sum > 0;
        if (sum > 1)
            std::ranges::for_each(column, [sum](float& share) { share /= sum; });
    }
    m_isCrowded = period < TickRoom && sampled > m_columns.size() / 8;
}

/// Adds the time of one sample, in constant time: writes the first and the last column, and two steps in m_steps. The running sum of
/// m_steps gives the columns between them.
void SampleDensity::add(double from, double to, SampleMode mode)
{
    from = std::clamp(from, 0.0, double(m_columns.size()));
    to = std::clamp(to, from, double(m_columns.size()));
    const auto first = std::size_t(from);
    const auto last = std::size_t(to);
    const auto part = [&](std::size_t x, double share) {
        if (share > 0)
            m_columns[x][std::size_t(mode)] += float(share);
    };
    if (first == last)
        return part(first, to - from);
    part(first, double(first + 1) - from);
    part(last, to - double(last));
    m_steps[first + 1][std::size_t(mode)] += 1;
    m_steps[last][std::size_t(mode)] -= 1;
}

void SampleDensity::paint(const Raster& raster, int baseline, int band, const std::array<QRgb, SampleModes>& colors) const
{
    // Modes in stacking order, from the bottom up.
    static constexpr SampleMode Order[] = {SampleMode::Kernel, SampleMode::User, SampleMode::Other};
    for (std::size_t x = 0; x < m_columns.size(); ++x) {
        float share = 0;
        int below = 0;
        for (const SampleMode mode : Order) {
            share += m_columns[x][std::size_t(mode)];
            const int least = m_columns[x][std::size_t(mode)] > 0 ? below + 1 : below; // A mode with samples is at least one pixel high.
            const int height = std::min(band, std::max(least, int(std::lround(share * float(band)))));
            if (height > below)
                raster.fill(int(x), baseline - height, 1, height - below, colors[std::size_t(mode)]);
            below = std::max(below, height);
        }
    }
}

} // namespace helio
