#pragma once

#include "core/query/samples/call_tree.h"

#include <QString>

class QMenu;

namespace helio {

class SampleModel;
/// What holds for all views of samples, in a menu of options: "Inlined functions as frames of their own".
void addSampleChoices(QMenu* menu, SampleModel& samples);

/// How much of a kind of sample an amount is: "2 563 samples", "2.563 s", "1 204 page faults".
QString amountText(const SampleSum& sum, WeightBy by, const SampleKind& kind);

/// For headers: "2 563 samples"; where weights count, those roundly first: "1.56 M page faults in 16 105 samples".
QString headingText(const SampleSum& sum, WeightBy by, const SampleKind& kind);

} // namespace helio
