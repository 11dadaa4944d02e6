#pragma once

#include "core/symbol/code/disassembler.h"

#include <capstone/capstone.h>
#include <string>

namespace helio {

/// Returns an x86-64 instruction as objdump prints it in AT&T syntax. It is built from capstone's operands, because capstone's own AT&T
/// text has size suffixes everywhere and decimal numbers.
std::string x86Text(csh handle, const cs_insn& instruction, const Disassembler::NameAt& nameAt);

/// Returns the target of a direct jump or call; 0 if the instruction has no direct target.
std::uint64_t x86Target(const cs_insn& instruction);

} // namespace helio
