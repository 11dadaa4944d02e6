#include "app/cli/selection/difference_options.h"

#include "app/cli/selection/option_list.h"

namespace helio {

void DifferenceOptions::addTo(OptionList& options)
{
    OptionList shown = options.group("Comparison");
    shown.flag("--all", isOfAll, "Compare all samples instead of those of one program");
    shown.value("--per", m_given.per, "W", "Normalize by process, share, samples or unit (default: process where possible)");
    shown.value("--units-a", m_given.unitsA, "N", "Units of work done in A: requests, frames");
    shown.value("--units-b", m_given.unitsB, "N", "Units of work done in B");
    shown.value("--width", m_given.width, "W", "Frame widths from b, a, or the widest of both (default: b)");
    shown.flag("--elided", widths.keepsElided, "Keep frames that one side lacks, as outlines");
    shown.flag("--inclusive", ofTotals, "Colour by the change of total time instead of self time");
    shown.flag("--ratio", byRatio, "Colour by ratio instead of difference");
}

Status DifferenceOptions::read()
{
    using Per = DifferenceBasis::Per;
    using Of = DifferenceWidths::Of;
    const auto& [givenPer, givenWidth, unitsA, unitsB] = m_given;
    const bool hasUnits = unitsA != 1 || unitsB != 1;
    const std::string perText = !givenPer.empty() ? givenPer : hasUnits ? "unit" : "process";
    const auto per =
        readChoice<Per>("--per", perText, {{"process", Per::Run}, {"share", Per::Share}, {"samples", Per::Samples}, {"unit", Per::Unit}});
    if (!per)
        return per.error();
    if (hasUnits && *per != Per::Unit)
        return makeUsageError("--units-a, --units-b", "only valid with --per unit; --per " + perText + " has no units of work");
    const auto width = readChoice<Of>("--width", givenWidth, {{"b", Of::B}, {"a", Of::A}, {"widest", Of::Widest}});
    if (!width)
        return width.error();
    const auto isUnits = [](double units) { return units >= 1e-6 && units <= 1e15; };
    if (!isUnits(unitsA) || !isUnits(unitsB))
        return makeUsageError("--units-a, --units-b", "expected numbers from 1e-6 to 1e15");
    if (!givenPer.empty() || hasUnits)
        basis = {*per, unitsA, unitsB};
    widths.of = *width;
    return Done{};
}

} // namespace helio
