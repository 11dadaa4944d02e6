#pragma once

#include "core/symbol/files/elf_file.h"
#include "core/symbol/symbolizer.h"

#include <functional>
#include <memory>
#include <vector>

namespace helio {

/// The DWARF of one file: lines, and what was inlined where. A compilation unit is read when an address in it is first asked for; when
/// what was read grows beyond a bound all of it is given back and read again as needed.
///
/// Threads: any at once; they wait for each other.
/// Errors:  what is damaged is left out.
/// Cost:    the first question reads the unit headers, the first one in a unit all of the unit; then microseconds.
class DebugInfo {
public:
    /// Finds dwz's shared part by name and build-id (hex); may be empty.
    using FindShared = std::function<std::shared_ptr<const ElfFile>(const std::string& name, const std::string& buildId)>;

    /// Null: the file has no debug information. `mostBytes`: the bound, about; libdw keeps all it has read until it is closed.
    static std::shared_ptr<DebugInfo> make(std::shared_ptr<const ElfFile> file, FindShared findShared = {},
                                           std::size_t mostBytes = std::size_t{256} << 20);
    virtual ~DebugInfo() = default;

    /// The functions at `vaddr`, innermost first, with lines; the last one is not inlined. Empty: nothing is known.
    virtual std::vector<SymbolFrame> framesAt(std::uint64_t vaddr) = 0;
    /// The line of every instruction in [begin, end), in order of address; what has none is left out.
    virtual std::vector<LineRange> linesOf(std::uint64_t begin, std::uint64_t end) = 0;
};

} // namespace helio
