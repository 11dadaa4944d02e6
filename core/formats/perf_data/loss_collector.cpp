#include "core/formats/perf_data/loss_collector.h"

#include <algorithm>

namespace helio::perf {
namespace {

constexpr std::uint64_t Largest = std::uint64_t{1} << 40; ///< Larger counts are damage, and would make sums overflow.

} // namespace

void LossCollector::onEvent(HostTimestamp time, std::int32_t cpu)
{
    m_last = time;
    if (cpu >= 0)
        m_lastOfCpu[cpu] = time;
}

void LossCollector::addGap(HostTimestamp time, std::int32_t cpu, std::uint64_t events)
{
    const auto last = m_lastOfCpu.find(cpu);
    const HostTimestamp begin = std::min(last == m_lastOfCpu.end() ? m_last : last->second, time);
    Loss loss;
    loss.range = {begin, std::max(time, begin + Duration(1))};
    loss.events = std::clamp<std::uint64_t>(events, 1, Largest);
    loss.cpu = cpu;
    m_inGaps += loss.events;
    m_gaps.push_back(loss);
}

void LossCollector::addRecorderTotal(std::uint64_t events) { m_inAll += std::min(events, Largest); }

std::vector<Loss> LossCollector::take(HostTimestamp end)
{
    if (m_inAll > m_inGaps) {
        Loss rest;
        rest.range = {end, end + Duration(1)};
        rest.events = m_inAll - m_inGaps;
        m_gaps.push_back(rest);
    }
    std::stable_sort(m_gaps.begin(), m_gaps.end(), [](const Loss& a, const Loss& b) { return a.range.begin < b.range.begin; });
    return std::move(m_gaps);
}

} // namespace helio::perf
