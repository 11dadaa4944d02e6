#pragma once

#include "widgets/compare/difference/difference_style.h"

#include <QJsonObject>

namespace helio {

/// What a person chose of a comparison of samples, as session files keep it.
struct KeptDifference {
    DifferenceChoices choices;
    DifferenceLook look;
};

QJsonObject toJson(const KeptDifference& kept);
/// What is absent or makes no sense is as it is by default.
KeptDifference keptDifferenceFrom(const QJsonObject& json);

} // namespace helio
