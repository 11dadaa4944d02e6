#pragma once

#include <cstdint>
#include <string_view>

namespace helio::calllog {

/// Tool that writes a log of calls.
enum class Tool : std::uint8_t { None, Strace, Ltrace, PerfTrace };

/// Returns the tool that wrote a text that begins with `head`; None for other texts. `head` may end within a line unless `isWhole`.
Tool findTool(std::string_view head, bool isWhole);

/// True if a text that begins with `head` has times.
bool hasTimes(std::string_view head, Tool tool);

/// True if a text that begins with `head` contains only the summary table of calls that strace -c, ltrace -c and perf trace -s
/// print.
bool isSummary(std::string_view head);

} // namespace helio::calllog
