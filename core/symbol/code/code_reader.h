#pragma once

#include "core/symbol/files/elf_file.h"
#include "core/symbol/function_code.h"
#include "core/symbol/lines/debug_info.h"
#include "core/symbol/tables/symbol_table.h"

#include <functional>

namespace helio {

/// From the file's vaddr to the module's terms.
using ToTerms = std::function<std::uint64_t(std::uint64_t)>;

/// Fills the instructions, or says why there are none.
void readCode(FunctionCode& code, const ElfFile& file, const SymbolTable& table, const SymbolTable::Entry& function,
              const ToTerms& toTerms);

/// Fills the lines, or says why there are none. `info` may be null.
void readLines(FunctionCode& code, DebugInfo* info, const SymbolTable::Entry& function, const ToTerms& toTerms, const std::string& whyNone);

} // namespace helio
