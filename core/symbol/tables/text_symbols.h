#pragma once

#include "core/base/result.h"
#include "core/symbol/tables/symbol_table.h"

#include <filesystem>
#include <memory>
#include <string>

namespace helio {

/// Names from lines of text: the kernel's kallsyms, and perf-PID.map of programs that compile themselves.
struct TextSymbols {
    SymbolTable table;
    bool isHidden = false; ///< All addresses were zero: kptr_restrict.
    std::uint64_t textAddress = 0; ///< kallsyms: of `_text`; 0: not there.
    std::uint64_t stextAddress = 0; ///< kallsyms: of `_stext`.
    std::uint64_t etextAddress = 0; ///< kallsyms: of `_etext`, where the kernel's text ends.
    /// kallsyms: of `_edata`, where its data end: new versions of perf record up to there, where it is listed.
    std::uint64_t edataAddress = 0;
};

/// Lines `hexaddress type name[\t[module]]`; kept are types T, W, D and B, as perf does. What is no such line is skipped.
TextSymbols kallsymsFrom(std::string text);

/// Lines `hexbegin hexsize name`.
TextSymbols perfMapFrom(std::string text);

/// The whole of a file, also of /proc, up to 512 MiB.
Result<std::string> textOf(const std::filesystem::path& path);

} // namespace helio
