#pragma once

#include "core/symbol/files/elf_file.h"
#include "core/symbol/symbolizer.h"

#include <functional>
#include <memory>
#include <vector>

namespace helio {

/// DWARF debug information of one file: source lines and inlined functions. The helper program heliograph-libdw reads it, because libdw may
/// crash or hang on damaged files. A compilation unit is read at the first query of an address in the unit. If the units use more memory
/// than the limit, all of them are discarded and read again as needed.
///
/// Threads: any thread at once; calls wait for each other.
/// Errors: damaged information is skipped. If the helper program dies or hangs, the query has no result, and the program is started again;
/// after three failures, problem() says so and there are no more results.
/// Cost: make() reads the headers of all units, and the first query in a unit reads the whole unit; later queries take about 20 us. At most
/// 24 helper processes are idle at the same time.
class DebugInfo {
public:
    /// Callback that finds the shared file of dwz by name and build-id (hex); may be empty.
    using FindShared = std::function<std::shared_ptr<const ElfFile>(const std::string& name, const std::string& buildId)>;

    /// Returns the debug information of a file; nullptr if the file has none. `mostBytes` is the approximate memory limit. The limit exists
    /// because libdw keeps all data it has read until it is closed. If libdw cannot read the file, `problem` is set to the reason.
    static std::shared_ptr<DebugInfo> make(std::shared_ptr<const ElfFile> file, const FindShared& findShared = {},
                                           std::size_t mostBytes = std::size_t{256} << 20, std::string* problem = nullptr);
    virtual ~DebugInfo() = default;

    /// Returns the functions at `vaddr` with source lines, innermost first; the last function is not inlined. Empty if none is known.
    virtual std::vector<SymbolFrame> framesAt(std::uint64_t vaddr) = 0;
    /// Returns the source lines of the instructions in [begin, end), sorted by address; instructions without a line are omitted.
    virtual std::vector<LineRange> linesOf(std::uint64_t begin, std::uint64_t end) = 0;
    /// Returns the reason why there are no more results; empty if there is no problem.
    virtual std::string problem() const = 0;
};

} // namespace helio
