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

DifferenceScale DifferenceBasis::scale(const Side& a, const Side& b) const
{
    DifferenceScale scale;
    switch (per) {
    case Per::Share: scale = DifferenceScale::shares(a.whole, b.whole, WeightBy::Weight); break;
    case Per::Samples: scale.by = WeightBy::Samples; break;
    case Per::Unit: scale = {WeightBy::Weight, 1 / unitsA, 1 / unitsB}; break;
    case Per::Run: scale = {WeightBy::Weight, 1.0 / std::max(1u, a.runs), 1.0 / std::max(1u, b.runs)}; break;
    }
    scale.divisorA = a.kind.divisor();
    scale.divisorB = b.kind.divisor();
    if (per != Per::Share) {
        scale.a /= double(scale.divisorA);
        scale.b /= double(scale.divisorB);
    }
    return scale;
}

DifferenceUnit DifferenceBasis::unit(const SampleKind& kind) const
{
    using Kind = DifferenceUnit::Kind;
    if (per == Per::Share)
        return {Kind::Share, {}};
    if (per == Per::Samples)
        return {Kind::Count, "samples"};
    return kind.isTime || kind.unit == "ns" ? DifferenceUnit{Kind::Time, {}}
                                            : DifferenceUnit{Kind::Count, kind.unit.empty() || kind.divisor() > 1 ? kind.name : kind.unit};
}

bool DifferenceBasis::canAddOffCpuTime(const SampleKind& a, const SampleKind& b) const
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
