#include "app/cli/commands.h"
#include "app/cli/event_selection.h"
#include "app/cli/field_output.h"
#include "app/cli/table_writer.h"
#include "core/query/event_counts.h"
#include "core/query/events.h"
#include "core/query/facts.h"

#include <fmt/format.h>
#include <iterator>

namespace helio {
namespace {

/// Writes events one by one; nothing is kept.
class EventPrinter {
public:
    EventPrinter(Output& output, OutputFormat format, const Timeline& timeline)
        : m_output(output)
        , m_format(format)
        , m_timeline(timeline)
        , m_times(hasEpoch(timeline))
    {
        if (format == OutputFormat::Csv)
            m_output.buffer() += "time_ns,trace,cpu,name,fields\r\n";
    }

    void print(std::uint32_t trace, Timestamp time, const EventView& event)
    {
        switch (m_format) {
        case OutputFormat::Text: printText(trace, time, event); break;
        case OutputFormat::Csv: printCsv(trace, time, event); break;
        case OutputFormat::Json: printJson(trace, time, event); break;
        }
        m_output.flushIfFull();
    }

private:
    void printText(std::uint32_t trace, Timestamp time, const EventView& event)
    {
        std::string& out = m_output.buffer();
        m_times.append(out, nanoseconds(time));
        if (event.cpu() >= 0)
            fmt::format_to(std::back_inserter(out), " [{:03}] ", event.cpu());
        else
            out += " [---] ";
        if (m_timeline.traces.size() > 1) {
            appendPlain(out, m_timeline.hosts[m_timeline.traces[trace].host].label);
            fmt::format_to(std::back_inserter(out), "/{} ", trace);
        }
        appendPlain(out, event.type->name);
        out += ": ";
        appendReadable(out, decodeSection(event, Section::Payload));
        if (const auto context = decodeContext(event); !context.empty()) {
            out += " { ";
            appendReadable(out, context);
            out += " }";
        }
        out += '\n';
    }

    void printCsv(std::uint32_t trace, Timestamp time, const EventView& event)
    {
        std::string& out = m_output.buffer();
        fmt::format_to(std::back_inserter(out), "{},{},", nanoseconds(time), trace);
        if (event.cpu() >= 0)
            fmt::format_to(std::back_inserter(out), "{}", event.cpu());
        out += ',';
        appendCsv(out, event.type->name);
        out += ',';
        m_details.clear();
        appendDetails(m_details, decodeSection(event, Section::Payload));
        appendCsv(out, m_details);
        out += "\r\n";
    }

    void printJson(std::uint32_t trace, Timestamp time, const EventView& event)
    {
        JsonWriter json(m_output.buffer());
        json.beginObject();
        json.member("time_ns", nanoseconds(time));
        json.member("trace", trace);
        json.member("stream", m_timeline.traces[trace].trace->streams()[event.stream].label);
        json.key("cpu");
        if (event.cpu() >= 0)
            json.value(event.cpu());
        else
            json.null();
        json.member("name", event.type->name);
        json.key("fields");
        writeJson(json, decodeSection(event, Section::Payload));
        if (const auto context = decodeContext(event); !context.empty()) {
            json.key("context");
            writeJson(json, context);
        }
        if (const auto packet = decodeSection(event, Section::PacketContext); !packet.empty()) {
            json.key("packet");
            writeJson(json, packet);
        }
        json.endObject();
        m_output.buffer() += '\n';
    }

    Output& m_output;
    OutputFormat m_format;
    const Timeline& m_timeline;
    TimeStyle m_times;
    std::string m_details;
};

/// How many events of each type are left, the most frequent first.
int runEventTypes(const CommandOptions& options, const OpenedExperiment& opened, EventSelection& selection)
{
    const Timeline& timeline = *opened.timeline;
    EventTypeCounter counter(timeline);
    std::uint64_t all = 0;
    for (EventCursor cursor(opened.timeline, opened.window.begin); cursor.next() && cursor.time() < opened.window.end;)
        if (selection.selects(cursor.trace(), cursor.event(), cursor.time())) {
            counter.add(cursor.trace(), static_cast<std::uint32_t>(cursor.event().record->type), cursor.event().cpu());
            ++all;
        }
    Output output;
    {
        TableWriter table(output, options.format, {"name", "host", "count", "share"}, TimeStyle(hasEpoch(timeline)));
        for (const EventTypeCount& it : counter.counts())
            table.row({it.name, it.host < timeline.hosts.size() ? Cell(timeline.hosts[it.host].label) : Cell(),
                       Cell::integer(static_cast<std::int64_t>(it.count)), Cell::real(double(it.count) / double(all), fmt::format("{:.6f}", double(it.count) / double(all)))});
    }
    output.flush();
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened.hasProblems ? ExitInput : ExitDone;
}

} // namespace

int runEvents(const CommandOptions& options)
{
    const auto opened = openExperiment(options, needsStates(options));
    if (!opened)
        return failWith(opened.error());
    const Timeline& timeline = *opened->timeline;
    EventSelection selection(options, timeline);
    EventCursor cursor(opened->timeline, opened->window.begin);
    Output output;
    std::uint64_t count = 0;
    if (options.byType)
        return runEventTypes(options, *opened, selection);
    if (options.count) {
        while (cursor.next() && cursor.time() < opened->window.end)
            count += selection.selects(cursor.trace(), cursor.event(), cursor.time());
        fmt::format_to(std::back_inserter(output.buffer()), "{}\n", count);
    } else {
        EventPrinter printer(output, options.format, timeline);
        while (!output.hasFailed() && cursor.next() && cursor.time() < opened->window.end)
            if (selection.selects(cursor.trace(), cursor.event(), cursor.time()))
                printer.print(cursor.trace(), cursor.time(), cursor.event());
    }
    output.flush();
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened->hasProblems ? ExitInput : ExitDone;
}

} // namespace helio
