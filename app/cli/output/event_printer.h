#pragma once

#include "app/cli/output/field_plan.h"
#include "app/cli/output/output.h"
#include "core/experiment/timeline.h"
#include "core/trace/fields/field_value.h"

#include <memory>

namespace helio {

/// Writes events one by one as text, CSV or lines of JSON. Keeps only the plans of how to write them, no events.
/// Threads: to be used by one thread at a time. Ownership: the timeline outlives the printer.
class EventPrinter {
public:
    EventPrinter(Output& output, OutputFormat format, const Timeline& timeline);
    ~EventPrinter() { flush(); }

    void print(std::uint32_t trace, Timestamp time, const EventView& event);

private:
    /// Plan of how an event type is written.
    struct TypePlan {
        std::string name; ///< Name of the type with the separators around it.
        FieldPlan fields;
        FieldPlan context;
    };
    struct TracePlan {
        std::vector<std::unique_ptr<TypePlan>> types; ///< Indexed by EventTypeId; an entry is made at the first event of the type.
        std::string head; ///< Text: host and trace. JSON: the trace's number. Empty for CSV and for text with one trace.
        std::vector<std::string> streams; ///< JSON member of each stream, by stream; empty otherwise.
        std::vector<bool> haveTimes; ///< Indexed by stream: true if its events have times.
        bool keepsBytes = false;

        bool hasTime(const EventView& event) const { return event.stream >= haveTimes.size() || haveTimes[event.stream]; }
    };
    const TypePlan& planOf(TracePlan& trace, const EventType& type) const;
    std::string nameOf(const EventType& type) const;

    void printText(const TracePlan& trace, const TypePlan& plan, Timestamp time, const EventView& event);
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

    std::int64_t m_second = 0; ///< Second that m_secondText shows; unused while m_secondText is empty.
    std::string m_secondText;

    const std::byte* m_packet = nullptr; ///< Packet that m_packetText shows; nullptr if none.
    FieldTypePtr m_packetContext; ///< Type of the context that m_packetText shows.
    std::string m_packetText;
};

} // namespace helio
