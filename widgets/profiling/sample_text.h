#pragma once

#include "core/profiling/samples/call_tree.h"

#include <QString>

class QMenu;

namespace helio {

class SampleModel;
/// Adds the choices that hold for all views of samples to an options menu, e.g. "Inlined functions as frames of their own".
void addSampleChoices(QMenu* menu, SampleModel& samples);

/// Menu item of a kind, e.g. "Calls, wall time   2 430".
QString kindLine(const SampleKindFacts& kind);
/// Heading of the kinds in menus: "Samples of", "Calls by" or "Samples of, calls by".
QString kindsHeading(const std::vector<SampleKindFacts>& kinds);
/// Title of columns and fields: "Samples" or "Calls".
QString countedTitle(const SampleKind& kind);

/// A number of samples or their weight, e.g. "2 563", or "0.156" if the kind has decimals.
QString countText(std::uint64_t count, const SampleKind& kind);

/// An amount with its unit, e.g. "2 563 samples", "1 call", "2.563 s" or "1 204 page faults".
QString amountText(const SampleSum& sum, WeightBy by, const SampleKind& kind);

/// Text for headers, e.g. "2 563 samples", or with weights, which are rounded: "1.56 M page faults in 16 105 samples".
QString headingText(const SampleSum& sum, WeightBy by, const SampleKind& kind);

} // namespace helio
