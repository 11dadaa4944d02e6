#include "app/cli/output/event_printer.h"

#include "app/cli/output/field_output.h"
#include "core/base/utf8.h"
#include "core/query/rows/facts.h"

namespace helio {
namespace {

constexpr std::size_t FlushSize = 256 << 10;
constexpr std::int64_t NsOfSecond = 1'000'000'000;

} // namespace

EventPrinter::EventPrinter(Output& output, OutputFormat format, const Timeline& timeline)
    : m_output(output)
    , m_format(format)
    , m_times(hasEpoch(timeline))
    , m_out(2 * FlushSize)
{
    for (std::uint32_t i = 0; i < timeline.traces.size(); ++i) {
        const Trace& trace = *timeline.traces[i].trace;
        TracePlan plan;
        plan.types.resize(trace.eventTypes().size());
        for (const StreamInfo& stream : trace.streams())
            plan.haveTimes.push_back(trace.info().hasTimes && stream.hasTimes);
        plan.keepsBytes = trace.keepsBytes();
        if (format == OutputFormat::Text)
            plan.texts = trace.makeEventTexts();
        if (format == OutputFormat::Json) {
            for (const StreamInfo& stream : trace.streams()) {
                std::string text = ",\"stream\":";
                JsonWriter(text).value(stream.label);
                plan.streams.push_back(std::move(text));
            }
            plan.head = ",\"trace\":" + std::to_string(i);
        } else if (timeline.traces.size() > 1) {
            appendPrintable(plan.head, timeline.hosts[timeline.traces[i].host].label);
            plan.head += '/' + std::to_string(i) + ' ';
        }
        m_traces.push_back(std::move(plan));
    }
    if (format == OutputFormat::Csv)
        m_out.append("time_ns,trace,cpu,name,fields\r\n");
}

void EventPrinter::flush()
{
    m_output.write(m_out.text());
    m_out.clear();
}

std::string EventPrinter::nameOf(const EventType& type) const
{
    std::string text;
    switch (m_format) {
    case OutputFormat::Text: appendPrintable(text, type.name); return text + ": ";
    case OutputFormat::Csv:
        text += ',';
        appendCsv(text, type.name);
        return text + ',';
    case OutputFormat::Json:
        text = ",\"name\":";
        JsonWriter(text).value(type.name);
        return text + ",\"fields\":{";
    }
    return text;
}

const EventPrinter::TypePlan& EventPrinter::planOf(TracePlan& trace, const EventType& type) const
{
    auto& plan = trace.types[static_cast<std::size_t>(type.id)];
    if (!plan)
        plan = std::make_unique<TypePlan>(TypePlan{nameOf(type), FieldPlan(type, FieldPlan::Part::Fields, m_format),
                                                   FieldPlan(type, FieldPlan::Part::Context, m_format)});
    return *plan;
}

void EventPrinter::print(std::uint32_t trace, Timestamp time, const EventView& event)
{
    TracePlan& own = m_traces[trace];
    const TypePlan& plan = planOf(own, *event.type);
    switch (m_format) {
    case OutputFormat::Text: printText(own, plan, time, event); break;
    case OutputFormat::Csv: printCsv(trace, own, plan, time, event); break;
    case OutputFormat::Json: printJson(own, plan, time, event); break;
    }
    if (m_out.size() >= FlushSize)
        flush();
}

/// Appends a time. Caches the converted local time for each second of the trace.
void EventPrinter::appendTime(std::int64_t ns)
{
    const std::int64_t second = ns / NsOfSecond - (ns % NsOfSecond < 0);
    if (m_secondText.empty() || second != m_second) {
        m_second = second;
        m_secondText.clear();
        m_times.append(m_secondText, ns);
        m_secondText.resize(m_secondText.size() - 9); // Remove the nine digits of the fraction.
    }
    m_out.append(m_secondText);
    const std::int64_t part = ns % NsOfSecond;
    auto rest = static_cast<std::uint32_t>(part < 0 ? part + NsOfSecond : part);
    char digits[9];
    for (int i = 8; i >= 0; --i, rest /= 10)
        digits[i] = static_cast<char>('0' + rest % 10);
    m_out.append({digits, 9});
}

/// Appends a CPU number with at least three digits.
void EventPrinter::appendCpu(std::int32_t cpu)
{
    if (cpu < 0)
        return m_out.append(" [---] ");
    m_out.append(cpu < 10 ? " [00" : cpu < 100 ? " [0" : " [");
    m_out.appendNumber(cpu);
    m_out.append("] ");
}

void EventPrinter::printText(TracePlan& trace, const TypePlan& plan, Timestamp time, const EventView& event)
{
    if (trace.hasTime(event))
        appendTime(nanoseconds(time));
    else
        m_out.append('-');
    appendCpu(event.cpu());
    m_out.append(trace.head);
    m_out.append(plan.name);
    m_text.clear();
    if (trace.texts && trace.texts->append(m_text, event)) {
        m_scratch.clear();
        appendPrintable(m_scratch, m_text);
        m_out.append(m_scratch);
    } else if (!plan.fields.append(m_out, event)) {
        m_scratch.clear();
        appendReadable(m_scratch, decodeSection(event, Section::Payload));
        m_out.append(m_scratch);
    }
    if (!plan.context.isEmpty())
        appendReadableContext(plan, event);
    m_out.append('\n');
}

void EventPrinter::appendReadableContext(const TypePlan& plan, const EventView& event)
{
    const std::size_t begin = m_out.size();
    m_out.append(" { ");
    if (!plan.context.append(m_out, event)) {
        const auto context = decodeContext(event);
        if (context.empty())
            return m_out.cutTo(begin);
        m_scratch.clear();
        appendReadable(m_scratch, context);
        m_out.append(m_scratch);
    }
    m_out.append(" }");
}

void EventPrinter::printCsv(std::uint32_t index, const TracePlan& trace, const TypePlan& plan, Timestamp time, const EventView& event)
{
    if (trace.hasTime(event))
        m_out.appendNumber(nanoseconds(time));
    m_out.append(',');
    m_out.appendNumber(index);
    m_out.append(',');
    if (event.cpu() >= 0)
        m_out.appendNumber(event.cpu());
    m_out.append(plan.name);
    if (!plan.fields.append(m_out, event)) {
        std::string details;
        appendDetails(details, decodeSection(event, Section::Payload));
        m_scratch.clear();
        appendCsv(m_scratch, details);
        m_out.append(m_scratch);
    }
    m_out.append("\r\n");
}

void EventPrinter::printJson(const TracePlan& trace, const TypePlan& plan, Timestamp time, const EventView& event)
{
    m_out.append("{\"time_ns\":");
    if (trace.hasTime(event))
        m_out.appendNumber(nanoseconds(time));
    else
        m_out.append("null");
    m_out.append(trace.head);
    m_out.append(trace.streams[event.stream]);
    m_out.append(",\"cpu\":");
    if (event.cpu() >= 0)
        m_out.appendNumber(event.cpu());
    else
        m_out.append("null");
    m_out.append(plan.name);
    if (!plan.fields.append(m_out, event))
        appendJsonMembers(decodeSection(event, Section::Payload));
    m_out.append('}');
    if (!plan.context.isEmpty())
        appendJsonContext(plan, event);
    appendPacket(trace, event);
    m_out.append("}\n");
}

void EventPrinter::appendJsonMembers(const std::vector<NamedValue>& members)
{
    m_scratch.clear();
    JsonWriter json(m_scratch);
    writeJson(json, members);
    m_out.append(std::string_view(m_scratch).substr(1, m_scratch.size() - 2)); // Append the JSON members without the enclosing braces.
}

void EventPrinter::appendJsonContext(const TypePlan& plan, const EventView& event)
{
    const std::size_t begin = m_out.size();
    m_out.append(",\"context\":{");
    if (!plan.context.append(m_out, event)) {
        const auto context = decodeContext(event);
        if (context.empty())
            return m_out.cutTo(begin);
        appendJsonMembers(context);
    }
    m_out.append('}');
}

/// Appends the context of the event's CTF packet. Caches the text, which is the same for all events of a packet.
void EventPrinter::appendPacket(const TracePlan& trace, const EventView& event)
{
    if (!event.type->packetContext)
        return;
    const bool isKnown = trace.keepsBytes && m_packet == event.packet.data && m_packetContext == event.type->packetContext;
    if (!isKnown) {
        m_packet = event.packet.data;
        m_packetContext = event.type->packetContext;
        m_packetText.clear();
        if (const auto packet = decodeSection(event, Section::PacketContext); !packet.empty()) {
            m_packetText = ",\"packet\":";
            JsonWriter json(m_packetText);
            writeJson(json, packet);
        }
    }
    m_out.append(m_packetText);
}

} // namespace helio
