#pragma once

#include "core/symbol/files/elf_file.h"
#include "core/symbol/lines/debug_info.h"
#include "core/symbol/symbol.h"
#include "core/symbol/tables/symbol_table.h"

#include <functional>

namespace helio {

/// Converts a vaddr (a virtual address in the ELF file) to an address as Module::kind defines it.
using AddressConverter = std::function<std::uint64_t(std::uint64_t)>;

/// Sets `code.instructions`, or `code.noCodeReason` if the instructions cannot be read.
void readCode(FunctionCode& code, const ElfFile& file, const SymbolTable& table, const SymbolTable::Entry& function,
              const AddressConverter& toTerms);

/// Sets `code.lines`, or `code.noLinesReason` if no lines are known. `info` may be nullptr; `whyNone` is then the reason.
void readLines(FunctionCode& code, DebugInfo* info, const SymbolTable::Entry& function, const AddressConverter& toTerms,
               const std::string& whyNone);

} // namespace helio
