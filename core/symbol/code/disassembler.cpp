#include "core/symbol/code/disassembler.h"

#include "core/symbol/code/x86_text.h"

#include <algorithm>
#include <capstone/capstone.h>
#include <charconv>
#include <cstring>

namespace helio {

namespace {

bool isIn(csh handle, const cs_insn& instruction, unsigned group) { return cs_insn_group(handle, &instruction, group); }

Instruction::Kind kindOf(csh handle, const cs_insn& instruction, bool isUnconditional)
{
    if (isIn(handle, instruction, CS_GRP_CALL))
        return Instruction::Kind::Call;
    if (isIn(handle, instruction, CS_GRP_RET))
        return Instruction::Kind::Return;
    if (isIn(handle, instruction, CS_GRP_JUMP))
        return isUnconditional ? Instruction::Kind::Jump : Instruction::Kind::ConditionalJump;
    return Instruction::Kind::Other;
}

/// Returns capstone's own text with the name of the target appended.
std::string aarch64Text(const cs_insn& instruction, std::uint64_t target, const Disassembler::NameAt& nameAt)
{
    std::string text = instruction.mnemonic;
    std::string operands = instruction.op_str;
    if (target != 0) {
        char digits[16];
        const std::string hex(digits, std::to_chars(digits, digits + sizeof digits, target, 16).ptr);
        if (const std::size_t at = operands.rfind("#0x"); at != std::string::npos)
            operands.replace(at, std::string::npos, hex);
        if (const std::string name = nameAt(target); !name.empty())
            operands += " <" + name + ">";
    }
    return operands.empty() ? text : text + "\t" + operands;
}

/// Returns the size of an AVX or AVX-512 instruction that capstone does not know, so that the instructions after it are read correctly; 1
/// for other bytes.
std::size_t vectorSize(std::span<const std::uint8_t> bytes)
{
    const std::size_t prefix = bytes[0] == 0x62 ? 4 : bytes[0] == 0xC4 ? 3 : bytes[0] == 0xC5 ? 2 : 0;
    if (prefix == 0 || bytes.size() < prefix + 2)
        return 1;
    const unsigned map = prefix == 2 ? 1 : bytes[1] & (prefix == 3 ? 31 : 7);
    const unsigned opcode = bytes[prefix], mod = bytes[prefix + 1] >> 6, rm = bytes[prefix + 1] & 7;
    std::size_t size = prefix + 2;
    if (mod != 3 && rm == 4) {
        if (bytes.size() <= size)
            return 1;
        size += mod == 0 && (bytes[size] & 7) == 5 ? 5 : 1;
    }
    size += mod == 1 ? 1 : mod == 2 || (mod == 0 && rm == 5) ? 4 : 0;
    const bool hasImmediate =
        map == 3 || (map == 1 && ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xC2 || (opcode >= 0xC4 && opcode <= 0xC6)));
    return std::min(size + hasImmediate, bytes.size());
}

class CapstoneDisassembler final : public Disassembler {
public:
    CapstoneDisassembler(csh handle, ElfMachine machine)
        : m_handle(handle)
        , m_machine(machine)
        , m_instruction(cs_malloc(handle))
    {
    }
    ~CapstoneDisassembler() override
    {
        cs_free(m_instruction, 1);
        cs_close(&m_handle);
    }

    std::vector<Instruction> read(std::span<const std::byte> code, std::uint64_t vaddr, const NameAt& nameAt) override
    {
        std::vector<Instruction> result;
        const auto* at = reinterpret_cast<const std::uint8_t*>(code.data());
        std::size_t left = code.size();
        std::uint64_t address = vaddr;
        while (left > 0 && m_instruction) {
            const std::uint8_t* begin = at;
            if (cs_disasm_iter(m_handle, &at, &left, &address, m_instruction)) {
                result.push_back(read(nameAt));
                continue;
            }
            const std::size_t size = std::min<std::size_t>(m_machine == ElfMachine::AArch64 ? 4 : vectorSize({begin, left}), left);
            result.push_back(bad(begin, size, address));
            at = begin + size;
            left -= size;
            address += size;
        }
        return result;
    }

private:
    Instruction read(const NameAt& nameAt) const
    {
        const cs_insn& from = *m_instruction;
        Instruction result;
        result.address = from.address;
        result.size = static_cast<std::uint8_t>(std::min<std::size_t>(from.size, result.bytes.size()));
        std::memcpy(result.bytes.data(), from.bytes, result.size);
        if (m_machine == ElfMachine::X86_64) {
            result.kind = kindOf(m_handle, from, from.id == X86_INS_JMP || from.id == X86_INS_LJMP);
            if (result.kind != Instruction::Kind::Other)
                result.target = x86Target(from);
            result.text = x86Text(m_handle, from, nameAt);
        } else {
            const cs_arm64& detail = from.detail->arm64;
            const bool isPlainBranch = from.id == ARM64_INS_BR || (from.id == ARM64_INS_B && detail.cc <= ARM64_CC_INVALID);
            result.kind =
                from.id == ARM64_INS_BL || from.id == ARM64_INS_BLR ? Instruction::Kind::Call : kindOf(m_handle, from, isPlainBranch);
            if (result.kind != Instruction::Kind::Other && detail.op_count > 0 && detail.operands[detail.op_count - 1].type == ARM64_OP_IMM)
                result.target = static_cast<std::uint64_t>(detail.operands[detail.op_count - 1].imm);
            result.text = aarch64Text(from, result.target, nameAt);
        }
        return result;
    }

    static Instruction bad(const std::uint8_t* bytes, std::size_t size, std::uint64_t address)
    {
        Instruction result;
        result.address = address;
        result.size = static_cast<std::uint8_t>(size);
        std::memcpy(result.bytes.data(), bytes, size);
        result.text = "(bad)";
        return result;
    }

    csh m_handle;
    ElfMachine m_machine;
    cs_insn* m_instruction;
};

} // namespace

std::unique_ptr<Disassembler> Disassembler::make(ElfMachine machine)
{
    csh handle = 0;
    const auto arch = machine == ElfMachine::X86_64 ? CS_ARCH_X86 : CS_ARCH_ARM64;
    const auto mode = machine == ElfMachine::X86_64 ? CS_MODE_64 : CS_MODE_LITTLE_ENDIAN;
    if (machine == ElfMachine::Other || cs_open(arch, mode, &handle) != CS_ERR_OK)
        return nullptr;
    cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
    return std::make_unique<CapstoneDisassembler>(handle, machine);
}

} // namespace helio
