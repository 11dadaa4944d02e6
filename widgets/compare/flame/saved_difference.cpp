#include "widgets/compare/flame/saved_difference.h"

#include "widgets/workspace/view_roles.h"

#include <algorithm>

namespace helio {

namespace {

using Per = DifferenceBasis::Per;
using Of = DifferenceWidths::Of;

constexpr FileWord<Per> Bases[] = {{Per::Run, "run"}, {Per::Share, "share"}, {Per::Samples, "samples"}, {Per::Unit, "unit"}};
constexpr FileWord<Of> Widths[] = {{Of::B, "b"}, {Of::A, "a"}, {Of::Widest, "widest"}};

// Reads how many units of work a side did, by which its amounts are divided. Clamped to the range that the dialog accepts.
double unitsFrom(const QJsonValue& value) { return std::clamp(value.toDouble(1), 0.001, 1e15); }

} // namespace

QJsonObject toJson(const SavedDifference& kept)
{
    const DifferenceSettings& choices = kept.choices;
    return {{"per", fileWord(choices.basis.per, Bases)},
            {"unitsA", choices.basis.unitsA},
            {"unitsB", choices.basis.unitsB},
            {"all", choices.isOfAll},
            {"inverted", choices.isInverted},
            {"kind", QString::fromStdString(choices.kind)},
            {"widths", fileWord(kept.look.widths.of, Widths)},
            {"elided", kept.look.widths.keepsElided},
            {"inclusive", kept.look.ofTotals},
            {"ratios", kept.look.byRatio},
            {"rootsBelow", kept.look.areRootsBelow}};
}

SavedDifference savedDifferenceFrom(const QJsonObject& json)
{
    SavedDifference kept;
    kept.choices.basis = {valueOf(json["per"], Bases), unitsFrom(json["unitsA"]), unitsFrom(json["unitsB"])};
    kept.choices.isOfAll = json["all"].toBool();
    kept.choices.isInverted = json["inverted"].toBool();
    kept.choices.kind = json["kind"].toString().toStdString();
    kept.look.widths = {valueOf(json["widths"], Widths), json["elided"].toBool()};
    kept.look.ofTotals = json["inclusive"].toBool();
    kept.look.byRatio = json["ratios"].toBool();
    kept.look.areRootsBelow = json["rootsBelow"].toBool();
    return kept;
}

} // namespace helio
