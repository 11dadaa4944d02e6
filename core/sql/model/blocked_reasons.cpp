#include "core/sql/model/blocked_reasons.h"

#include "core/query/events/event_walk.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/timeline_access.h"
#include "core/symbol/symbolizer.h"
#include "core/trace/fields/field_ref.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace helio::sql {
namespace {

constexpr std::string_view EventName = "sched_blocked_reason";

/// Returns a function's name without the offset in it, e.g. "folio_wait_bit" of "folio_wait_bit+0x13d/0x2b0".
std::string_view withoutOffset(std::string_view function)
{
    function = function.substr(0, function.find('+'));
    return function.starts_with("0x") ? std::string_view() : function;
}

/// Returns the kernel's function at an address; empty if it is unknown.
std::string kernelFunction(const Timeline& timeline, const Trace& trace, std::uint64_t address)
{
    for (const Module& module : trace.modules()) {
        if (!module.isKernel() || !timeline.symbolizer || address < module.begin
            || (module.size > 0 && address - module.begin >= module.size))
            continue;
        if (const Symbol symbol = timeline.symbolizer->resolve(module, address, false); !symbol.frames.empty())
            return symbol.frames.back().function;
    }
    return {};
}

} // namespace

/// Fields of the event in one trace.
struct BlockedReasons::Reader {
    struct Fields {
        FieldRef tid;
        FieldRef isIoWait;
        FieldRef caller;
    };
    std::map<EventTypeId, Fields> types;
    std::unordered_map<std::uint64_t, std::string> names; ///< Functions by address.

    explicit Reader(const Trace& trace)
    {
        for (const auto& type : trace.eventTypes())
            if (type->name == EventName || type->name.ends_with(':' + std::string(EventName))) {
                const auto ioWait = FieldRef(*type, Section::Payload, "io_wait");
                types[type->id] = {FieldRef(*type, Section::Payload, "pid"),
                                   ioWait.isValid() ? ioWait : FieldRef(*type, Section::Payload, "iowait"),
                                   FieldRef(*type, Section::Payload, "caller")};
            }
    }
};

BlockedReasons::BlockedReasons(std::shared_ptr<const RecordedThings> things)
    : m_things(std::move(things))
    , m_functions{{}}
{
}

bool BlockedReasons::prepare(const std::stop_token& stop)
{
    if (m_isPrepared)
        return true;
    const Timeline& timeline = m_things->timeline();
    std::vector<Reader> readers;
    for (const TimelineTrace& trace : timeline.traces)
        readers.emplace_back(*trace.trace);
    m_reasons.assign(m_things->threads().size(), {});
    m_functions.resize(1);
    std::map<std::string, std::uint32_t, std::less<>> numbers{{{}, 0}};
    if (std::ranges::all_of(readers, [](const Reader& reader) { return reader.types.empty(); })) {
        m_isPrepared = true;
        return true;
    }
    EventWalk walk(m_things->sharedTimeline(), rangeOf(timeline).begin, stop);
    while (walk.next() && !stop.stop_requested()) {
        Reader& reader = readers[walk.trace()];
        const EventView& event = walk.event();
        const auto fields = reader.types.find(event.type->id);
        if (fields == reader.types.end())
            continue;
        const auto& [tid, isIoWait, caller] = fields->second;
        const auto thread = m_things->threadWithTid(timeline.traces[walk.trace()].host, tid.integerOr(event, -1), walk.time());
        if (!thread)
            continue;
        BlockedReason reason{walk.time(), {}, 0};
        if (const auto flag = isIoWait.isValid() ? isIoWait.integer(event) : std::nullopt)
            reason.isIoWait = *flag != 0;
        std::string function;
        if (caller.isText()) {
            function = withoutOffset(caller.text(event));
        } else if (const auto address = caller.isValid() ? caller.integer(event) : std::nullopt) {
            const auto [known, isNew] = reader.names.try_emplace(static_cast<std::uint64_t>(*address));
            if (isNew)
                known->second = kernelFunction(timeline, *timeline.traces[walk.trace()].trace, static_cast<std::uint64_t>(*address));
            function = known->second;
        }
        const auto [number, isNew] = numbers.try_emplace(function, static_cast<std::uint32_t>(m_functions.size()));
        if (isNew)
            m_functions.push_back(function);
        reason.function = number->second;
        m_reasons[*thread].push_back(reason);
    }
    for (std::vector<BlockedReason>& reasons : m_reasons)
        std::ranges::stable_sort(reasons, {}, &BlockedReason::at);
    m_isPrepared = !stop.stop_requested();
    return m_isPrepared;
}

std::optional<BlockedReason> BlockedReasons::find(std::uint32_t thread, Timestamp from, Timestamp until) const
{
    const std::vector<BlockedReason>& reasons = m_reasons[thread];
    const auto found = std::ranges::upper_bound(reasons, from, {}, &BlockedReason::at);
    return found != reasons.end() && found->at <= until ? std::optional(*found) : std::nullopt;
}

} // namespace helio::sql
