#include "core/query/events/system_call_fields.h"

#include "core/query/events/events.h"

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

namespace helio {

namespace {

/// Returns the fields of the event of `thread` at time `at` with a name that consists of one of `prefixes` and `call`, or of one of
/// `prefixes` without its last character: "sys_enter" of all calls, without its field `id`, the number of the call. The result is empty if
/// there is no such event.
std::vector<NamedValue> fieldsAt(NearbyEvents& events, const Row& thread, Timestamp at, std::string_view call,
                                 std::initializer_list<std::string_view> prefixes, const std::stop_token& stop)
{
    for (const EventRow& event : events.eventsAt(at, stop)) {
        if (event.trace != thread.trace || event.tid != thread.tid)
            continue;
        std::string_view name = event.name;
        name.remove_prefix(name.rfind(':') + 1); // Event names of perf and ftrace may begin with the group: "syscalls:sys_enter_read".
        for (const std::string_view prefix : prefixes) {
            const bool isOfAllCalls = name == prefix.substr(0, prefix.size() - 1);
            if (!isOfAllCalls && !(name.starts_with(prefix) && name.substr(prefix.size()) == call))
                continue;
            std::vector<NamedValue> fields = event.fields;
            if (isOfAllCalls)
                std::erase_if(fields, [](const NamedValue& field) { return field.name == "id"; });
            return fields;
        }
    }
    return {};
}

/// Returns fields as one text: "3, buf=0x1, count=8". Fields in `unnamed` are written without their name.
std::string joined(const std::vector<NamedValue>& fields, std::initializer_list<std::string_view> unnamed)
{
    std::string text;
    for (const NamedValue& field : fields) {
        text += text.empty() ? "" : ", ";
        if (std::ranges::find(unnamed, field.name) == unnamed.end())
            (text += field.name) += '=';
        text += displayText(field.value);
    }
    return text;
}

} // namespace

bool isSystemCall(const StateKind& state)
{
    return state.meaning == StateCategory::OnCpuSyscall || state.style.has(StateFlag::ActivityKnown);
}

SystemCallReader::Events SystemCallReader::read(const Row& thread, TimeRange range, std::string_view call, const std::stop_token& stop)
{
    return {fieldsAt(m_entries, thread, range.begin, call, {"syscall_entry_", "compat_syscall_entry_", "sys_enter_"}, stop),
            fieldsAt(m_exits, thread, range.end, call, {"syscall_exit_", "compat_syscall_exit_", "sys_exit_"}, stop)};
}

SystemCallFields readSystemCall(const std::shared_ptr<const Timeline>& timeline, const Row& thread, TimeRange range, std::string_view call,
                                const std::stop_token& stop)
{
    auto [entry, exit] = SystemCallReader(timeline).read(thread, range, call, stop);
    SystemCallFields fields;
    fields.arguments = joined(entry, {"args"});
    // `result` contains only the result: the other arguments of the exit event repeat those of the entry event. If the event has the text
    // `result`, the number `ret` is left out, because the text contains it.
    const auto has = [&](std::string_view name) { return std::ranges::find(exit, name, &NamedValue::name) != exit.end(); };
    const bool hasText = has("result");
    if (const auto it = std::ranges::find(exit, "stack", &NamedValue::name); it != exit.end())
        fields.stack = displayText(it->value);
    std::erase_if(exit, [&](const NamedValue& field) {
        return field.name == "args" || field.name == "error" || field.name == "stack" || (hasText && field.name == "ret");
    });
    fields.result = joined(exit, {"ret", "result"});
    return fields;
}

} // namespace helio
