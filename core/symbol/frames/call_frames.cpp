#include "core/symbol/frames/call_frames.h"

#include "core/io/unpack.h"
#include "core/symbol/files/elf_file.h"
#include "core/symbol/frames/dwarf_reader.h"

#include <algorithm>
#include <unordered_map>

namespace helio {
namespace {

/// Maximum number of common entries to read. A program has only a few, because linkers merge equal ones.
constexpr std::size_t MostCies = std::size_t{1} << 16;
constexpr std::size_t MostFunctions = std::size_t{1} << 22;
constexpr std::size_t MostEntries = std::size_t{1} << 24;
constexpr std::size_t MostInstructionBytes = 65536; ///< Limit for the instructions of one entry; compilers write less than 1 KiB.
constexpr std::size_t MostSavedRows = 64; ///< Maximum depth of DW_CFA_remember_state.
constexpr std::uint64_t MostUnpackedBytes = std::uint64_t{64} << 20;

/// Length at the beginning of an entry.
struct EntryLength {
    std::uint64_t bytes = 0; ///< Number of bytes after the length.
    bool is64 = false; ///< True if offsets in the entry have 64 bits.
};

EntryLength readLength(DwarfReader& reader)
{
    const std::uint32_t length = reader.number<std::uint32_t>();
    if (length != 0xFFFFFFFFU)
        return {length, false};
    return {reader.number<std::uint64_t>(), true};
}

} // namespace

CallFrames::CallFrames(std::span<const std::byte> bytes, std::uint64_t address, Format format, bool endsAtZero)
    : m_bytes(bytes)
    , m_address(address)
{
    std::unordered_map<std::uint64_t, std::uint32_t> commons; // Indices of common entries by their offsets.
    DwarfReader reader(bytes, address);
    /// Function entry before its common entry, which .debug_frame may have.
    struct Early {
        std::uint64_t common = 0; ///< Offset of the common entry.
        std::span<const std::byte> body;
        std::uint64_t offset = 0;
    };
    std::vector<Early> early;
    for (std::size_t count = 0; !reader.isAtEnd() && m_functions.size() < MostFunctions && count < MostEntries; ++count) {
        const std::uint64_t offset = reader.position();
        const EntryLength length = readLength(reader);
        if (length.bytes == 0 && endsAtZero)
            break;
        const std::uint64_t idAt = reader.position();
        const auto entry = reader.take(length.bytes);
        if (reader.hasFailed())
            break;
        DwarfReader head(entry);
        // Offsets in .eh_frame always have 32 bits.
        const bool isWide = length.is64 && format == Format::DebugFrame;
        const std::uint64_t id = isWide ? head.number<std::uint64_t>() : head.number<std::uint32_t>();
        if (head.hasFailed())
            continue;
        const auto body = head.rest();
        const std::uint64_t bodyAt = idAt + head.position();
        const bool isCommon = format == Format::EhFrame ? id == 0 : id == (isWide ? ~std::uint64_t{0} : 0xFFFFFFFFU);
        if (isCommon) {
            const auto common = cieOf(body, address + bodyAt, format);
            if (common && m_cies.size() < MostCies) {
                commons[offset] = static_cast<std::uint32_t>(m_cies.size());
                m_cies.push_back(*common);
            }
            continue;
        }
        const std::uint64_t commonAt = format == Format::EhFrame ? idAt - id : id;
        if (const auto found = commons.find(commonAt); found != commons.end())
            addFunction(body, bodyAt, found->second);
        else if (format == Format::DebugFrame && early.size() < MostFunctions)
            early.push_back({commonAt, body, bodyAt});
    }
    for (const Early& entry : early)
        if (const auto found = commons.find(entry.common); found != commons.end())
            addFunction(entry.body, entry.offset, found->second);
    std::ranges::stable_sort(m_functions, {}, &Function::begin);
}

/// Reads a common entry after its id. Returns nullopt if it is damaged or of an unknown kind.
std::optional<CallFrames::Cie> CallFrames::cieOf(std::span<const std::byte> entry, std::uint64_t address, Format format)
{
    DwarfReader reader(entry, address);
    Cie common;
    const unsigned version = reader.u8();
    const std::string_view augmentation = reader.text();
    if (version != 1 && version != 3 && version != 4)
        return {};
    if (version == 4 && format == Format::DebugFrame)
        reader.skip(2); // Sizes of addresses and segment selectors.
    common.codeAlignment = reader.uleb128();
    common.dataAlignment = reader.sleb128();
    common.returnRegister = version == 1 ? reader.u8() : reader.uleb128();
    if (augmentation.starts_with('z')) {
        common.hasAugmentationData = true;
        const std::uint64_t size = reader.uleb128();
        const std::uint64_t dataAt = address + reader.position();
        DwarfReader data(reader.take(size), dataAt);
        for (const char letter : augmentation.substr(1)) {
            if (letter == 'R')
                common.encoding = data.u8();
            else if (letter == 'L') // Encoding of the address of data for exceptions.
                data.skip(1);
            else if (letter == 'P') // Encoding and address of the function that handles exceptions.
                data.length(data.u8());
            else if (letter == 'S')
                common.isSignalFrame = true;
            else if (letter != 'B') // 'B': return addresses are signed with the second key (aarch64).
                break;
            if (data.hasFailed())
                return {};
        }
    } else if (!augmentation.empty()) {
        return {};
    }
    common.instructions = reader.rest();
    return reader.hasFailed() || common.instructions.size() > MostInstructionBytes ? std::nullopt : std::optional(common);
}

void CallFrames::addFunction(std::span<const std::byte> entry, std::uint64_t offset, std::uint32_t common)
{
    DwarfReader reader(entry, m_address + offset);
    const Cie& shared = m_cies[common];
    Function function;
    function.cie = common;
    function.begin = reader.pointer(shared.encoding);
    const std::uint64_t length = reader.length(shared.encoding);
    if (shared.hasAugmentationData)
        reader.skip(reader.uleb128());
    function.end = function.begin + length;
    if (reader.hasFailed() || function.end <= function.begin || reader.rest().size() > MostInstructionBytes)
        return;
    function.instructions = offset + reader.position();
    function.instructionBytes = static_cast<std::uint32_t>(reader.rest().size());
    m_functions.push_back(function);
}

const CallFrames::Function* CallFrames::find(std::uint64_t vaddr) const
{
    const auto after = std::ranges::upper_bound(m_functions, vaddr, {}, &Function::begin);
    if (after == m_functions.begin() || vaddr >= std::prev(after)->end)
        return nullptr;
    return &*std::prev(after);
}

/// Runs call frame instructions up to an address.
class CallFrames::Program {
public:
    Program(const Cie& common, std::uint64_t begin, std::uint64_t vaddr)
        : m_cie(common)
        , m_location(begin)
        , m_vaddr(vaddr)
    {
        m_row.returnRegister = common.returnRegister;
        m_row.isSignalFrame = common.isSignalFrame;
    }

