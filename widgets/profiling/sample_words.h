#pragma once

#include "core/profiling/samples/call_tree.h"

#include <QString>

class QMenu;

namespace helio {

class SampleModel;
/// What holds for all views of samples, in a menu of options: "Inlined functions as frames of their own".
void addSampleChoices(QMenu* menu, SampleModel& samples);

/// Of menus: "Calls, wall time   2 430".
QString kindLine(const SampleKindFacts& kind);
/// Above them: "Samples of", or of calls "Calls by", or "Samples of, calls by".
QString kindsHeading(const std::vector<SampleKindFacts>& kinds);
/// Of columns and fields: "Samples", "Calls".
QString countedTitle(const SampleKind& kind);

/// A number of samples, or what they weigh: "2 563", "0.156" where the kind has decimals.
QString countText(std::uint64_t count, const SampleKind& kind);

/// How much of a kind of sample an amount is: "2 563 samples", "1 call", "2.563 s", "1 204 page faults".
QString amountText(const SampleSum& sum, WeightBy by, const SampleKind& kind);

/// For headers: "2 563 samples"; where weights count, those roundly first: "1.56 M page faults in 16 105 samples".
QString headingText(const SampleSum& sum, WeightBy by, const SampleKind& kind);

} // namespace helio
