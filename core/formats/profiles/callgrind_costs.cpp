#include "core/formats/profiles/callgrind_costs.h"

#include "core/base/line_reader.h"
#include "core/formats/profiles/limits.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <unordered_map>

// Source: "Callgrind Format Specification" in the manual of Valgrind.

namespace helio::profiles {
namespace {

using text::LineReader;
using text::takeWord;
using text::trimmed;

constexpr std::size_t MostCallgrindEvents = 64;

/// Numbered names of one kind (functions, files or objects). A profile may abbreviate a name: "(3) main" gives the name "main" the number
/// 3, and later "(3)" stands for "main".
class CompressedNames {
public:
    /// Returns the full name for `written`, which may be abbreviated; nullopt if the profile has not defined its number.
    std::optional<std::string_view> nameOf(std::string_view written)
    {
        written = trimmed(written);
        const std::size_t close = written.starts_with('(') ? written.find(')') : std::string_view::npos;
        std::uint64_t number = 0;
        if (close == std::string_view::npos || !text::readNumber(written.substr(1, close - 1), number))
            return written;
        const std::string_view name = trimmed(written.substr(close + 1));
        if (!name.empty())
            return m_names[number] = name;
        const auto known = m_names.find(number);
        return known == m_names.end() ? std::nullopt : std::optional(known->second);
    }

private:
    std::unordered_map<std::uint64_t, std::string_view> m_names;
};

/// Appends each distinct name once to a list and returns its index in the list. Index 0 stands for an unknown name.
class NameIndex {
public:
    explicit NameIndex(std::vector<std::string_view>& names)
        : m_names(names)
    {
    }
    std::uint32_t indexOf(std::string_view name)
    {
        if (name == "???") // Valgrind writes "???" for an unknown name.
            name = {};
        const auto [known, isNew] = m_index.emplace(name, static_cast<std::uint32_t>(m_names.size()));
        if (isNew)
            m_names.push_back(name);
        return known->second;
    }

private:
    std::vector<std::string_view>& m_names;
    std::map<std::string_view, std::uint32_t> m_index{{{}, 0}};
};

class CostReader {
public:
    CostReader(std::string_view text, SampleRecording& recording)
        : m_lines(text)
        , m_recording(recording)
    {
    }

