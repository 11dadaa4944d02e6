#pragma once

#include "core/query/events/events.h"
#include "widgets/time/time_format.h"

#include <QStringList>

namespace helio {

/// Lines of the event table to be pasted elsewhere, with their titles.
QString eventsAsText(const std::vector<EventRow>& rows, const TimeFormat& format); ///< Tabs between the cells.
QString eventsAsCsv(const std::vector<EventRow>& rows); ///< As `heliograph events --format csv`, with nanoseconds.

/// A field of an event, and the expression that finds the events where it has the same value: prev_comm == "bash".
struct FieldChoice {
    QString field;
    QString expression;
};
/// Of every field that an expression can name and compare exactly.
std::vector<FieldChoice> fieldChoices(const EventRow& row);

/// An expression for what both let through. Either may be empty.
QString bothOf(const QString& filter, const QString& expression);

} // namespace helio
