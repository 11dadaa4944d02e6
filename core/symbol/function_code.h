#pragma once

#include "core/symbol/symbol.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace helio {

/// One machine instruction. Addresses are in the module's terms.
struct Instruction {
    enum class Kind : std::uint8_t { Other, Jump, ConditionalJump, Call, Return };

    std::uint64_t address = 0;
    std::uint64_t target = 0; ///< Target of a direct jump or call; 0 if there is none.
    Kind kind = Kind::Other;
    std::uint8_t size = 0; ///< Size in bytes.
    std::array<std::uint8_t, 15> bytes{};
    std::string text; ///< Text as objdump and perf annotate print it (AT&T syntax); "(bad)" for invalid bytes.
};

/// Code of a function, as perf annotate shows it.
struct FunctionCode {
    Symbol symbol; ///< Symbol at the function's first address.
    std::uint64_t fileAddress = 0; ///< Address of the function's first byte, as the file's own symbols (and objdump) have it.
    std::vector<Instruction> instructions; ///< Instructions by address; if empty, see noCodeReason.
    std::vector<LineRange> lines; ///< Source lines by address; if empty, see noLinesReason.
    std::string noCodeReason; ///< Sentence about what was tried and what the user can do.
    std::string noLinesReason;
    bool isCut = false; ///< True if the function is longer than the instructions read.
};

} // namespace helio
