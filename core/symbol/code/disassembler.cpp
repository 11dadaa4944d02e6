#include "core/symbol/code/disassembler.h"

#include <algorithm>
#include <array>
#include <capstone/capstone.h>
#include <charconv>
#include <cstring>
#include <string_view>

namespace helio {
namespace {

std::string hex(std::uint64_t value)
{
    char digits[16];
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, value, 16).ptr);
}

std::string signedHex(std::int64_t value)
{
    return value < 0 ? "-0x" + hex(~static_cast<std::uint64_t>(value) + 1) : "0x" + hex(static_cast<std::uint64_t>(value));
}

struct Renamed {
    std::string_view intel;
    std::string_view att;
};
constexpr std::array Renames{
    Renamed{"cdqe", "cltq"}, Renamed{"cwde", "cwtl"},    Renamed{"cbw", "cbtw"},   Renamed{"cdq", "cltd"},   Renamed{"cqo", "cqto"},
    Renamed{"cwd", "cwtd"},  Renamed{"pushfq", "pushf"}, Renamed{"popfq", "popf"}, Renamed{"wait", "fwait"}, Renamed{"sysret", "sysretl"},
};

/// Integer instructions with an ambiguous operand size; AT&T syntax then appends a size letter to the mnemonic.
constexpr std::array<std::string_view, 33> Sized{"adc",  "add", "and", "bt",  "btc", "btr",  "bts", "cmp",  "dec", "div",  "idiv",
                                                 "imul", "inc", "mov", "mul", "neg", "nop",  "not", "or",   "rcl", "rcr",  "rol",
                                                 "ror",  "sal", "sar", "sbb", "shl", "shld", "shr", "shrd", "sub", "test", "xor"};
constexpr std::array<std::string_view, 8> Shifts{"rcl", "rcr", "rol", "ror", "sal", "sar", "shl", "shr"};

template <typename Range> bool contains(const Range& range, std::string_view name) { return std::ranges::find(range, name) != range.end(); }

const char* sizeLetter(unsigned bytes) { return bytes == 1 ? "b" : bytes == 2 ? "w" : bytes == 4 ? "l" : bytes == 8 ? "q" : ""; }

/// Builds one instruction's text. `m_name` is the mnemonic without prefixes.
class X86Writer {
public:
    X86Writer(csh handle, const cs_insn& instruction, const Disassembler::NameAt& nameAt)
        : m_handle(handle)
        , m_from(instruction)
        , m_x86(instruction.detail->x86)
        , m_nameAt(nameAt)
        , m_name(instruction.mnemonic)
    {
        const std::size_t space = m_name.rfind(' ');
        if (space != std::string::npos) {
            m_prefix = m_name.substr(0, space + 1);
            m_name.erase(0, space + 1);
        }
    }

    std::string text()
    {
        addPrefixes();
        rename();
        if (m_name == "nop" && m_x86.op_count == 0 && m_from.size == 2 && m_from.bytes[0] == 0x66)
            return "xchg   %ax,%ax";
        std::string operands = isString() ? stringOperands() : plainOperands();
        std::string result = m_prefix + m_name;
        if (operands.empty())
            return result;
        result.resize(std::max<std::size_t>(result.size(), 6), ' ');
        return result + " " + operands + m_comment;
    }

private:
    bool isBranch() const { return cs_insn_group(m_handle, &m_from, CS_GRP_JUMP) || cs_insn_group(m_handle, &m_from, CS_GRP_CALL); }
    const cs_x86_op& operand(int i) const { return m_x86.operands[i]; }
    bool hasMemory() const
    {
        return std::any_of(m_x86.operands, m_x86.operands + m_x86.op_count, [](const cs_x86_op& op) { return op.type == X86_OP_MEM; });
    }
    /// True if an operand is a register, which shows the operand size of the instruction. The register CL does not count if it contains a
    /// shift count.
    bool hasSizingRegister() const
    {
        for (int i = 0; i < m_x86.op_count; ++i)
            if (operand(i).type == X86_OP_REG
                && !(i > 0 && operand(i).reg == X86_REG_CL && (contains(Shifts, m_name) || m_name.starts_with("sh"))))
                return true;
        return false;
    }
    unsigned memorySize() const
    {
        for (int i = 0; i < m_x86.op_count; ++i)
            if (operand(i).type == X86_OP_MEM)
                return operand(i).size;
        return 0;
    }

    void addPrefixes()
    {
        unsigned sizes = 0;
        bool hasCs = false;
        for (unsigned i = 0; i < m_from.size; ++i) {
            const unsigned byte = m_from.bytes[i];
            sizes += byte == 0x66;
            hasCs = hasCs || byte == 0x2E;
            if (byte != 0x66 && byte != 0x2E && byte != 0xF2 && byte != 0xF3)
                break;
        }
        const bool isPadding = m_name == "nop" && m_x86.op_count > 0;
        if (isPadding)
            for (unsigned i = 1; i < sizes; ++i)
                m_prefix += "data16 ";
        if (isPadding && hasCs)
            m_prefix += "cs ";
        if (m_from.bytes[0] == 0x3E && isBranch() && operand(0).type != X86_OP_IMM && m_prefix.empty())
            m_prefix = "notrack ";
        if (m_prefix == "repne " && isBranch())
            m_prefix = "bnd ";
    }