    /// Runs the instructions that apply to all functions of the common entry. Returns false if they are damaged.
    bool runCie()
    {
        const bool isGood = run(DwarfReader(m_cie.instructions));
        m_initial = m_row;
        return isGood;
    }
    /// Runs the instructions of the function. Returns false if they are damaged.
    bool run(DwarfReader reader)
    {
        while (!reader.isAtEnd() && m_location <= m_vaddr)
            if (!step(reader))
                return false;
        return !reader.hasFailed();
    }
    const FrameRow& row() const { return m_row; }

private:
    bool step(DwarfReader& reader)
    {
        const unsigned opcode = reader.u8();
        const unsigned operand = opcode & 0x3F;
        switch (opcode >> 6) {
        case 1: advance(operand); return true; // DW_CFA_advance_loc
        case 2: set(operand, Kind::AtOffset, scaled(static_cast<std::int64_t>(reader.uleb128()))); return true; // DW_CFA_offset
        case 3: restore(operand); return true; // DW_CFA_restore
        default: return stepExtended(operand, reader);
        }
    }

    bool stepExtended(unsigned opcode, DwarfReader& reader)
    {
        switch (opcode) {
        case 0x00: return true; // DW_CFA_nop
        case 0x01: m_location = reader.pointer(m_cie.encoding); return true; // DW_CFA_set_loc
        case 0x02: advance(reader.u8()); return true; // DW_CFA_advance_loc1
        case 0x03: advance(reader.number<std::uint16_t>()); return true; // DW_CFA_advance_loc2
        case 0x04: advance(reader.number<std::uint32_t>()); return true; // DW_CFA_advance_loc4
        case 0x05: return setAt(reader, Kind::AtOffset, false); // DW_CFA_offset_extended
        case 0x06: restore(reader.uleb128()); return true; // DW_CFA_restore_extended
        case 0x07: set(reader.uleb128(), Kind::Undefined); return true; // DW_CFA_undefined
        case 0x08: set(reader.uleb128(), Kind::SameValue); return true; // DW_CFA_same_value
        case 0x09: { // DW_CFA_register
            const std::uint64_t number = reader.uleb128();
            set(number, Kind::Register);
            if (RegisterRule* rule = ruleOf(number))
                rule->number = reader.uleb128();
            else
                reader.uleb128();
            return true;
        }
        case 0x0A: // DW_CFA_remember_state
            if (m_saved.size() >= MostSavedRows)
                return false;
            m_saved.push_back(m_row);
            return true;
        case 0x0B: // DW_CFA_restore_state
            if (m_saved.empty())
                return false;
            m_row = m_saved.back();
            m_saved.pop_back();
            return true;
        case 0x0C: { // DW_CFA_def_cfa
            const std::uint64_t number = reader.uleb128();
            setCfa(number, static_cast<std::int64_t>(reader.uleb128()));
            return true;
        }
        case 0x0D: setCfa(reader.uleb128(), m_row.cfa.offset); return true; // DW_CFA_def_cfa_register
        case 0x0E: m_row.cfa.offset = static_cast<std::int64_t>(reader.uleb128()); return true; // DW_CFA_def_cfa_offset
        case 0x0F: // DW_CFA_def_cfa_expression
            m_row.cfa = {};
            m_row.cfa.kind = Kind::ValueExpression;
            m_row.cfa.expression = reader.take(reader.uleb128());
            return true;
        case 0x10: return setExpression(reader, Kind::AtExpression); // DW_CFA_expression
        case 0x11: return setAt(reader, Kind::AtOffset, true); // DW_CFA_offset_extended_sf
        case 0x12: { // DW_CFA_def_cfa_sf
            const std::uint64_t number = reader.uleb128();
            setCfa(number, scaled(reader.sleb128()));
            return true;
        }
        case 0x13: m_row.cfa.offset = scaled(reader.sleb128()); return true; // DW_CFA_def_cfa_offset_sf
        case 0x14: return setAt(reader, Kind::ValueOffset, false); // DW_CFA_val_offset
        case 0x15: return setAt(reader, Kind::ValueOffset, true); // DW_CFA_val_offset_sf
        case 0x16: return setExpression(reader, Kind::ValueExpression); // DW_CFA_val_expression
        case 0x2C: // DW_CFA_AARCH64_negate_ra_state_with_pc
        case 0x2D: m_row.isSignedReturn = !m_row.isSignedReturn; return true; // DW_CFA_AARCH64_negate_ra_state
        case 0x2E: reader.uleb128(); return true; // DW_CFA_GNU_args_size
        case 0x2F: { // DW_CFA_GNU_negative_offset_extended
            const std::uint64_t number = reader.uleb128();
            set(number, Kind::AtOffset, scaled(static_cast<std::int64_t>(0 - reader.uleb128())));
            return true;
        }
        default: return false;
        }
    }

