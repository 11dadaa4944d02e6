#include "core/trace/tracepoint/printed_fields.h"

#include "core/base/line_reader.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace helio::tracepoint {
namespace {

using namespace text;

constexpr std::size_t MostFields = 64;

bool isNameCharacter(char c) { return isDigit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// True for fields with texts that users choose, such as "comm": "12" is a text there, not a number.
bool isAlwaysText(std::string_view name) { return name.ends_with("comm") || name == "name" || name == "filename" || name == "text"; }

/// Parses a number such as "55513", "0x1f", "-1", "001" or "55513 [ns]". With the option "fields" of ftrace, a number is printed twice:
/// "0xfffffffe (-2)". Returns false if the text is not a number.
bool readPrintedNumber(std::string_view text, std::int64_t& number)
{
    if (const std::size_t open = text.find(" ("); text.starts_with("0x") && text.ends_with(')') && open != std::string_view::npos)
        text = text.substr(open + 2, text.size() - open - 3);
    if (text.ends_with(']'))
        if (const std::size_t unit = text.find(" ["); unit != std::string_view::npos)
            text = text.substr(0, unit);
    const bool isHex = text.starts_with("0x");
    const char* const begin = text.data() + (isHex ? 2 : 0);
    const char* const end = text.data() + text.size();
    std::uint64_t positive = 0;
    auto read = std::from_chars(begin, end, positive, isHex ? 16 : 10);
    number = static_cast<std::int64_t>(positive);
    if (!isHex && read.ec != std::errc())
        read = std::from_chars(begin, end, number);
    return begin != end && read.ec == std::errc() && read.ptr == end;
}

void add(std::string_view name, std::string_view text, std::vector<StoredField>& fields)
{
    if (text.ends_with("==>"))
        text = trimmed(text.substr(0, text.size() - 3));
    StoredField field{name, text};
    if (name == "prev_state" && !text.empty() && !isDigit(text.front())) {
        field.number = taskState(text);
        field.kind = StoredField::Kind::Integer;
    } else if (name == "ret" && (text == "handled" || text == "unhandled")) { // irq_handler_exit prints a word for its number.
        field.number = text == "handled" ? 1 : 0;
        field.kind = StoredField::Kind::Integer;
    } else if (!isAlwaysText(name)) {
        if (readPrintedNumber(text, field.number))
            field.kind = StoredField::Kind::Integer;
    }
    fields.push_back(field);
}

/// Returns the position of the first "name=" at or after `from`, and sets `equals` to the position of its '='. Returns npos if there is
/// none.
std::size_t nextName(std::string_view text, std::size_t from, std::size_t& equals)
{
    for (equals = text.find('=', from); equals != std::string_view::npos; equals = text.find('=', equals + 1)) {
        std::size_t begin = equals;
        while (begin > from && isNameCharacter(text[begin - 1]))
            --begin;
        const bool isName = begin < equals && !isDigit(text[begin]) && (begin == 0 || isBlank(text[begin - 1]));
        if (isName)
            return begin;
    }
    return std::string_view::npos;
}

/// Parses a system call such as "NR 231 (0, 7f00, ...)" or "NR 231 = 0". Returns false if the text has neither form.
bool parseSystemCall(std::string_view text, std::vector<StoredField>& fields)
{
    if (!text.starts_with("NR "))
        return false;
    text.remove_prefix(3);
    const std::size_t end = text.find(' ');
    add("id", text.substr(0, end), fields);
    if (end == std::string_view::npos)
        return true;
    const std::string_view rest = trimmed(text.substr(end));
    if (rest.starts_with('='))
        add("ret", trimmed(rest.substr(1)), fields);
    else
        fields.push_back({"args", rest});
    return true;
}

/// Letters of the bits of the task state, from bit 0, as the kernel prints them (TASK_STATE_TO_CHAR_STR, include/linux/sched.h).
constexpr std::string_view KernelLetters = "SDTtXZPI";
/// Letters as libtraceevent prints them in perf script and trace-cmd report (plugin_sched_switch.c): it exchanges X and Z.
constexpr std::string_view PrettyLetters = "SDTtZXxW";

/// Returns the number with the bits of the letters in a text; bit i has the letter letters[i].
std::int64_t bitsOf(std::string_view text, std::string_view letters)
{
    std::int64_t bits = 0;
    for (const char letter : text)
        if (const std::size_t bit = letters.find(letter); bit != std::string_view::npos)
            bits |= std::int64_t{1} << bit;
    return bits;
}

/// Parses a thread "comm:pid [prio]" in perf's own format of sched_switch into three fields. Sets `state` to the text after the thread.
bool takeThread(std::string_view text, const std::array<std::string_view, 3>& names, std::string_view& state,
                std::vector<StoredField>& fields)
{
    const std::size_t open = text.rfind(" [");
    const std::size_t close = text.rfind(']');
    const std::size_t colon = open == std::string_view::npos ? open : text.rfind(':', open);
    if (colon == std::string_view::npos || close == std::string_view::npos || close < open)
        return false;
    add(names[0], text.substr(0, colon), fields);
    add(names[1], text.substr(colon + 1, open - colon - 1), fields);
    add(names[2], text.substr(open + 2, close - open - 2), fields);
    state = trimmed(text.substr(close + 1));
    return fields.back().isNumber();
}

bool parsePrettySwitch(std::string_view text, std::vector<StoredField>& fields)
{
    const std::size_t arrow = text.find(" ==> ");
    std::string_view state;
    std::string_view nothing;
    if (arrow == std::string_view::npos || !takeThread(text.substr(0, arrow), {"prev_comm", "prev_pid", "prev_prio"}, state, fields))
        return false;
    StoredField field{"prev_state", state, bitsOf(state, PrettyLetters)};
    field.kind = StoredField::Kind::Integer;
    fields.push_back(field);
    return takeThread(text.substr(arrow + 5), {"next_comm", "next_pid", "next_prio"}, nothing, fields);
}

} // namespace

std::int64_t taskState(std::string_view letters)
{
    return bitsOf(letters, KernelLetters) | (letters.find('+') == std::string_view::npos ? 0 : 0x100);
}

void parsePrintedFields(std::string_view event, std::string_view text, std::vector<StoredField>& fields)
{
    fields.clear();
    text = trimmed(text);
    if (text.empty() || parseSystemCall(text, fields))
        return;
    if (event.ends_with("sched_switch") && text.find("prev_comm=") == std::string_view::npos && parsePrettySwitch(text, fields))
        return;
    fields.clear();
    std::size_t equals = 0;
    std::size_t name = nextName(text, 0, equals);
    while (name == 0 || (name != std::string_view::npos && !fields.empty())) {
        std::size_t nextEquals = 0;
        const std::size_t next = fields.size() + 1 < MostFields ? nextName(text, equals + 1, nextEquals) : std::string_view::npos;
        add(text.substr(name, equals - name), trimmed(text.substr(equals + 1, next == std::string_view::npos ? next : next - equals - 1)),
            fields);
        name = next;
        equals = nextEquals;
        if (next == std::string_view::npos)
            return;
    }
    fields.clear();
    fields.push_back({"text", text});
}

} // namespace helio::tracepoint
