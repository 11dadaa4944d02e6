#pragma once

#include "core/symbol/files/elf_file.h"
#include "core/symbol/function_code.h"

#include <functional>
#include <memory>
#include <string>

namespace helio {

/// Machine code to text as objdump prints it (AT&T syntax on x86-64).
///
/// Threads: one at a time each.
/// Cost:    about a microsecond an instruction.
class Disassembler {
public:
    /// "sym+0x10" for an address; empty: nothing is known there.
    using NameAt = std::function<std::string(std::uint64_t)>;

    /// Null: not a machine that it can read.
    static std::unique_ptr<Disassembler> make(Machine machine);
    virtual ~Disassembler() = default;

    /// The instructions in `code`, which lies at `vaddr`. Bytes that are none become "(bad)", and reading goes on behind them.
    virtual std::vector<Instruction> read(std::span<const std::byte> code, std::uint64_t vaddr, const NameAt& nameAt) = 0;
};

} // namespace helio
