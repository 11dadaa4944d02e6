#include "core/compare/cpu_difference.h"

#include "core/query/facts.h"
#include "core/query/statistics.h"

#include <cmath>
#include <limits>

namespace helio {
namespace {

double amount(const CpuUse& use, CpuWork work)
{
    switch (work) {
    case CpuWork::User: return double(use.user);
    case CpuWork::Kernel: return double(use.kernel) + double(use.interrupt);
    case CpuWork::Busy: break;
    }
    return double(use.user) + double(use.kernel) + double(use.interrupt);
}

} // namespace

std::vector<double> cpusAtWork(const Timeline& timeline, CpuWork work, TimeRange window, std::size_t buckets, std::stop_token stop)
{
    std::vector<double> cpus(buckets);
    const std::vector<HostFacts> hosts = hostFacts(timeline);
    for (std::uint32_t host = 0; host < hosts.size(); ++host) {
        const std::vector<CpuUse> use = cpuUse(timeline, host, window, buckets, stop);
        for (std::size_t i = 0; i < buckets; ++i)
            cpus[i] += amount(use[i], work) * hosts[host].cpus;
    }
    const TimeRange recorded = rangeOf(timeline);
    for (std::size_t i = 0; i < buckets; ++i) {
        const auto at = [&](std::size_t n) {
            return window.begin + Duration(static_cast<std::int64_t>(double(window.duration().count()) * double(n) / double(buckets)));
        };
        if (at(i) < recorded.begin || at(i + 1) > recorded.end)
            cpus[i] = std::numeric_limits<double>::quiet_NaN();
    }
    return cpus;
}

std::vector<double> cpuDifference(const Timeline& a, const Timeline& b, const Alignment& alignment, CpuWork work, TimeRange window,
                                  std::size_t buckets, std::stop_token stop)
{
    const std::vector<double> ofA = cpusAtWork(a, work, window, buckets, stop);
    std::vector<double> difference = cpusAtWork(b, work, {alignment.toB(window.begin), alignment.toB(window.end)}, buckets, stop);
    for (std::size_t i = 0; i < buckets; ++i) {
        const bool isOver = std::isnan(ofA[i]) != std::isnan(difference[i]); // One side: nothing of it runs there any more, or yet.
        difference[i] = isOver ? (std::isnan(difference[i]) ? -ofA[i] : difference[i]) : difference[i] - ofA[i];
    }
    return difference;
}

} // namespace helio
