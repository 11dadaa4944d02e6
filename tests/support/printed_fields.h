#pragma once

#include "core/trace/fields/field_value.h"
#include "core/trace/merged_events.h"

#include <QString>

namespace helio {

/// Returns the contexts and the payload of an event: " tid=7: next_pid=8 next_comm=worker".
inline QString printFields(const EventView& event)
{
    QString text;
    for (const NamedValue& field : decodeContext(event))
        text += QString::fromStdString(" " + field.name + "=" + displayText(field.value));
    text += ":";
    for (const NamedValue& field : decodeSection(event, Section::Payload))
        text += QString::fromStdString(" " + field.name + "=" + displayText(field.value));
    return text;
}

/// Returns "TIME [CPU] NAME" of an event, with the time in ns, and its fields. Without "[CPU]" if its CPU is unknown.
inline QString printEvent(const EventView& event)
{
    const QString cpu = event.cpu() >= 0 ? QString(" [%1]").arg(event.cpu()) : QString();
    return QString("%1%2 %3").arg(nanoseconds(event.time())).arg(cpu, QString::fromStdString(event.type->name)) + printFields(event);
}

/// Returns "lost EVENTS in BEGIN..END [CPU]" of a loss.
inline QString printLoss(const Loss& loss)
{
    return QString("lost %1 in %2..%3 [%4]")
        .arg(loss.events)
        .arg(nanoseconds(loss.range.begin))
        .arg(nanoseconds(loss.range.end))
        .arg(loss.cpu);
}

} // namespace helio
