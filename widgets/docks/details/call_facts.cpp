#include "widgets/docks/details/call_facts.h"

#include "core/query/events/events.h"
#include "core/query/rows/timeline_access.h"
#include "widgets/docks/details/details_view.h"
#include "widgets/time/qt_text.h"

namespace helio {

namespace {

/// Returns the fields of an event at time `at` by the thread in `details`. Its name must be one of `prefixes` followed by the system call's
/// name. Empty if there is no such event.
std::vector<NamedValue> fieldsAt(EventTable& table, const StateDetails& details, Timestamp at,
                                 std::initializer_list<std::string_view> prefixes, const std::stop_token& stop)
{
    constexpr std::size_t MostAtOnce = 64; // Maximum number of events with the same time that are read.
    const std::string call = details.value.toStdString();
    for (EventRow& event : table.rows(table.indexAt(at, stop), MostAtOnce, stop)) {
        if (event.time != at)
            break;
        std::string_view name = event.name;
        if (event.trace != details.row.trace || event.tid != details.row.tid || !name.ends_with(call))
            continue;
        name.remove_prefix(name.rfind(':') + 1); // Event names of perf and ftrace may begin with the group: "syscalls:sys_enter_read".
        for (const std::string_view prefix : prefixes)
            if (name.starts_with(prefix) && name.size() == prefix.size() + call.size())
                return std::move(event.fields);
    }
    return {};
}

/// Returns fields as one text: "3, buf=0x1, count=8". Fields in `unnamed` are written without their name.
QString joined(const std::vector<NamedValue>& fields, std::initializer_list<std::string_view> unnamed)
{
    QStringList parts;
    for (const NamedValue& field : fields) {
        const QString value = text(displayText(field.value));
        const bool isUnnamed = std::ranges::find(unnamed, field.name) != unnamed.end();
        parts << (isUnnamed ? value : text(field.name) + QStringLiteral("=") + value);
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace

void addCallFacts(const std::shared_ptr<const Timeline>& timeline, StateDetails& details, std::stop_token stop)
{
    const StateKind& state = details.state;
    const bool isCall = state.meaning == StateCategory::OnCpuSyscall || state.style.has(StateFlag::ActivityKnown);
    if (!isCall || details.value.isEmpty())
        return;
    EventTable table(timeline);
    const auto entry = fieldsAt(table, details, details.range.begin, {"syscall_entry_", "sys_enter_"}, stop);
    auto exit = fieldsAt(table, details, details.range.end, {"syscall_exit_", "sys_exit_"}, stop);
    if (const QString arguments = joined(entry, {"args"}); !arguments.isEmpty())
        details.facts.push_back({DetailsView::tr("Arguments"), arguments, {}, {}});
    // The line "Result" shows only the result: the other arguments of the exit event repeat those of the entry event. If the event has the
    // text `result`, the number `ret` is left out, because the text contains it.
    const auto has = [&](std::string_view name) { return std::ranges::find(exit, name, &NamedValue::name) != exit.end(); };
    const bool hasText = has("result");
    std::string stack;
    if (const auto it = std::ranges::find(exit, "stack", &NamedValue::name); it != exit.end())
        stack = displayText(it->value);
    std::erase_if(exit, [&](const NamedValue& field) {
        return field.name == "args" || field.name == "error" || field.name == "stack" || (hasText && field.name == "ret");
    });
    if (const QString result = joined(exit, {"ret", "result"}); !result.isEmpty())
        details.facts.push_back({DetailsView::tr("Result"), result, {}, {}});
    if (!stack.empty())
        details.facts.push_back({DetailsView::tr("Call stack"), text(stack), {}, {}});
}

} // namespace helio