    Result<CallgrindCosts> run(const std::stop_token& stop)
    {
        std::string_view line;
        while (m_lines.next(line)) {
            if (m_lines.number() % StopStep == 0 && stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            line = trimmed(line);
            if (!line.empty() && !line.starts_with('#'))
                take(line);
        }
        if (m_costs.events.empty())
            return Error{Error::Kind::Corrupt, "the profile names no events (\"events:\")"};
        if (!m_lines.hasEnd() && m_lines.number() > 0)
            report("cut-text", "the text ends within a line; its last number may be truncated", Diagnostic::Severity::Info);
        return std::move(m_costs);
    }

private:
    void report(const char* kind, const std::string& what, Diagnostic::Severity severity = Diagnostic::Severity::Warning)
    {
        m_recording.events.report(kind, m_lines.number(), m_lines.offset(), what, severity);
    }

    void take(std::string_view line)
    {
        if (text::isDigit(line.front()) || line.front() == '+' || line.front() == '-' || line.front() == '*')
            return takeCosts(line);
        const std::size_t mark = line.find_first_of("=:");
        if (mark == std::string_view::npos)
            return report("bad-line", "neither costs nor a name; skipped");
        const std::string_view key = line.substr(0, mark);
        const std::string_view value = trimmed(line.substr(mark + 1));
        if (line[mark] == ':')
            return takeHeader(key, value);
        if (key == "fl" || key == "fi" || key == "fe")
            m_file = m_fileIndex.indexOf(nameOf(m_fileNames, value));
        else if (key == "ob")
            m_object = nameOf(m_objectNames, value);
        else if (key == "fn")
            m_function = functionOf(m_object, nameOf(m_functionNames, value), m_file);
        else if (key == "cob")
            m_calledObject = nameOf(m_objectNames, value);
        else if (key == "cfi" || key == "cfl")
            m_calledFile = m_fileIndex.indexOf(nameOf(m_fileNames, value));
        else if (key == "cfn")
            m_callee = functionOf(m_calledObject.value_or(m_object), nameOf(m_functionNames, value), m_calledFile.value_or(m_file));
        else if (key == "calls") {
            m_isCall = true;
            std::string_view rest = value;
            if (!text::readNumber(takeWord(rest), m_calls) || m_calls > LargestSum - m_callSum) {
                report("bad-calls", "a number of calls is no number, or too large; it counts as 0");
                m_calls = 0;
            }
            if (!m_callee)
                report("unknown-callee", "a call without a called function (\"cfn=\"); its costs are missing");
        } else if (key == "jump" || key == "jcnd")
            m_isJump = true; // The position of the jump is in the next line.
        else if (key == "jfi")
            nameOf(m_fileNames, value); // Target of a jump in another file or function. Later lines may refer to the name by its number.
        else if (key == "jfn")
            nameOf(m_functionNames, value);
        else
            report("unknown-line", "a line of an unknown kind; skipped", Diagnostic::Severity::Info);
    }

    std::string_view nameOf(CompressedNames& names, std::string_view written)
    {
        const auto name = names.nameOf(written);
        if (!name)
            report("unknown-name", "the number of a name was not defined; the name is missing");
        return name.value_or(std::string_view());
    }

    void takeHeader(std::string_view key, std::string_view value)
    {
        if (key == "events") {
            std::vector<std::string_view> events;
            for (std::string_view rest = value; !rest.empty() && events.size() < MostCallgrindEvents;)
                events.push_back(takeWord(rest));
            if (m_costs.events.empty())
                m_costs.events = std::move(events);
            else if (events != m_costs.events)
                report("other-events", "a part of the profile has other events; its costs are not told apart");
        } else if (key == "positions") {
            m_hasInstructions = value.find("instr") != std::string_view::npos;
            m_hasLines = value.find("line") != std::string_view::npos || !m_hasInstructions;
        } else if (key == "cmd" && m_costs.command.empty()) {
            m_costs.command = value;
            m_recording.addFact(key, value);
        } else if (key == "cmd" || key == "creator" || key == "pid" || key == "desc" || key == "event")
            m_recording.addFact(key, value);
    }

    std::uint32_t functionOf(std::string_view object, std::string_view name, std::uint32_t file)
    {
        if (object == "???")
            object = {};
        const auto [known, isNew] =
            m_functionIndex.emplace(std::tuple(object, file, name), static_cast<std::uint32_t>(m_costs.functions.size()));
        if (isNew)
            m_costs.functions.push_back({object, name == "???" ? std::string_view() : name});
        return known->second;
    }

    /// Reads a position, i.e. a line number or an address, into `position`. Before the call, `position` is that of the last cost line: "+3"
    /// and "-3" are relative to it, and "*" repeats it. Returns false if `word` is not a position.
    static bool readPosition(std::string_view word, std::uint64_t& position)
    {
        if (word == "*")
            return true;
        const char sign = word.starts_with('+') || word.starts_with('-') ? word.front() : '=';
        if (sign != '=')
            word.remove_prefix(1);
        const int base = word.starts_with("0x") ? 16 : 10;
        if (base == 16)
            word.remove_prefix(2);
        std::uint64_t number = 0;
        const auto read = std::from_chars(word.data(), word.data() + word.size(), number, base);
        if (read.ec != std::errc() || read.ptr != word.data() + word.size())
            return false;
        position = sign == '+' ? position + number : sign == '-' ? position - number : number;
        return true;
    }

    void takeCosts(std::string_view line)
    {
        const bool isCall = std::exchange(m_isCall, false);
        const auto callee = isCall ? std::exchange(m_callee, std::nullopt) : std::nullopt;
        if (isCall) {
            m_calledObject.reset();
            m_calledFile.reset();
        }
        bool isGood = true;
        if (m_hasInstructions)
            isGood &= readPosition(takeWord(line), m_instruction);
        if (m_hasLines)
            isGood &= readPosition(takeWord(line), m_line);
        if (std::exchange(m_isJump, false))
            return;
        if (!isGood)
            return report("bad-position", "a position is no number; the costs are missing");
        if (!m_function)
            return report("no-function", "costs without a function (\"fn=\"); they are missing");
        if (m_costs.events.empty())
            return report("no-events", "costs before the names of the events; they are missing");
        if (isCall && !callee)
            return; // take() has already reported the call without a called function.
        const std::size_t begin = m_costs.values.size();
        std::uint64_t largest = 0;
        while (m_costs.values.size() < begin + m_costs.events.size() && !line.empty()) {
            std::uint64_t value = 0;
            if (!text::readNumber(takeWord(line), value) || value > LargestSum - m_sum) {
                m_costs.values.resize(begin);
                return report("bad-cost", "a cost is no number, or too large; the costs of the line are missing");
            }
            m_costs.values.push_back(value);
            largest = std::max(largest, value);
        }
        m_sum += largest;
        m_callSum += isCall ? m_calls : 0;
        m_costs.costs.push_back({*m_function, callee.value_or(CallgrindCost::NoCallee), m_file,
                                 m_hasLines && m_line <= INT32_MAX ? static_cast<std::uint32_t>(m_line) : 0, isCall ? m_calls : 0, begin,
                                 m_costs.values.size() - begin});
    }

    LineReader m_lines;
    SampleRecording& m_recording;
    CallgrindCosts m_costs;
    CompressedNames m_fileNames;
    CompressedNames m_functionNames;
    CompressedNames m_objectNames;
    NameIndex m_fileIndex{m_costs.files};
    std::map<std::tuple<std::string_view, std::uint32_t, std::string_view>, std::uint32_t>
        m_functionIndex; ///< Indices into CallgrindCosts::functions, keyed by object, file index and function name.
    bool m_hasInstructions = false; ///< True if each cost line begins with the address of an instruction.
    bool m_hasLines = true;
    std::uint32_t m_file = 0; ///< Index into CallgrindCosts::files of the current source file ("fl=", "fi=" or "fe=").
    std::string_view m_object; ///< Path of the current object, i.e. of the program or library ("ob=").
    std::optional<std::uint32_t> m_function; ///< Current function ("fn=") in CallgrindCosts::functions; nullopt if none.
    std::optional<std::string_view> m_calledObject; ///< Object of the next called function ("cob="); nullopt if it is m_object.
    std::optional<std::uint32_t> m_calledFile; ///< File index of the next called function ("cfi=" or "cfl="); nullopt if it is m_file.
    std::optional<std::uint32_t> m_callee; ///< Next called function ("cfn=") in CallgrindCosts::functions; nullopt if unknown.
    bool m_isCall = false; ///< True if the next cost line contains the cost of calls, i.e. follows a line "calls=".
    std::uint64_t m_calls = 0; ///< Number of calls in the last line "calls=".
    std::uint64_t m_callSum = 0; ///< Number of all calls so far.
    bool m_isJump = false; ///< True if the next cost line contains only the position of a jump.
    std::uint64_t m_instruction = 0;
    std::uint64_t m_line = 0; ///< Source line number in the last cost line; relative line numbers refer to it.
    std::uint64_t m_sum = 0; ///< Sum of the largest cost of each cost line; no event has a larger total cost.
};

} // namespace

Result<CallgrindCosts> readCallgrindCosts(std::string_view text, SampleRecording& recording, const std::stop_token& stop)
{
    return CostReader(text, recording).run(stop);
}

} // namespace helio::profiles
