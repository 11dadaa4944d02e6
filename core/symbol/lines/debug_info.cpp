#include "core/symbol/lines/debug_info.h"

#include "core/symbol/lines/die_scopes.h"

#include <algorithm>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <mutex>
#include <optional>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace helio {

namespace {

constexpr std::size_t BytesOfLine = 64; ///< Approximate number of bytes that libdw needs for a row of the line table.
constexpr std::size_t MaxUnits = 1'000'000;
constexpr std::size_t MaxUnitRanges = 8'000'000;
constexpr std::size_t MaxLineRanges = 1'000'000;

struct DwarfEnd {
    void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
};

/// Handle of libdw for one file. It needs its own copy of the bytes, because libdw decompresses sections, and libelf then changes section
/// headers in place. The order of members matters: they are destroyed in reverse order.
struct DwarfView {
    std::shared_ptr<const ElfFile> file;
    ElfHandle elf;
    std::unique_ptr<Dwarf, DwarfEnd> dwarf;

    explicit DwarfView(const ElfFile& of);
};

/// DWARF of a file, and of the shared file of dwz if it exists.
struct OpenDwarf {
    std::optional<DwarfView> shared;
    std::optional<DwarfView> main;
};

struct Unit {
    Dwarf_Off offset = 0; ///< Offset of the unit's DIE.
    bool isLoaded = false;
    bool isSplit = false;
    Dwarf_Die die{}; ///< DIE of the unit; valid if isLoaded.
    Dwarf_Lines* lines = nullptr;
    std::size_t lineCount = 0;
    Dwarf_Files* files = nullptr;
    std::size_t fileCount = 0;
    InlineScopes scopes;
};

struct UnitRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint32_t unit = 0;
};

class DwarfDebugInfo final : public DebugInfo {
public:
    DwarfDebugInfo(std::shared_ptr<const ElfFile> file, FindShared findShared, std::size_t mostBytes)
        : m_file(std::move(file))
        , m_findShared(std::move(findShared))
        , m_mostBytes(mostBytes)
    {
    }

    bool start();
    std::vector<SymbolFrame> framesAt(std::uint64_t vaddr) override;
    std::vector<LineRange> linesOf(std::uint64_t begin, std::uint64_t end) override;

private:
    bool open();
    Dwarf* dwarf() const { return m_open->main->dwarf.get(); }
    void openShared();
    void indexUnits();
    void addRanges(Dwarf_Die& die, std::uint32_t unit);
    Unit* unitAt(std::uint64_t vaddr);
    void load(Unit& unit);
    void forgetUnits();
    SourceLine lineAt(Unit& unit, std::uint64_t vaddr);
    SourceLine callOf(Unit& unit, Dwarf_Die& inlined);

    std::shared_ptr<const ElfFile> m_file;
    FindShared m_findShared;
    const std::size_t m_mostBytes;
    std::mutex m_mutex; ///< Guards all members below, because libdw may be used by one thread at a time only.
    std::shared_ptr<const ElfFile> m_sharedFile;
    std::optional<OpenDwarf> m_open;
    std::vector<Unit> m_units;
    std::vector<UnitRange> m_ranges; ///< Address ranges of units, sorted by start.
    DieScopes m_scopes; ///< DIEs (debugging information entries) that enclose functions, for the units of m_open.
    std::size_t m_readBytes = 0; ///< Estimated memory of m_units in bytes.
};

SourceLine sourceOf(const char* file, int line) { return {file ? file : "", line > 0 ? static_cast<std::uint32_t>(line) : 0U}; }

SymbolFrame frameOf(Dwarf_Die& function, DieScopes& scopes)
{
    SymbolFrame frame;
    frame.function = scopes.nameOf(function);
    const char* linkage = linkageNameOf(function);
    frame.linkageName = linkage ? linkage : frame.function;
    int line = 0;
    if (Dwarf_Die declared = scopes.declarationScope(function); dwarf_decl_line(&declared, &line) == 0)
        frame.declaration = sourceOf(dwarf_decl_file(&declared), line);
    frame.isExternal = dwarf_hasattr_integrate(&function, DW_AT_external) != 0;
    return frame;
}

bool DwarfDebugInfo::start()
{
    const std::lock_guard lock(m_mutex);
    if (m_file->isRelocatable() || !open())
        return false;
    indexUnits();
    return !m_units.empty();
}

/// Opens the file again, so that libdw gets bytes of its own, which may be changed. Returns nullptr if that fails.
std::shared_ptr<const ElfFile> ownView(const ElfFile& file)
{
    if (auto again = ElfFile::open(file.path());
        again && (*again)->bytes().size() == file.bytes().size() && (*again)->buildId() == file.buildId())
        return *again;
    // Copy the bytes if the file cannot be opened again (its contents are only in memory), or if it was replaced after it was opened.
    auto copy = ElfFile::fromBytes({file.bytes().begin(), file.bytes().end()}, file.path());
    return copy ? *copy : nullptr;
}

