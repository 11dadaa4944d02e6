#include "core/trace/cpu_topology.h"

namespace helio {

CpuLocation* CpuTopology::place(std::int64_t cpu)
{
    if (cpu < 0 || cpu >= MostCpus)
        return nullptr;
    const auto index = static_cast<std::size_t>(cpu);
    if (index >= cpus.size())
        cpus.resize(index + 1);
    cpus[index].cpu = static_cast<std::int32_t>(cpu);
    return &cpus[index];
}

CpuDistance CpuTopology::distance(std::int32_t from, std::int32_t to) const
{
    if (from == to)
        return CpuDistance::SameCpu;
    const auto known = static_cast<std::int64_t>(cpus.size());
    if (from < 0 || to < 0 || from >= known || to >= known)
        return CpuDistance::Unknown;
    const CpuLocation& a = cpus[static_cast<std::size_t>(from)];
    const CpuLocation& b = cpus[static_cast<std::size_t>(to)];
    const auto share = [&](std::int32_t CpuLocation::*what) { return a.*what >= 0 && a.*what == b.*what; };
    const auto areApart = [&](std::int32_t CpuLocation::*what) { return a.*what >= 0 && b.*what >= 0 && a.*what != b.*what; };
    if (share(&CpuLocation::core))
        return CpuDistance::SameCore;
    if (share(&CpuLocation::l2))
        return CpuDistance::SameL2;
    if (share(&CpuLocation::l3))
        return CpuDistance::SameL3;
    if (areApart(&CpuLocation::package))
        return CpuDistance::OtherPackage;
    if (areApart(&CpuLocation::node))
        return CpuDistance::OtherNode;
    return share(&CpuLocation::package) ? CpuDistance::SamePackage : CpuDistance::Unknown;
}

} // namespace helio
