#include "core/query/events/system_call_fields.h"

#include "core/query/events/events.h"

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

namespace helio {

namespace {

/// Returns the fields of the event of `thread` at time `at` with a name that consists of one of `prefixes` and `call`. The result is empty
/// if the thread has no event of that name at that time.
std::vector<NamedValue> fieldsAt(EventTable& table, const Row& thread, Timestamp at, std::string_view call,
                                 std::initializer_list<std::string_view> prefixes, const std::stop_token& stop)
{
    constexpr std::size_t MostAtOnce = 64; // Maximum number of events with the same time that are read.
    for (EventRow& event : table.rows(table.indexAt(at, stop), MostAtOnce, stop)) {
        if (event.time != at)
            break;
        std::string_view name = event.name;
        if (event.trace != thread.trace || event.tid != thread.tid || !name.ends_with(call))
            continue;
        name.remove_prefix(name.rfind(':') + 1); // Event names of perf and ftrace may begin with the group: "syscalls:sys_enter_read".
        for (const std::string_view prefix : prefixes)
            if (name.starts_with(prefix) && name.size() == prefix.size() + call.size())
                return std::move(event.fields);
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

SystemCallFields readSystemCall(const std::shared_ptr<const Timeline>& timeline, const Row& thread, TimeRange range, std::string_view call,
                                const std::stop_token& stop)
{
    EventTable table(timeline);
    const auto entry = fieldsAt(table, thread, range.begin, call, {"syscall_entry_", "sys_enter_"}, stop);
    auto exit = fieldsAt(table, thread, range.end, call, {"syscall_exit_", "sys_exit_"}, stop);
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