void makeHeadersWritable(Elf* elf, std::span<const std::byte> bytes)
{
    GElf_Ehdr header;
    if (!gelf_getehdr(elf, &header) || header.e_shoff >= bytes.size())
        return;
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto base = reinterpret_cast<std::uintptr_t>(bytes.data());
    std::size_t count = 0;
    const std::size_t size = elf_getshdrnum(elf, &count) == 0 ? count * header.e_shentsize : 0;
    const std::uintptr_t begin = (base + header.e_shoff) & ~(page - 1);
    const std::uintptr_t end = base + header.e_shoff + std::min<std::size_t>(size, bytes.size() - header.e_shoff);
    ::mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE);
}

/// Hides compressed sections that are not needed, because libdw decompresses all compressed sections at once. The locations of
/// variables, for example, are a sixth of the bytes.
void hideUnused(Elf* elf)
{
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || (header.sh_flags & SHF_COMPRESSED) == 0)
            continue;
        const char* const text = elf_strptr(elf, names, header.sh_name);
        const std::string_view name = text ? text : "";
        if (name != ".debug_loc" && name != ".debug_loclists" && name != ".debug_macro" && name != ".debug_frame")
            continue;
        header.sh_type = SHT_NOBITS;
        gelf_update_shdr(section, &header);
    }
}

DwarfView::DwarfView(const ElfFile& of)
    : file(ownView(of))
{
    if (!file)
        return;
    elf = libelfView(file->bytes());
    if (!elf)
        return;
    makeHeadersWritable(elf.get(), file->bytes());
    hideUnused(elf.get());
    dwarf.reset(dwarf_begin_elf(elf.get(), DWARF_C_READ, nullptr));
}

bool DwarfDebugInfo::open()
{
    m_open.emplace();
    m_open->main.emplace(*m_file);
    if (!dwarf())
        return false;
    openShared();
    return true;
}

void DwarfDebugInfo::openShared()
{
    const char* name = nullptr;
    const void* id = nullptr;
    const ssize_t size = dwelf_dwarf_gnu_debugaltlink(dwarf(), &name, &id);
    if (size <= 0 || size > 64 || !m_findShared)
        return;
    if (!m_sharedFile)
        m_sharedFile = m_findShared(name, hexOf({static_cast<const std::byte*>(id), static_cast<std::size_t>(size)}));
    if (!m_sharedFile)
        return;
    m_open->shared.emplace(*m_sharedFile);
    if (m_open->shared->dwarf)
        dwarf_setalt(dwarf(), m_open->shared->dwarf.get());
}

void DwarfDebugInfo::addRanges(Dwarf_Die& die, std::uint32_t unit)
{
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (std::ptrdiff_t at = 0; m_ranges.size() < MaxUnitRanges && (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0;)
        if (begin < end && begin != 0) // Skip ranges at address zero, which are code that the linker dropped.
            m_ranges.push_back({begin, end, unit});
}

void DwarfDebugInfo::indexUnits()
{
    Dwarf_CU* cu = nullptr;
    Dwarf_Die die{}, split{};
    std::uint8_t type = 0;
    while (m_units.size() < MaxUnits && dwarf_get_units(dwarf(), cu, &cu, nullptr, &type, &die, &split) == 0) {
        if (type != DW_UT_compile && type != DW_UT_skeleton)
            continue;
        Unit unit;
        unit.offset = dwarf_dieoffset(&die);
        const auto index = static_cast<std::uint32_t>(m_units.size());
        m_units.push_back(std::move(unit));
        addRanges(die, index);
    }
    std::ranges::stable_sort(m_ranges, {}, &UnitRange::begin);
}

Unit* DwarfDebugInfo::unitAt(std::uint64_t vaddr)
{
    if (m_readBytes + m_scopes.byteCount() > m_mostBytes)
        forgetUnits();
    auto range = std::ranges::upper_bound(m_ranges, vaddr, {}, &UnitRange::begin);
    for (int steps = 0; range != m_ranges.begin() && steps < 16; ++steps) {
        --range;
        if (vaddr >= range->end)
            continue;
        Unit& unit = m_units[range->unit];
        if (!unit.isLoaded)
            load(unit);
        return unit.lines || !unit.scopes.isEmpty() ? &unit : nullptr;
    }
    return nullptr;
}

void DwarfDebugInfo::forgetUnits()
{
    for (Unit& unit : m_units) {
        const Dwarf_Off offset = unit.offset;
        unit = {};
        unit.offset = offset;
    }
    m_readBytes = 0;
    m_scopes = {};
    if (!open())
        m_units.clear(), m_ranges.clear();
}

void DwarfDebugInfo::load(Unit& unit)
{
    unit.isLoaded = true;
    Dwarf_Die die{}, split{};
    std::uint8_t type = 0;
    if (!dwarf_offdie(dwarf(), unit.offset, &unit.die)
        || dwarf_cu_info(unit.die.cu, nullptr, &type, &die, &split, nullptr, nullptr, nullptr) != 0)
        return;
    if (dwarf_getsrclines(&unit.die, &unit.lines, &unit.lineCount) != 0)
        unit.lines = nullptr, unit.lineCount = 0;
    if (type == DW_UT_skeleton && split.cu)
        unit.die = split;
    if (dwarf_getsrcfiles(&unit.die, &unit.files, &unit.fileCount) != 0)
        unit.files = nullptr, unit.fileCount = 0;
    unit.scopes.read(unit.die);
    m_readBytes += unit.lineCount * BytesOfLine + unit.scopes.byteCount();
}

SourceLine DwarfDebugInfo::lineAt(Unit& unit, std::uint64_t vaddr)
{
    // Binary search for the last row of the line table at or before the address. If this row ends a sequence, the address has no
    // line.
    std::size_t low = 0, high = unit.lineCount;
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        Dwarf_Addr at = 0;
        dwarf_lineaddr(dwarf_onesrcline(unit.lines, middle), &at);
        at <= vaddr ? low = middle + 1 : high = middle;
    }
    if (low == 0)
        return {};
    Dwarf_Line* row = dwarf_onesrcline(unit.lines, low - 1);
    bool ends = true;
    int line = 0;
    if (dwarf_lineendsequence(row, &ends) != 0 || ends || dwarf_lineno(row, &line) != 0)
        return {};
    return sourceOf(dwarf_linesrc(row, nullptr, nullptr), line);
}

