#include "core/analyses/counters/counter_contexts.h"

#include "core/trace/fields/struct_layout.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

namespace helio::counters {
namespace {

struct Name {
    std::string counter; ///< Name in perf's spelling, e.g. "page-faults".
    bool isOfThread = false;
};

std::optional<Name> nameOf(std::string_view field, bool isOfPrograms)
{
    Name name{{}, isOfPrograms};
    for (const auto& [prefix, isOfThread] : {std::pair("perf_cpu_", false), {"perf_thread_", true}, {"perf_", isOfPrograms}}) {
        if (!field.starts_with(prefix))
            continue;
        name = {std::string(field.substr(std::string_view(prefix).size())), isOfThread};
        std::ranges::replace(name.counter, '_', '-');
        return name.counter.empty() ? std::nullopt : std::optional(name);
    }
    return {};
}

} // namespace

/// Only LTTng names counters like this; perf's converter has contexts like perf_ip and perf_period, which are no counters.
CounterContexts::CounterContexts(const Trace& trace)
    : m_contexts(trace.eventTypes().size())
{
    if (!trace.info().text("tracer_name").starts_with("lttng"))
        return;
    const bool isOfPrograms = trace.info().text("domain") == "ust";
    for (const auto& type : trace.eventTypes())
        for (const Section section : {Section::StreamContext, Section::EventContext}) {
            const FieldTypePtr& fields = type->section(section);
            const auto* members = fields ? std::get_if<StructType>(&fields->shape) : nullptr;
            if (!members)
                continue;
            for (const Member& member : members->members) {
                auto name = nameOf(member.name, isOfPrograms);
                FieldRef field = name ? FieldRef(*type, section, member.name) : FieldRef();
                if (field.isValid() && integerOf(*field.type()))
                    m_contexts[static_cast<std::size_t>(type->id)].push_back(
                        {counterNamed(std::move(name->counter)), name->isOfThread, std::move(field)});
            }
        }
}

std::size_t CounterContexts::counterNamed(std::string name)
{
    const auto known = std::ranges::find(m_counters, name, &Counter::name);
    const auto index = static_cast<std::size_t>(known - m_counters.begin());
    const bool isTime = name == "cpu-clock" || name == "task-clock"; // These counters count ns.
    if (known == m_counters.end())
        m_counters.push_back({std::move(name), isTime});
    return index;
}

} // namespace helio::counters
