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
    /// Returns a name such as "sym+0x10" for an address; empty if no symbol is known there.
    using NameAt = std::function<std::string(std::uint64_t)>;

    /// Returns nullptr if the machine is not supported.
    static std::unique_ptr<Disassembler> make(ElfMachine machine);
    virtual ~Disassembler() = default;

    /// Disassembles `code`, which lies at `vaddr`. Invalid bytes become the instruction "(bad)", and reading continues after them.
    virtual std::vector<Instruction> read(std::span<const std::byte> code, std::uint64_t vaddr, const NameAt& nameAt) = 0;
};

} // namespace helio
