#include "core/compare/difference_basis.h"

#include <algorithm>

namespace helio {

DifferenceBasis DifferenceBasis::fitting(const SampleKind& a, bool hasTimesA, const SampleKind& b, bool hasTimesB)
{
    DifferenceBasis basis;
    if (hasTimesA != hasTimesB || !basis.canCompare(a, b))
        basis.per = Per::Share;
    return basis;
}

DifferenceScale DifferenceBasis::scale(const SampleSum& a, std::uint32_t runsA, const SampleSum& b, std::uint32_t runsB) const
{
    switch (per) {
    case Per::Share: return DifferenceScale::shares(a, b, WeightBy::Weight);
    case Per::Samples: return {WeightBy::Samples, 1, 1};
    case Per::Unit: return {WeightBy::Weight, 1 / unitsA, 1 / unitsB};
    case Per::Run: break;
    }
    return {WeightBy::Weight, 1.0 / std::max(1u, runsA), 1.0 / std::max(1u, runsB)};
}

DifferenceUnit DifferenceBasis::unit(const SampleKind& kind) const
{
    using Kind = DifferenceUnit::Kind;
    if (per == Per::Share)
        return {Kind::Share, {}};
    if (per == Per::Samples)
        return {Kind::Count, "samples"};
    return kind.isTime ? DifferenceUnit{Kind::Time, {}} : DifferenceUnit{Kind::Count, kind.unit.empty() ? kind.name : kind.unit};
}

bool DifferenceBasis::isOfWallTime(const SampleKind& a, const SampleKind& b) const
{
    const auto isCpuTime = [](const SampleKind& kind) { return kind.isTime && kind.origin == SampleKind::Origin::Event; };
    return (per == Per::Run || per == Per::Unit) && isCpuTime(a) && isCpuTime(b);
}

bool DifferenceBasis::canCompare(const SampleKind& a, const SampleKind& b) const
{
    const bool areColumns = a.origin == SampleKind::Origin::Counted && b.origin == SampleKind::Origin::Counted;
    return per == Per::Share || (a.isTime == b.isTime && (a.isTime || a.name == b.name || areColumns));
}

} // namespace helio
