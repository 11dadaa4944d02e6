#pragma once

#include "core/symbol/files/elf_file.h"
#include "core/symbol/symbol.h"

#include <functional>
#include <memory>
#include <string>

namespace helio {

/// Converts machine code to the text that objdump prints (AT&T syntax on x86-64).
///
/// Threads: to be used by one thread at a time.
/// Cost: about 1 us per instruction.
class Disassembler {
public:
    /// Callback that returns the symbol at an address, such as "sym+0x10"; an empty text if no symbol is known there.
    using NameAt = std::function<std::string(std::uint64_t)>;

    /// Returns a disassembler; nullptr if the machine is not supported.
    static std::unique_ptr<Disassembler> make(ElfMachine machine);
    virtual ~Disassembler() = default;

    /// Disassembles `code`, whose first byte is at `vaddr`. Invalid bytes become the instruction "(bad)", and disassembly continues after
    /// them.
    virtual std::vector<Instruction> read(std::span<const std::byte> code, std::uint64_t vaddr, const NameAt& nameAt) = 0;
};

} // namespace helio
