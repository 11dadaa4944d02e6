#include "core/formats/call_log/call_tool.h"

#include "core/base/line_reader.h"
#include "core/formats/call_log/call_line.h"
#include "core/formats/call_log/stack_line.h"
#include "core/trace/tracepoint/syscall_names.h"

namespace helio::calllog {

using namespace text;

namespace {

/// True if the table of calls of `perf trace -s` follows. `lines` is at the line after the heading "Summary of events:", which other texts
/// may have, too.
bool hasPerfTable(LineReader lines)
{
    constexpr int Tried = 10;
    std::string_view line;
    for (int i = 0; i < Tried && lines.next(line); ++i)
        if (trimmed(line).starts_with("syscall ") && line.find(" calls") != std::string_view::npos)
            return true;
    return false;
}

} // namespace

Tool findTool(std::string_view head, bool isWhole)
{
    constexpr int Tried = 50;
    LineReader lines(head);
    std::string_view line;
    CallLine parsed;
    int calls = 0;
    int systemCalls = 0;
    int others = 0;
    for (int i = 0; i < Tried && lines.next(line); ++i) {
        if (!lines.hasEnd() && !isWhole)
            break;
        if (trimmed(line).empty() || isFrameLine(line) || isToolMessage(line))
            continue;
        // Summary table: a log of strace -c, ltrace -c or perf trace -s contains only this table; a log of strace -C ends with it.
        if (isSummaryHead(line)) {
            if (calls > 0)
                break;
            if (line.find('%') == std::string_view::npos)
                return hasPerfTable(lines) ? Tool::PerfTrace : Tool::None;
            return line.find("syscall") != std::string_view::npos ? Tool::Strace : Tool::Ltrace;
        }
        if (!parseCallLine(line, true, parsed)) {
            ++others;
            continue;
        }
        if (parsed.timeKind == TimeKind::SinceStart)
            return Tool::PerfTrace;
        if (parsed.kind == CallLine::Kind::Signal || parsed.kind == CallLine::Kind::Exit || parsed.name.empty())
            continue;
        // Only ltrace prints "SYS_" before names, results of type void, and calls that do not return.
        if (parsed.isSystemCall || parsed.result.starts_with("<void>") || trimmed(line).ends_with("<no return ...>"))
            return Tool::Ltrace;
        ++calls;
        systemCalls += isSyscallName(parsed.name);
    }
    if (calls == 0 || others > calls)
        return Tool::None;
    // ltrace logs have some functions that are named like system calls, strace logs may have calls that are newer than this program.
    return 2 * systemCalls >= calls ? Tool::Strace : Tool::Ltrace;
}

bool isSummary(std::string_view head)
{
    LineReader lines(head);
    std::string_view line;
    CallLine parsed;
    for (int i = 0; i < 50 && lines.next(line); ++i) {
        if (isSummaryHead(line))
            return true;
        if (parseCallLine(line, false, parsed))
            return false;
    }
    return false;
}

bool hasTimes(std::string_view head, Tool tool)
{
    LineReader lines(head);
    std::string_view line;
    CallLine parsed;
    for (int i = 0; i < 50 && lines.next(line); ++i)
        if (parseCallLine(line, tool == Tool::Ltrace, parsed) && parsed.timeKind != TimeKind::None)
            return true;
    return false;
}

} // namespace helio::calllog
