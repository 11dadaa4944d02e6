#include "core/symbol/naming/file_symbols.h"

#include "core/io/unpack.h"

#include <algorithm>
#include <charconv>

namespace helio {

namespace {

constexpr std::size_t MostDebugInfoBytes = std::size_t{256} << 20; ///< Memory limit of the debug information of one file in bytes.
constexpr std::uint64_t MaxPackedSymbols = std::uint64_t{256} << 20; ///< Maximum size of an unpacked .gnu_debugdata section in bytes.

std::shared_ptr<const ElfFile> packedSymbolsOf(const ElfFile& file)
{
    const ElfSection* section = file.section(".gnu_debugdata");
    if (!section)
        return nullptr;
    auto bytes = unpacked(file.bytesOf(*section), MaxPackedSymbols);
    if (!bytes)
        return nullptr;
    auto packed = ElfFile::fromBytes(std::move(*bytes), file.path());
    return packed ? *packed : nullptr;
}

} // namespace

std::string addressUnit(std::uint64_t address)
{
    char digits[16];
    return "+0x" + std::string(digits, std::to_chars(digits, digits + sizeof digits, address, 16).ptr);
}

bool hasDebugInfo(const ElfFile& file)
{
    for (const char* name : {".debug_info", ".zdebug_info"})
        if (const ElfSection* section = file.section(name); section && !file.bytesOf(*section).empty())
            return true;
    return false;
}

void FileSymbols::findDebugFile(ModuleFiles& files, const std::string& recordedPath)
{
    std::call_once(m_fileOnce, [&] {
        if (!file)
            return;
        if (hasDebugInfo(*file)) {
            m_debugFile = file;
            return;
        }
        FileSearchResult found = files.debugFileOf(*file, recordedPath);
        m_debugFile = std::move(found.file);
        m_noLinesReason = std::move(found.explanation);
    });
}

std::shared_ptr<const ElfFile> FileSymbols::debugFile(ModuleFiles& files, const std::string& recordedPath)
{
    findDebugFile(files, recordedPath);
    return m_debugFile;
}

DebugInfo* FileSymbols::debugInfo(ModuleFiles& files, const std::string& recordedPath)
{
    findDebugFile(files, recordedPath);
    std::call_once(m_infoOnce, [&] {
        if (!m_debugFile)
            return;
        const auto findShared = [&](const std::string& name, const std::string& id) {
            return files.sharedDebugFileOf(*m_debugFile, name, id).file;
        };
        m_info = DebugInfo::make(m_debugFile, findShared, MostDebugInfoBytes, &m_noLinesReason);
        if (!m_info && m_noLinesReason.empty())
            m_noLinesReason = m_debugFile->path().string() + " has no debug information. Compile with -g, or install its debug package.";
    });
    return m_info && m_info->problem().empty() ? m_info.get() : nullptr;
}

std::string FileSymbols::noLinesReason() const
{
    const std::string failure = m_info ? m_info->problem() : std::string();
    return failure.empty() ? m_noLinesReason : failure;
}

const CallFrames& FileSymbols::frames()
{
    std::call_once(m_framesOnce, [&] { m_frames = ehFramesOf(file); });
    return m_frames->frames;
}

std::string FileSymbols::unitOf(const SymbolTable::Entry& symbol)
{
    const std::string name(symbol.name());
    const auto unitIn = [&](const UnitsByAddress& units) {
        const auto found = units.find(symbol.begin);
        return found != units.end() ? found->second : std::string();
    };
    {
        const std::lock_guard lock(m_unitsMutex);
        if (const auto known = m_symbolUnits.find(name); known != m_symbolUnits.end())
            return unitIn(known->second);
    }
    UnitsByAddress made = makeUnitsOf(symbol); // Call makeUnitsOf() without holding the mutex, because it may read the file's symbols.
    const std::lock_guard lock(m_unitsMutex);
    return unitIn(m_symbolUnits.try_emplace(name, std::move(made)).first->second);
}

/// Returns the units of all symbols that have the name of `symbol`, keyed by address. A unit distinguishes symbols with the same
/// name: it is the source file, or the address if the source file is unknown or contains several of the symbols. It is empty if only
/// one symbol has the name.
FileSymbols::UnitsByAddress FileSymbols::makeUnitsOf(const SymbolTable::Entry& symbol)
{
    const auto namesakes = table.named(symbol.name());
    if (namesakes.size() < 2)
        return {{symbol.begin, std::string()}};
    std::call_once(m_sourcesOnce, [this] { m_sources = sourcesOfLocalSymbols(*symbolFile); });
    const auto sourceOf = [this](const SymbolTable::Entry* entry) {
        const auto known = m_sources.find(entry->begin);
        return known == m_sources.end() ? std::string_view() : known->second;
    };
    std::unordered_map<std::string_view, std::size_t> counts;
    for (const SymbolTable::Entry* entry : namesakes)
        ++counts[sourceOf(entry)];
    UnitsByAddress units;
    for (const SymbolTable::Entry* entry : namesakes) {
        const std::string_view source = sourceOf(entry);
        units.emplace(entry->begin, !source.empty() && counts[source] == 1 ? std::string(source) : addressUnit(entry->begin));
    }
    return units;
}

std::string FileSymbols::unitOf(const SymbolFrame& inlined, DebugInfo& info)
{
    const std::tuple key(inlined.linkageName, inlined.declaration.file, inlined.declaration.line);
    {
        const std::lock_guard lock(m_unitsMutex);
        if (const auto known = m_units.find(key); known != m_units.end())
            return known->second;
    }
    std::string unit = makeUnitOf(inlined, info); // Call makeUnitOf() without holding the mutex, because it reads debug information.
    const std::lock_guard lock(m_unitsMutex);
    return m_units.emplace(key, std::move(unit)).first->second;
}

std::string FileSymbols::makeUnitOf(const SymbolFrame& inlined, DebugInfo& info)
{
    const std::string& file = inlined.declaration.file;
    const std::string declared = file.empty() ? "" : file.substr(file.rfind('/') + 1) + ':' + std::to_string(inlined.declaration.line);
    const auto isItsCode = [&](const SymbolTable::Entry& entry) {
        if (inlined.isExternal && entry.binding != static_cast<unsigned>(SymbolTable::Binding::Local))
            return true;
        const auto frames = info.framesAt(entry.begin);
        return !frames.empty() && frames.back().declaration == inlined.declaration;
    };
    std::vector<const SymbolTable::Entry*> own = table.named(inlined.linkageName);
    std::erase_if(own, [&](const SymbolTable::Entry* entry) { return !isItsCode(*entry); });
    if (own.size() == 1)
        return unitOf(*own.front());
    return own.empty() && inlined.isExternal ? std::string() : declared;
}

std::shared_ptr<FileSymbols> readSymbols(std::shared_ptr<const ElfFile> file, ModuleFiles& files, const std::string& recordedPath)
{
    auto result = std::make_shared<FileSymbols>();
    result->file = file;
    result->symbolFile = file;
    SymbolTable& table = result->table;
    bool hasTable = addElfSymbols(table, file, false);
    if (!hasTable) {
        result->findDebugFile(files, recordedPath);
        if (result->m_debugFile && result->m_debugFile != file) {
            hasTable = addElfSymbols(table, result->m_debugFile, false);
            result->symbolFile = result->m_debugFile;
        }
    }
    if (!hasTable) {
        result->symbolFile = file;
        addElfSymbols(table, file, true);
        if (const auto packed = packedSymbolsOf(*file))
            addElfSymbols(table, packed, false);
    }
    addPltSymbols(table, file);
    table.finish();
    if (table.isEmpty()) {
        result->problem = SymbolProblem::Stripped;
        result->explanation = file->path().string() + " has no symbols: it was stripped. " + result->m_noLinesReason;
    }
    return result;
}

} // namespace helio