    void rename()
    {
        for (const Renamed& renamed : Renames)
            if (m_name == renamed.intel) {
                m_name = renamed.att;
                return;
            }
        if (m_name == "movsxd" || m_name == "movsx" || m_name == "movzx")
            m_name = std::string(m_name == "movzx" ? "movz" : "movs") + sizeLetter(operand(1).size) + sizeLetter(operand(0).size);
        else if (m_name.starts_with("f") && hasMemory())
            addFloatLetter();
        else if (contains(Sized, m_name) && hasMemory() && !hasSizingRegister())
            m_name += sizeLetter(memorySize());
        else if ((m_name.starts_with("cvtsi2s") || m_name.starts_with("vcvtsi2s") || m_name.starts_with("vcvtusi2s")) && hasMemory())
            m_name += sizeLetter(memorySize());
    }

    void addFloatLetter()
    {
        constexpr std::array<std::string_view, 8> plain{"fld", "fst", "fstp", "fadd", "fsub", "fmul", "fdiv", "fcom"};
        constexpr std::array<std::string_view, 3> plainToo{"fcomp", "fsubr", "fdivr"};
        constexpr std::array<std::string_view, 4> whole{"fild", "fist", "fistp", "fisttp"};
        const unsigned size = memorySize();
        if (contains(plain, m_name) || contains(plainToo, m_name))
            m_name += size == 10 ? "t" : size == 8 ? "l" : "s";
        else if (contains(whole, m_name))
            m_name += size == 8 ? "ll" : size == 4 ? "l" : "s";
        else if (m_name.starts_with("fi"))
            m_name += size == 4 ? "l" : "s";
    }

    bool isString() const
    {
        switch (m_from.id) {
        case X86_INS_STOSB:
        case X86_INS_STOSW:
        case X86_INS_STOSD:
        case X86_INS_STOSQ:
        case X86_INS_SCASB:
        case X86_INS_SCASW:
        case X86_INS_SCASD:
        case X86_INS_SCASQ:
        case X86_INS_LODSB:
        case X86_INS_LODSW:
        case X86_INS_LODSD:
        case X86_INS_LODSQ:
        case X86_INS_MOVSB:
        case X86_INS_MOVSW:
        case X86_INS_MOVSQ:
        case X86_INS_CMPSB:
        case X86_INS_CMPSW:
        case X86_INS_CMPSQ: return true;
        case X86_INS_MOVSD:
        case X86_INS_CMPSD: return m_from.detail->x86.opcode[0] == 0xA5 || m_from.detail->x86.opcode[0] == 0xA7;
        default: return false;
        }
    }

    /// Returns the operands of a string instruction in AT&T syntax, for example "%al,%es:(%rdi)". Changes the size letter of m_name:
    /// removes it if a register shows the size, and replaces "d" by "l" in movs and cmps.
    std::string stringOperands()
    {
        const char letter = m_name.back();
        const std::string stem = m_name.substr(0, m_name.size() - 1);
        const char* accumulator = letter == 'b' ? "%al" : letter == 'w' ? "%ax" : letter == 'd' ? "%eax" : "%rax";
        if (stem == "movs" || stem == "cmps") {
            m_name = stem + (letter == 'd' ? 'l' : letter);
            return stem == "movs" ? "%ds:(%rsi),%es:(%rdi)" : "%es:(%rdi),%ds:(%rsi)";
        }
        m_name = stem;
        if (stem == "stos")
            return std::string(accumulator) + ",%es:(%rdi)";
        return (stem == "scas" ? "%es:(%rdi)," : "%ds:(%rsi),") + std::string(accumulator);
    }

    std::string plainOperands()
    {
        if (isFloatStack())
            return floatStackOperands();
        const bool dropsOne = contains(Shifts, m_name.substr(0, 3)) && (m_x86.opcode[0] & 0xFE) == 0xD0 && m_x86.op_count == 2;
        const int count = dropsOne ? 1 : m_x86.op_count;
        const bool isMasked = m_from.bytes[0] == 0x62 && (m_from.bytes[3] & 7) != 0 && count > 1 && isMask(operand(1));
        const bool keepsOrder = m_name == "xchg" && m_x86.opcode[0] > 0x90 && m_x86.opcode[0] < 0x98;
        std::string text;
        for (int n = 0; n < count; ++n) {
            const int i = keepsOrder ? n : count - 1 - n;
            if (isMasked && i == 1)
                continue;
            text += (text.empty() ? "" : ",") + operandText(operand(i));
            if (isMasked && i == 0)
                text += "{" + registerText(operand(1).reg) + "}" + (operand(0).avx_zero_opmask || operand(1).avx_zero_opmask ? "{z}" : "");
        }
        return text;
    }

    static bool isMask(const cs_x86_op& op) { return op.type == X86_OP_REG && op.reg >= X86_REG_K0 && op.reg <= X86_REG_K7; }

