#pragma once

#include "app/cli/output/field_plan.h"
#include "app/cli/output/output.h"
#include "core/experiment/timeline.h"
#include "core/trace/fields/field_value.h"

#include <memory>

namespace helio {

/// Writes events one by one as text, CSV or lines of JSON. Stores no events, only a plan for each event type.
/// Threads: to be used by one thread at a time.
/// Ownership: the timeline outlives the printer.
class EventPrinter {
public:
    EventPrinter(Output& output, OutputFormat format, const Timeline& timeline);
    ~EventPrinter() { flush(); }

    void print(std::uint32_t trace, Timestamp time, const EventView& event);

private:
    /// Plan for writing the events of a type.
    struct TypePlan {
        std::string name; ///< Name of the event type, including the separators around it.
        FieldPlan fields;
        FieldPlan context;
    };
    struct TracePlan {
        /// Plans by event type, indexed by EventTypeId; an element is created at the first event of the type.
        std::vector<std::unique_ptr<TypePlan>> types;
        /// Constant text of the trace: host and trace for text output, the trace's number for JSON; empty for CSV and for text with one
        /// trace.
        std::string head;
        std::vector<std::string> streams; ///< JSON member with the stream's name, indexed by stream; empty for other formats.
        std::vector<bool> haveTimes; ///< True if the events of a stream have times, indexed by stream.
        bool keepsBytes = false;
        /// Makes the text that the tracer's own tool prints for an event; nullptr if the trace's format has no such text.
        std::unique_ptr<EventTexts> texts;

        bool hasTime(const EventView& event) const { return event.stream >= haveTimes.size() || haveTimes[event.stream]; }
    };
    const TypePlan& planOf(TracePlan& trace, const EventType& type) const;
    std::string nameOf(const EventType& type) const;

    void printText(TracePlan& trace, const TypePlan& plan, Timestamp time, const EventView& event);
    void printCsv(std::uint32_t index, const TracePlan& trace, const TypePlan& plan, Timestamp time, const EventView& event);
    void printJson(const TracePlan& trace, const TypePlan& plan, Timestamp time, const EventView& event);
    void appendTime(std::int64_t ns);
    void appendCpu(std::int32_t cpu);
    void appendReadableContext(const TypePlan& plan, const EventView& event);
    void appendJsonMembers(const std::vector<NamedValue>& members);
    void appendJsonContext(const TypePlan& plan, const EventView& event);
    void appendPacket(const TracePlan& trace, const EventView& event);
    void flush();

    Output& m_output;
    OutputFormat m_format;
    TimeStyle m_times;
    std::vector<TracePlan> m_traces;
    TextBuffer m_out;
    std::string m_scratch;
    std::string m_text; ///< Output text of the event that is being printed; a member only to reuse its memory.

    std::int64_t m_second = 0; ///< Second whose text is cached in m_secondText; unused while m_secondText is empty.
    std::string m_secondText;

    const std::byte* m_packet = nullptr; ///< CTF packet whose context is cached as text in m_packetText; nullptr if none.
    FieldTypePtr m_packetContext; ///< Type of the context that is cached in m_packetText.
    std::string m_packetText;
};

} // namespace helio
