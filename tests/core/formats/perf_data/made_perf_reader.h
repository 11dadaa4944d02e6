#pragma once

#include "core/trace/fields/field_value.h"
#include "core/trace/merged_events.h"
#include "tests/support/files.h"
#include "tests/support/perf_builder.h"
#include "tests/support/perf_samples.h"

#include <QTemporaryDir>

namespace helio {

/// Reads recordings that tests build byte by byte.
class MadePerfReader {
protected:
    /// Opens a recording; nullptr, with a message in m_error, if it cannot be opened.
    std::shared_ptr<const Trace> open(const QByteArray& bytes)
    {
        const QString path = test::writeFile(m_folder.filePath("perf.data"), bytes);
        m_error.clear();
        return openPerfData(path.toStdString(), &m_error);
    }

    /// Returns the events and losses of a recording, a line each; its error if it cannot be opened. The trace stays open in m_trace.
    QStringList eventsOf(const QByteArray& bytes)
    {
        m_trace = open(bytes);
        QStringList all;
        if (!m_trace)
            return {QString::fromStdString(m_error)};
        MergedEvents events(*m_trace);
        const auto takeLosses = [&] {
            for (const Loss& loss : events.takeLosses())
                all << QString("lost %1 cpu=%2 %3..%4")
                           .arg(loss.events)
                           .arg(loss.cpu)
                           .arg(nanoseconds(loss.range.begin))
                           .arg(nanoseconds(loss.range.end));
        };
        while (events.next()) {
            all << displayed(events.event());
            takeLosses();
        }
        takeLosses();
        return all;
    }

    QTemporaryDir m_folder;
    std::string m_error;
    std::shared_ptr<const Trace> m_trace;

private:
    static QString displayed(const EventView& event)
    {
        QString text =
            QString("%1 %2 cpu=%3").arg(nanoseconds(event.time())).arg(QString::fromStdString(event.type->name)).arg(event.cpu());
        for (const auto* part : {"(", "{"}) {
            const auto fields = *part == '(' ? decodeContext(event) : decodeSection(event, Section::Payload);
            text += QString(" ") + part;
            for (const NamedValue& field : fields)
                text += QString::fromStdString((&field == fields.data() ? "" : " ") + field.name + "=" + displayText(field.value));
            text += *part == '(' ? ")" : "}";
        }
        return text;
    }
};

} // namespace helio
