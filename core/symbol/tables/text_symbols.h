#pragma once

#include "core/base/result.h"
#include "core/symbol/tables/symbol_table.h"

#include <filesystem>
#include <memory>
#include <string>

namespace helio {

/// Symbols from lines of text: the kernel's kallsyms, and perf-PID.map of programs that compile code at run time.
struct TextSymbols {
    SymbolTable table;
    bool isHidden = false; ///< True if all addresses are zero, because of kptr_restrict.
    std::uint64_t textAddress = 0; ///< kallsyms: address of `_text`; 0 if missing.
    std::uint64_t stextAddress = 0; ///< kallsyms: address of `_stext`; 0 if missing.
    std::uint64_t etextAddress = 0; ///< kallsyms: address of `_etext`, the end of the kernel's text; 0 if missing.
    /// kallsyms: address of `_edata`, the end of the kernel's data; 0 if missing. New versions of perf record the kernel up to it if it is
    /// listed.
    std::uint64_t edataAddress = 0;
};

/// Parses lines `hexaddress type name[\t[module]]`. Keeps the types T, W, D and B, like perf; skips all other lines.
TextSymbols kallsymsFrom(std::string text);

/// Parses lines `hexbegin hexsize name`.
TextSymbols perfMapFrom(std::string text);

/// Reads a whole file, also of /proc, up to 512 MiB.
Result<std::string> textOf(const std::filesystem::path& path);

} // namespace helio