    using Kind = RegisterRule::Kind;

    /// Operands are not trusted: arithmetic wraps around.
    std::int64_t scaled(std::int64_t factored) const
    {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(factored) * static_cast<std::uint64_t>(m_cie.dataAlignment));
    }
    void advance(std::uint64_t delta) { m_location += delta * m_cie.codeAlignment; }
    RegisterRule* ruleOf(std::uint64_t number) { return number < FrameRegisterCount ? &m_row.registers[number] : nullptr; }
    void set(std::uint64_t number, Kind kind, std::int64_t offset = 0)
    {
        if (RegisterRule* rule = ruleOf(number))
            *rule = {kind, 0, offset, {}};
    }
    bool setAt(DwarfReader& reader, Kind kind, bool isSigned)
    {
        const std::uint64_t number = reader.uleb128();
        set(number, kind, scaled(isSigned ? reader.sleb128() : static_cast<std::int64_t>(reader.uleb128())));
        return true;
    }
    bool setExpression(DwarfReader& reader, Kind kind)
    {
        const std::uint64_t number = reader.uleb128();
        const auto expression = reader.take(reader.uleb128());
        if (RegisterRule* rule = ruleOf(number))
            *rule = {kind, 0, 0, expression};
        return true;
    }
    void setCfa(std::uint64_t number, std::int64_t offset) { m_row.cfa = {Kind::Register, number, offset, {}}; }
    void restore(std::uint64_t number)
    {
        if (RegisterRule* rule = ruleOf(number))
            *rule = m_initial.registers[number];
    }

