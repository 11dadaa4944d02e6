#include "core/symbol/tables/function_bounds.h"

#include "core/symbol/files/elf_file.h"

#include <algorithm>
#include <cstring>
#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <map>
#include <optional>

namespace helio {

namespace {

/// Maximum number of CIEs to read. A program has only a few, because linkers merge equal CIEs. Functions of further CIEs are skipped.
constexpr std::size_t MostEncodings = std::size_t{1} << 16;
constexpr std::size_t MostFunctions = std::size_t{1} << 24;

/// Reads numbers from the front of an entry in the encodings DW_EH_PE_* (Linux Standard Base, exception frames).
class EncodedReader {
public:
    /// `address` is the vaddr of the byte at `begin`.
    EncodedReader(const std::uint8_t* begin, const std::uint8_t* end, std::uint64_t address)
        : m_begin(begin)
        , m_at(begin)
        , m_end(end)
        , m_address(address)
    {
    }

    /// Reads the address of a function's first byte. The address is stored as it is, or as the distance from the position of the stored
    /// number. Returns nullopt for other encodings, or if the entry ends early.
    std::optional<std::uint64_t> readAddress(std::uint8_t encoding)
    {
        const std::uint64_t from = m_address + static_cast<std::uint64_t>(m_at - m_begin);
        const unsigned how = encoding & 0x70U;
        const auto value = number(encoding & 0x0FU);
        if (!value || (encoding & DW_EH_PE_indirect) != 0 || (how != DW_EH_PE_absptr && how != DW_EH_PE_pcrel))
            return std::nullopt;
        return how == DW_EH_PE_pcrel ? from + *value : *value;
    }
    // Reads the length of a function. The sign bit (0x08) of the encoding is ignored, because lengths are unsigned.
    std::optional<std::uint64_t> length(std::uint8_t encoding) { return number(encoding & 0x07U); }

private:
    std::optional<std::uint64_t> number(unsigned format)
    {
        switch (format) {
        case DW_EH_PE_absptr:
        case DW_EH_PE_udata8:
        case DW_EH_PE_sdata8: return take<std::uint64_t>();
        case DW_EH_PE_udata4: return take<std::uint32_t>();
        case DW_EH_PE_sdata4: return take<std::int32_t>();
        case DW_EH_PE_udata2: return take<std::uint16_t>();
        case DW_EH_PE_sdata2: return take<std::int16_t>();
        default: return std::nullopt;
        }
    }
    template <typename T> std::optional<std::uint64_t> take()
    {
        T value;
        if (m_end - m_at < static_cast<std::ptrdiff_t>(sizeof value))
            return std::nullopt;
        std::memcpy(&value, m_at, sizeof value);
        m_at += sizeof value;
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    }

    const std::uint8_t* m_begin;
    const std::uint8_t* m_at;
    const std::uint8_t* m_end;
    std::uint64_t m_address;
};

/// Returns the encoding of function addresses (DW_EH_PE_*), which follows the letter R in the augmentation of the CIE; DW_EH_PE_absptr
/// without this letter. nullopt if the augmentation has an unknown letter.
std::optional<std::uint8_t> encodingOf(const Dwarf_CIE& cie)
{
    if (!cie.augmentation || cie.augmentation[0] != 'z')
        return DW_EH_PE_absptr;
    const std::uint8_t* at = cie.augmentation_data;
    const std::uint8_t* const end = at ? at + cie.augmentation_data_size : at;
    for (const char* letter = cie.augmentation + 1; *letter; ++letter) {
        if (*letter == 'R')
            return at < end ? std::optional(*at) : std::nullopt;
        if (*letter == 'L')
            ++at;
        else if (*letter == 'P' && at < end) { // 'P': skip the encoding and the address of a personality routine.
            const unsigned format = *at & 0x07U;
            at += 1 + (format == DW_EH_PE_udata2 ? 2 : format == DW_EH_PE_udata4 ? 4 : 8);
        } else if (*letter != 'S' && *letter != 'B')
            return std::nullopt;
        if (at > end)
            return std::nullopt;
    }
    return DW_EH_PE_absptr;
}

} // namespace

FunctionBounds::FunctionBounds(const ElfFile& file)
{
    const ElfSection* section = file.section(".eh_frame");
    const auto bytes = section ? file.bytesOf(*section) : std::span<const std::byte>();
    // Do nothing for other machines: only 64-bit little-endian machines are supported.
    if (bytes.empty() || file.machine() == ElfMachine::Other)
        return;
    Elf_Data data{};
    data.d_buf = const_cast<std::byte*>(bytes.data());
    data.d_size = bytes.size();
    data.d_type = ELF_T_BYTE;
    data.d_version = EV_CURRENT;
    std::map<Dwarf_Off, std::optional<std::uint8_t>> encodings; // Encodings of function addresses, keyed by the CIE's offset.
    const auto* ident = reinterpret_cast<const unsigned char*>(file.bytes().data());
    Dwarf_Off next = 0;
    for (Dwarf_Off at = 0; m_bounds.size() < MostFunctions; at = next) {
        Dwarf_CFI_Entry entry{};
        const int result = dwarf_next_cfi(ident, &data, true, at, &next, &entry);
        if (result > 0 || next <= at || next == static_cast<Dwarf_Off>(-1))
            break;
        if (result < 0)
            continue;
        if (dwarf_cfi_cie_p(&entry)) {
            if (encodings.size() < MostEncodings)
                encodings[at] = encodingOf(entry.cie);
            continue;
        }
        const auto encoding = encodings.find(entry.fde.CIE_pointer);
        if (encoding == encodings.end() || !encoding->second)
            continue;
        const auto offset = static_cast<std::uint64_t>(entry.fde.start - reinterpret_cast<const std::uint8_t*>(bytes.data()));
        EncodedReader reader(entry.fde.start, entry.fde.end, section->address + offset);
        const auto begin = reader.readAddress(*encoding->second);
        const auto length = reader.length(*encoding->second);
        if (begin && length && *length > 0 && *begin + *length > *begin)
            m_bounds.push_back({*begin, *begin + *length});
    }
    std::ranges::sort(m_bounds, {}, &Bounds::begin);
}

const FunctionBounds::Bounds* FunctionBounds::find(std::uint64_t vaddr) const
{
    const auto after = std::ranges::upper_bound(m_bounds, vaddr, {}, &Bounds::begin);
    if (after == m_bounds.begin() || vaddr >= std::prev(after)->end)
        return nullptr;
    return &*std::prev(after);
}

} // namespace helio
