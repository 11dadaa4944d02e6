#pragma once

#include "core/profiling/samples/call_tree.h"

#include <QString>

class QMenu;

namespace helio {

class SampleModel;
/// Adds the choices that apply to all views of samples to a menu, e.g. "Inlined functions as frames of their own".
void addSampleChoices(QMenu* menu, SampleModel& samples);

/// Returns the menu text of a kind, e.g. "Calls, wall time   2 430".
QString kindLine(const SampleKindFacts& kind);
/// Returns the label of the field in which the user chooses a kind of samples: "Event" if all kinds are events, "Kind of calls" if all are
/// calls, otherwise "Event or kind of calls".
QString kindsHeading(const std::vector<SampleKindFacts>& kinds);
/// Returns the title of columns and fields that count samples of `kind`: "Samples", "Calls", or "Records" for recorded sums.
QString countedTitle(const SampleKind& kind);

/// Formats a number of samples or their weight, e.g. "2 563", or "0.156" if the kind has decimals.
QString countText(std::uint64_t count, const SampleKind& kind);

/// Formats a number of samples or their weight with its unit, e.g. "2 563 samples", "1 call", "9 records", "2.563 s" or "1 204 page
/// faults".
QString amountText(const SampleSum& sum, WeightBy by, const SampleKind& kind);

/// Formats an amount for headers, e.g. "2 563 samples". Weights are rounded: "1.56 M page faults in 16 105 samples".
QString headingText(const SampleSum& sum, WeightBy by, const SampleKind& kind);

} // namespace helio
