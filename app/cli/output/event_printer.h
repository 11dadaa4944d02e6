#pragma once

#include "app/cli/output/field_plan.h"
#include "app/cli/output/output.h"
#include "core/experiment/timeline.h"
#include "core/trace/fields/field_value.h"

#include <memory>

namespace helio {

/// Writes events one by one, as text, csv or lines of JSON; nothing is kept but how to write them. One thread; the timeline outlives it.
class EventPrinter {
public:
    EventPrinter(Output& output, OutputFormat format, const Timeline& timeline);
    ~EventPrinter() { flush(); }

    void print(std::uint32_t trace, Timestamp time, const EventView& event);

private:
    /// How an event type is written.
    struct TypePlan {
        std::string name; ///< With what stands around it.
        FieldPlan fields;
        FieldPlan context;
    };
    struct TracePlan {
        std::vector<std::unique_ptr<TypePlan>> types; ///< By EventTypeId; made when the first comes.
        std::string head; ///< Text: host and trace. JSON: the trace's number.
        std::vector<std::string> streams; ///< JSON: by stream.
        std::vector<bool> haveTimes; ///< By stream.
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

    std::int64_t m_second = 0; ///< The one that m_secondText is of; empty: none yet.
    std::string m_secondText;

    const std::byte* m_packet = nullptr; ///< The one that m_packetText is of.
    FieldTypePtr m_packetContext; ///< Its type.
    std::string m_packetText;
};

} // namespace helio