    const Cie& m_cie;
    std::uint64_t m_location;
    std::uint64_t m_vaddr;
    FrameRow m_row;
    FrameRow m_initial; ///< Row after the instructions of the common entry.
    std::vector<FrameRow> m_saved;
};

std::optional<FrameRow> CallFrames::rowAt(std::uint64_t vaddr) const
{
    const Function* function = find(vaddr);
    if (!function)
        return {};
    Program program(m_cies[function->cie], function->begin, vaddr);
    const auto instructions = m_bytes.subspan(function->instructions, function->instructionBytes);
    if (!program.runCie() || !program.run(DwarfReader(instructions, m_address + function->instructions)))
        return {};
    return program.row();
}

std::shared_ptr<const FileFrames> ehFramesOf(std::shared_ptr<const ElfFile> file)
{
    auto result = std::make_shared<FileFrames>();
    result->file = std::move(file);
    const ElfFile& elf = *result->file;
    if (elf.machine() == ElfMachine::Other)
        return result;
    if (const ElfSection* section = elf.section(".eh_frame")) {
        // Entries of length zero may lie in the middle of a section, where the linker joined files with such ends.
        result->frames = CallFrames(elf.bytesOf(*section), section->address, CallFrames::Format::EhFrame);
    } else if (const auto header = elf.frameHeaderVaddr()) {
        // Header of the search table: version, three encodings, address of .eh_frame.
        DwarfReader reader(elf.bytesAt(*header, 16), *header);
        reader.skip(1);
        const std::uint8_t encoding = reader.u8();
        reader.skip(2);
        const std::uint64_t begin = reader.pointer(encoding);
        if (!reader.hasFailed())
            result->frames = CallFrames(elf.bytesAt(begin, ~std::uint64_t{0}), begin, CallFrames::Format::EhFrame, true);
    }
    return result;
}

std::shared_ptr<const FileFrames> debugFramesOf(std::shared_ptr<const ElfFile> file)
{
    auto result = std::make_shared<FileFrames>();
    result->file = std::move(file);
    const ElfFile& elf = *result->file;
    const ElfSection* section = elf.machine() == ElfMachine::Other ? nullptr : elf.section(".debug_frame");
    if (!section)
        return result;
    std::span<const std::byte> bytes = elf.bytesOf(*section);
    if ((section->flags & SHF_COMPRESSED) != 0) {
        Elf64_Chdr compression{};
        if (bytes.size() < sizeof compression)
            return result;
        std::memcpy(&compression, bytes.data(), sizeof compression);
        const auto packed = bytes.subspan(sizeof compression);
        auto unpackedBytes =
            compression.ch_type == ELFCOMPRESS_ZLIB ? unpackedZlib(packed, MostUnpackedBytes) : unpacked(packed, MostUnpackedBytes);
        if (unpackedBytes)
            result->unpacked = std::move(*unpackedBytes);
        bytes = result->unpacked;
    }
    result->frames = CallFrames(bytes, section->address, CallFrames::Format::DebugFrame);
    return result;
}

} // namespace helio
