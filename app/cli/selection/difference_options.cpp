#include "app/cli/selection/difference_options.h"

#include "app/cli/selection/option_reading.h"

namespace helio {

void DifferenceOptions::addTo(OptionList& options)
{
    options.flag("--all", isOfAll, "All samples, not those of one program");
    options.value(
        "--per", m_given.per, "W",
        "By process, share of all, samples as counted, or unit of work. By itself: process, or share where sides do not count alike");
    options.value("--units-a", m_given.unitsA, "N", "Units of work that A did: requests, frames");
    options.value("--units-b", m_given.unitsB, "N", "The same of B");
    options.value("--width", m_given.width, "W", "Differential flame graphs: as wide as b, a, or the widest of both");
    options.flag("--elided", widths.keepsElided, "They keep frames that one side lacks, as outlines");
    options.flag("--inclusive", ofTotals, "Their colours tell the change with callees, not a frame's own");
    options.flag("--ratio", byRatio, "Their colours are steps of ratio");
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
        return makeUsageError("--units-a, --units-b", "they are units of work; --per " + perText + " has none");
    const auto width = readChoice<Of>("--width", givenWidth, {{"b", Of::B}, {"a", Of::A}, {"widest", Of::Widest}});
    if (!width)
        return width.error();
    const auto isUnits = [](double units) { return units >= 1e-6 && units <= 1e15; };
    if (!isUnits(unitsA) || !isUnits(unitsB))
        return makeUsageError("--units-a, --units-b", "units of work are numbers above 0, from a millionth to 1e15");
    if (!givenPer.empty() || hasUnits)
        basis = {*per, unitsA, unitsB};
    widths.of = *width;
    return Done{};
}

} // namespace helio
