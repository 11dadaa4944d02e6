#pragma once

#include "core/query/events/events.h"
#include "widgets/time/time_format.h"

#include <QStringList>

namespace helio {

/// Texts of event rows with column titles, for the clipboard and for files.
/// Returns the rows as text with cells separated by tabs.
QString eventsAsText(const std::vector<EventRow>& rows, const TimeFormat& format);
/// Returns the rows in the format of `heliograph events --format csv`, with times in ns.
QString eventsAsCsv(const std::vector<EventRow>& rows);

/// Field of an event, with the expression that matches all events with the same value, e.g. prev_comm == "bash".
struct FieldChoice {
    QString field;
    QString expression;
};
/// Returns a FieldChoice for each field of the event that an expression can name and compare exactly.
std::vector<FieldChoice> fieldChoices(const EventRow& row);

/// Returns an expression that matches the events that both `filter` and `expression` match; if one of them is empty, returns the other.
QString combineFilters(const QString& filter, const QString& expression);

} // namespace helio
