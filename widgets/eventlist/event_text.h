#pragma once

#include "core/query/events/events.h"
#include "widgets/time/time_format.h"

#include <QStringList>

namespace helio {

/// Text of event rows with column titles, for the clipboard and for files.
QString eventsAsText(const std::vector<EventRow>& rows, const TimeFormat& format); ///< Cells are separated by tabs.
QString eventsAsCsv(const std::vector<EventRow>& rows); ///< Same format as `heliograph events --format csv`: times in ns.

/// A field of an event and the expression that matches all events with the same value, e.g. prev_comm == "bash".
struct FieldChoice {
    QString field;
    QString expression;
};
/// Returns a choice for every field that an expression can name and compare exactly.
std::vector<FieldChoice> fieldChoices(const EventRow& row);

/// Returns an expression that matches if both match; either may be empty.
QString combineFilters(const QString& filter, const QString& expression);

} // namespace helio
