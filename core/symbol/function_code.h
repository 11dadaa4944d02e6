#pragma once

#include "core/symbol/symbol.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace helio {

/// One machine instruction. Addresses are in the terms of the module's addresses.
struct Instruction {
    enum class Kind : std::uint8_t { Other, Jump, ConditionalJump, Call, Return };

    std::uint64_t address = 0;
    std::uint64_t target = 0; ///< Of a direct jump or call; 0: none.
    Kind kind = Kind::Other;
    std::uint8_t size = 0; ///< Bytes.
    std::array<std::uint8_t, 15> bytes{};
    std::string text; ///< As objdump and perf annotate print it (AT&T syntax); "(bad)" for what is no instruction.
};

/// A function as annotate shows it.
struct FunctionCode {
    Symbol symbol; ///< At its first address.
    std::uint64_t fileAddress = 0; ///< Of its first byte, as the file's own symbols (and objdump) have it.
    std::vector<Instruction> instructions; ///< By address. Empty: see whyNoCode.
    std::vector<LineRange> lines; ///< By address. Empty: see whyNoLines.
    std::string whyNoCode; ///< What was tried and what can be done.
    std::string whyNoLines;
    bool isCut = false; ///< The function is longer than what is shown.
};

} // namespace helio