    /// True for the register forms of x87 instructions; capstone omits some of their operands.
    bool isFloatStack() const
    {
        return m_x86.opcode[0] >= 0xD8 && m_x86.opcode[0] <= 0xDF && m_x86.modrm >= 0xC0 && m_x86.op_count > 0
            && operand(0).reg != X86_REG_AX;
    }

    std::string floatStackOperands()
    {
        const std::string other = "%st(" + std::to_string(m_x86.modrm & 7) + ")";
        const unsigned opcode = m_x86.opcode[0];
        // For these opcodes, AT&T syntax exchanges the names fsub and fsubr, and the names fdiv and fdivr. The mistake of an old
        // assembler became the standard.
        if (opcode == 0xDC || opcode == 0xDE) {
            for (const char* stem : {"fsub", "fdiv"})
                if (m_name.starts_with(stem)) {
                    const bool pops = m_name.ends_with("p");
                    m_name = std::string(stem) + (m_name[4] == 'r' ? "" : "r") + (pops ? "p" : "");
                }
            return "%st," + other;
        }
        const bool isSingle = opcode == 0xD9 || opcode == 0xDD || m_name == "fcom" || m_name == "fcomp" || m_name == "ffreep";
        return isSingle ? other : other + ",%st";
    }

    std::string operandText(const cs_x86_op& op)
    {
        const bool isIndirect = isBranch() && op.type != X86_OP_IMM;
        switch (op.type) {
        case X86_OP_REG: return (isIndirect ? "*" : "") + registerText(op.reg);
        case X86_OP_IMM: return isBranch() ? targetText(static_cast<std::uint64_t>(op.imm)) : immediateText(op);
        case X86_OP_MEM: return (isIndirect ? "*" : "") + memoryText(op.mem);
        default: return {};
        }
    }

    std::string registerText(x86_reg reg) const
    {
        if (reg == X86_REG_ST0)
            return "%st";
        const char* name = cs_reg_name(m_handle, reg);
        return std::string("%") + (name ? name : "");
    }

    std::string targetText(std::uint64_t target) const
    {
        const std::string name = m_nameAt(target);
        return name.empty() ? "0x" + hex(target) : hex(target) + " <" + name + ">";
    }

    std::string immediateText(const cs_x86_op& op) const
    {
        // Print a sign-extended immediate in the width of the other operand.
        const unsigned width = m_x86.op_count > 1 && operand(0).size <= 8 && operand(0).size > 0 && op.size >= operand(0).size
            ? operand(0).size
            : std::max<unsigned>(op.size, 1);
        const std::uint64_t mask = width >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << width * 8) - 1;
        return "$0x" + hex(static_cast<std::uint64_t>(op.imm) & mask);
    }

    std::string memoryText(const x86_op_mem& memory)
    {
        std::string text;
        if (memory.segment != X86_REG_INVALID && m_prefix != "cs " && !m_prefix.ends_with(" cs "))
            text = registerText(memory.segment) + ":";
        const bool hasBase = memory.base != X86_REG_INVALID;
        const bool hasIndex = memory.index != X86_REG_INVALID && memory.index != X86_REG_RIZ;
        if (!hasBase && !hasIndex)
            return text + "0x" + hex(static_cast<std::uint64_t>(memory.disp));
        if (memory.disp != 0 || m_x86.encoding.disp_offset != 0)
            text += signedHex(memory.disp);
        text += "(" + (hasBase ? registerText(memory.base) : std::string());
        if (hasIndex)
            text += "," + registerText(memory.index) + "," + std::to_string(memory.scale);
        text += ")";
        if (memory.base == X86_REG_RIP) {
            const std::uint64_t target = m_from.address + m_from.size + static_cast<std::uint64_t>(memory.disp);
            m_comment = "        # " + targetText(target);
        }
        return text;
    }

    csh m_handle;
    const cs_insn& m_from;
    const cs_x86& m_x86;
    const Disassembler::NameAt& m_nameAt;
    std::string m_name;
    std::string m_prefix;
    std::string m_comment;
};

/// Returns an x86-64 instruction as objdump prints it in AT&T syntax. The text is built from capstone's operands, because capstone's own
/// AT&T text has size suffixes everywhere and decimal numbers.
std::string x86Text(csh handle, const cs_insn& instruction, const Disassembler::NameAt& nameAt)
{
    return X86Writer(handle, instruction, nameAt).text();
}

/// Returns the target of a direct jump or call; 0 if the instruction has no direct target.
std::uint64_t x86Target(const cs_insn& instruction)
{
    const cs_x86& x86 = instruction.detail->x86;
    return x86.op_count == 1 && x86.operands[0].type == X86_OP_IMM ? static_cast<std::uint64_t>(x86.operands[0].imm) : 0;
}

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

/// Returns the instruction as capstone prints it. If the instruction has a target (`target` is not 0), the target's address is printed as
/// in objdump, followed by the name of its symbol.
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

/// Returns the size of an AVX or AVX-512 instruction that capstone does not support, so that the instructions after it are decoded
/// correctly; 1 for other bytes.
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
