#pragma once

#include "core/helper/wire.h"
#include "core/symbol/symbol.h"

#include <cstdint>
#include <string>
#include <vector>

// Messages between heliograph and heliograph-libdw. The helper program first sends Opened, then answers each request.

namespace helio {

constexpr HelperProgram Libdw{"heliograph-libdw", "libdw"};

enum class DebugInfoMessage : std::uint8_t {
    Opened, ///< An OpenedDebugInfo.
    FramesAt, ///< Request: vaddr. Answer: list of SymbolFrame.
    LinesOf ///< Request: begin and end vaddr. Answer: list of LineRange.
};

struct OpenedDebugInfo {
    bool hasUnits = false; ///< True if the file has debug information.
    std::vector<std::string> splitFiles; ///< Paths of files with split-off information (.dwo).
};

void parts(auto& wire, Is<OpenedDebugInfo> auto& it) { wire(it.hasUnits, it.splitFiles); }
void parts(auto& wire, Is<SourceLine> auto& it) { wire(it.file, it.line); }
void parts(auto& wire, Is<SymbolFrame> auto& it)
{
    wire(it.function, it.linkageName, it.source, it.isInlined, it.unit, it.declaration, it.isExternal);
}
void parts(auto& wire, Is<LineRange> auto& it) { wire(it.begin, it.end, it.source); }

} // namespace helio
