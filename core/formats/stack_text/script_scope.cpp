#include "core/formats/stack_text/script_scope.h"

#include "core/base/line_reader.h"

#include <algorithm>

namespace helio::stacktext {
namespace {

using namespace text;

/// Returns the number in the field `name`; -1 if there is none.
std::int32_t numberIn(std::span<const StoredField> fields, std::string_view name)
{
    const auto field = std::ranges::find(fields, name, &StoredField::name);
    return field != fields.end() && field->isNumber() && field->number >= 0 && field->number <= INT32_MAX
        ? static_cast<std::int32_t>(field->number)
        : -1;
}

} // namespace

void ScriptScope::takeCommand(std::string_view command)
{
    takeWord(command);
    takeWord(command); // Skips "perf record".
    // perf's own options end at "--" or at the program to record, which is the first word that neither is an option nor follows one.
    bool isAfterOption = true;
    while (!command.empty()) {
        const std::string_view word = takeWord(command);
        const bool isOption = word.starts_with('-');
        if (word == "--" || (!isOption && !isAfterOption))
            return;
        m_isCommandForAll = m_isCommandForAll || word == "-a" || word == "--all-cpus" || word == "-ag" || word == "-ga";
        isAfterOption = isOption;
    }
}

void ScriptScope::take(const ParsedSampleHead& head, std::span<const StoredField> fields)
{
    const std::int64_t time = head.time.value_or(0);
    m_last = std::max(m_last, time);
    if (head.tid >= 0)
        m_tids.insert(head.tid);
    if (!head.event.ends_with("sched_switch") || head.cpu < 0)
        return;
    SwitchIn& current = m_switchIns[head.cpu];
    const std::int32_t left = numberIn(fields, "prev_pid");
    m_isContradicted = m_isContradicted || (left >= 0 && current.tid >= 0 && left != current.tid);
    current = {numberIn(fields, "next_pid"), time};
}

std::vector<std::int32_t> ScriptScope::recordedThreads() const
{
    // Samples of the idle thread prove that all threads were recorded; text of selected threads (perf script --tid) contradicts -a.
    const auto isUnseen = [&](const auto& it) { return !m_tids.contains(it.second.tid) && it.second.time < m_last; };
    const bool isAll = m_switchIns.empty() || m_tids.contains(0)
        || (!m_isContradicted && (m_isCommandForAll || std::ranges::none_of(m_switchIns, isUnseen)));
    if (isAll)
        return {};
    std::vector<std::int32_t> threads(m_tids.begin(), m_tids.end());
    std::ranges::sort(threads);
    return threads;
}

} // namespace helio::stacktext