SourceLine DwarfDebugInfo::callOf(Unit& unit, Dwarf_Die& inlined)
{
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, line = 0;
    if (dwarf_attr(&inlined, DW_AT_call_line, &attribute))
        dwarf_formudata(&attribute, &line);
    const char* name = nullptr;
    if (dwarf_attr(&inlined, DW_AT_call_file, &attribute) && dwarf_formudata(&attribute, &file) == 0 && file < unit.fileCount)
        name = dwarf_filesrc(unit.files, file, nullptr, nullptr);
    return sourceOf(name, line <= 0x7FFFFFFF ? static_cast<int>(line) : 0);
}

std::vector<SymbolFrame> DwarfDebugInfo::framesAt(std::uint64_t vaddr)
{
    const std::lock_guard lock(m_mutex);
    Unit* unit = unitAt(vaddr);
    if (!unit)
        return {};
    // DIEs of the function at the address and of the functions inlined there, outermost first.
    std::vector<Dwarf_Die> chain = unit->scopes.at(vaddr);
    std::vector<SymbolFrame> frames;
    SourceLine source = lineAt(*unit, vaddr);
    for (std::size_t i = chain.size(); i-- > 0;) {
        SymbolFrame& frame = frames.emplace_back(frameOf(chain[i], m_scopes));
        frame.source = std::move(source);
        frame.isInlined = i > 0;
        source = frame.isInlined ? callOf(*unit, chain[i]) : SourceLine{};
    }
    if (frames.empty() && !source.file.empty())
        frames.push_back({{}, {}, std::move(source), false});
    return frames;
}

std::vector<LineRange> DwarfDebugInfo::linesOf(std::uint64_t begin, std::uint64_t end)
{
    const std::lock_guard lock(m_mutex);
    std::vector<LineRange> ranges;
    Unit* unit = unitAt(begin);
    if (!unit)
        return ranges;
    Dwarf_Addr at = 0, next = 0;
    for (std::size_t i = 0; i + 1 < unit->lineCount && ranges.size() < MaxLineRanges; ++i) {
        Dwarf_Line* row = dwarf_onesrcline(unit->lines, i);
        bool ends = true;
        int line = 0;
        if (dwarf_lineaddr(row, &at) != 0 || at >= end || dwarf_lineaddr(dwarf_onesrcline(unit->lines, i + 1), &next) != 0)
            break;
        if (next <= begin || next <= at || dwarf_lineendsequence(row, &ends) != 0 || ends || dwarf_lineno(row, &line) != 0)
            continue;
        SourceLine source = sourceOf(dwarf_linesrc(row, nullptr, nullptr), line);
        const std::uint64_t from = std::max<std::uint64_t>(at, begin), to = std::min<std::uint64_t>(next, end);
        if (!ranges.empty() && ranges.back().end == from && ranges.back().source == source)
            ranges.back().end = to;
        else
            ranges.push_back({from, to, std::move(source)});
    }
    return ranges;
}

} // namespace

std::shared_ptr<DebugInfo> DebugInfo::make(std::shared_ptr<const ElfFile> file, FindShared findShared, std::size_t mostBytes)
{
    auto info = std::make_shared<DwarfDebugInfo>(std::move(file), std::move(findShared), mostBytes);
    if (!info->start())
        return nullptr;
    return info;
}

} // namespace helio
