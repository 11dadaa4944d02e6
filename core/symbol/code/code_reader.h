#pragma once

#include "core/symbol/files/elf_file.h"
#include "core/symbol/lines/debug_info.h"
#include "core/symbol/symbol.h"
#include "core/symbol/tables/symbol_table.h"

#include <functional>

namespace helio {

/// Converts a vaddr of the file to an address in the module's terms.
using AddressConverter = std::function<std::uint64_t(std::uint64_t)>;

/// Fills `code.instructions`, or `code.noCodeReason` with the reason why there are none.
void readCode(FunctionCode& code, const ElfFile& file, const SymbolTable& table, const SymbolTable::Entry& function,
              const AddressConverter& toTerms);

/// Fills `code.lines`, or `code.noLinesReason` with the reason why there are none. `info` may be nullptr; then `whyNone` is the reason.
void readLines(FunctionCode& code, DebugInfo* info, const SymbolTable::Entry& function, const AddressConverter& toTerms,
               const std::string& whyNone);

} // namespace helio
