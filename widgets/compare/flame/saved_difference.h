#pragma once

#include "widgets/compare/difference/difference_style.h"

#include <QJsonObject>

namespace helio {

/// The user's choices for a comparison of samples, as saved in session files.
struct SavedDifference {
    DifferenceSettings choices;
    DifferenceGraphOptions look;
};

QJsonObject toJson(const SavedDifference& kept);
/// Reads the choices. Missing or invalid values get their defaults.
SavedDifference savedDifferenceFrom(const QJsonObject& json);

} // namespace helio
