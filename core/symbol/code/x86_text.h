#pragma once

#include "core/symbol/code/disassembler.h"

#include <capstone/capstone.h>
#include <string>

namespace helio {

/// An x86-64 instruction as objdump prints it in AT&T syntax. capstone's own AT&T text has a size suffix everywhere and decimal numbers;
/// so this is written from its operands.
std::string x86Text(csh handle, const cs_insn& instruction, const Disassembler::NameAt& nameAt);

/// Where a direct jump or call goes; 0: not direct.
std::uint64_t x86Target(const cs_insn& instruction);

} // namespace helio
